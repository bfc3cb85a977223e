using NetCoreNetworkBenchmark.Tests.Hosts;

namespace NetCoreNetworkBenchmark.Tests.Plans;

/// <summary>A printed command that somebody pastes into <c>/bin/sh</c>.</summary>
internal static class PastedCommand
{
    public const string HostileName = "it's $HOME `id` & more; #1 (a|b) \"x\" *";

    /// <summary>Returns the arguments that the command gives to the program.</summary>
    public static async Task<string[]> ArgumentsAsync(string command)
    {
        // The program is a function of the shell that shows what it gets.
        string shown = await SystemCommand.RequireAsync("/bin/sh", "-c", $"NetCoreNetworkBenchmark() {{ printf '%s\\n' \"$@\"; }}\n{command}");
        return shown.TrimEnd('\n').Split('\n');
    }

    /// <summary>Requires a POSIX shell.</summary>
    public static void SkipWithoutSh() => Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no /bin/sh.");
}
