using System.Text.RegularExpressions;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

public sealed class MicrobenchmarkTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-");

    [Fact]
    public async Task Microbenchmarks_print_one_table_with_allocations_and_keep_BenchmarkDotNets_files()
    {
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            $"--microbenchmarks --microbenchmark-time 0.001 -o {_folder.FullName}");
        Assert.Equal((0, "BenchmarkDotNet runs over the harness' own hot paths, for about a minute.\n"), (exitCode, errors.ReplaceLineEndings("\n")));
        Assert.Matches(@"\| Type +\| Method +\| Mean +\| Error +\| StdDev +\| Allocated \|", output);
        string[] rows =
        [
            "Clock Read",
            "Counters Count",
            "HistogramRecording Record",
            "MemoryLibrary RoundTrip",
            "MessagePath ClosedLoop",
            "MessagePath OpenLoop",
            "Tag Check",
            "Tag Stamp",
        ];
        Assert.Equal(
            rows,
            Regex.Matches(output, @"^\| (\w+) +\| (\w+) +\| +[0-9.,]+ [nμ]s ", RegexOptions.Multiline).Select(row => $"{row.Groups[1]} {row.Groups[2]}")
                .Order(StringComparer.Ordinal));
        Assert.Single(_folder.GetFiles("*-report-github.md", SearchOption.AllDirectories));
        Assert.Single(_folder.GetFiles("*-report-full.json", SearchOption.AllDirectories));
    }

    [Fact]
    public async Task Microbenchmarks_have_no_json_on_standard_output()
    {
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync("--microbenchmarks --json");
        Assert.Equal((2, string.Empty), (exitCode, output));
        Assert.StartsWith("Error: Options --microbenchmarks and --json exclude each other: ", errors, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
