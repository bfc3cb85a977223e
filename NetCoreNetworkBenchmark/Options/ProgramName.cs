namespace NetCoreNetworkBenchmark.Options;

internal static class ProgramName
{
    /// <summary>The variable in which a script that starts the program, such as <c>build/benchmark.sh</c>, has the name by which it was started.</summary>
    public const string Variable = "NETBENCH_PROGRAM";

    private const string WindowsEnding = ".exe";

    /// <summary>The name of this process: that of the build, or <c>netbench</c> of the installed tool.</summary>
    public static string Current { get; } = For(Environment.ProcessPath);

    /// <summary>The word that starts the program in the user's shell.</summary>
    public static string Typed { get; } = Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } script ? script : Current;

    /// <summary>Gets the name for the path of a process; the assembly's name if it is <c>dotnet</c>, which executes any assembly.</summary>
    public static string For(string? process)
    {
        string file = process?.Split('/', '\\')[^1] ?? string.Empty;
        string name = file.EndsWith(WindowsEnding, StringComparison.OrdinalIgnoreCase) ? file[..^WindowsEnding.Length] : file;
        return name is "" or "dotnet" ? typeof(ProgramName).Assembly.GetName().Name! : name;
    }
}
