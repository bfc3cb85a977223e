namespace NetCoreNetworkBenchmark.Options;

internal static class ProgramName
{
    /// <summary>A script that starts the program, such as <c>build/benchmark.sh</c>, sets it to the name by which it was started.</summary>
    public const string Variable = "NETBENCH_PROGRAM";

    private const string WindowsEnding = ".exe";

    public static string Current { get; } = For(Environment.ProcessPath);

    /// <summary>The word that starts the program in the user's shell.</summary>
    public static string Typed { get; } = Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } script ? script : Current;

    /// <summary>Returns the assembly's name if the process is <c>dotnet</c>, which executes any assembly.</summary>
    public static string For(string? process)
    {
        string file = process?.Split('/', '\\')[^1] ?? string.Empty;
        string name = file.EndsWith(WindowsEnding, StringComparison.OrdinalIgnoreCase) ? file[..^WindowsEnding.Length] : file;
        return name is "" or "dotnet" ? typeof(ProgramName).Assembly.GetName().Name! : name;
    }
}
