namespace NetCoreNetworkBenchmark.Running.Machine.Native;

/// <summary>Figures measured under Wine do not describe Windows.</summary>
internal static class Wine
{
    public static bool IsHere { get; } = OperatingSystem.IsWindows()
        && NativeLibrary.TryLoad("ntdll", out nint library)
        && NativeLibrary.TryGetExport(library, "wine_get_version", out _);
}
