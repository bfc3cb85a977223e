namespace NetCoreNetworkBenchmark.Tests.Results;

/// <summary>The results of Benchmarks/, all of which this version reads.</summary>
internal static class CommittedResults
{
    /// <summary>The paths, that of the whole benchmark first.</summary>
    public static IReadOnlyList<string> Files { get; } =
    [
        .. Directory.EnumerateFiles(Golden.PathOfSource("Benchmarks"), "results.json", SearchOption.AllDirectories)
            .OrderBy(file => file.Length)
            .ThenBy(file => file, StringComparer.Ordinal),
    ];

    /// <summary>Reads the committed result of a whole benchmark.</summary>
    public static SuiteResult ReadWhole() => (SuiteResult)ResultFile.Parse(File.ReadAllText(Files[0]));
}
