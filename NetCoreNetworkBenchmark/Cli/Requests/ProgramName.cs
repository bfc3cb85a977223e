namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>The name by which the program was started.</summary>
internal static class ProgramName
{
    private const string WindowsEnding = ".exe";

    /// <summary>The name of this process: that of the build, or <c>netbench</c> of the installed tool.</summary>
    public static string Current { get; } = Of(Environment.ProcessPath);

    /// <summary>Gets the name for the path of a process; the assembly's name if it is <c>dotnet</c>, which executes any assembly.</summary>
    public static string Of(string? process)
    {
        string file = process?.Split('/', '\\')[^1] ?? string.Empty;
        string name = file.EndsWith(WindowsEnding, StringComparison.OrdinalIgnoreCase) ? file[..^WindowsEnding.Length] : file;
        return name is "" or "dotnet" ? typeof(ProgramName).Assembly.GetName().Name! : name;
    }
}
