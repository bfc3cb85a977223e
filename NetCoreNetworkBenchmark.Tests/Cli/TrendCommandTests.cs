using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Tests.Comparing;
using NetCoreNetworkBenchmark.Tests.Reports;

using static NetCoreNetworkBenchmark.Tests.Cli.ProgramInFolder;

namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class TrendCommandTests : IDisposable
{
    private static readonly double[] s_rates = [1000, 1010, 990, 1005, 995];

    private readonly ProgramInFolder _program = new();

    [Fact]
    public async Task Folders_and_files_of_a_folder_are_the_sets()
    {
        Save("v1.2", day: 2, level: 1);
        Save("later/deep", day: 3, level: 0.5);
        File.Move(Path.Combine(Save("first", day: 1, level: 1), "results.json"), _program.PathOf("commit-abc.json"));
        _program.Save("server", SampleResults.Server);
        (int code, string printed, string errors) = await RunAsync("trend", _program.Folder.FullName, "--json", "--threshold", "5%");
        Assert.Equal((0, string.Empty), (code, errors));
        var trend = (TrendResult)ResultFile.Parse(printed);
        Assert.Equal((0.05, _program.Folder.FullName), (trend.Threshold, trend.Source));
        Assert.Equal(["commit-abc", "v1.2", "later"], trend.Sets.Select(set => set.Name));
        Assert.Equal((3, Verdict.Slower), trend.Cases.Single().Changes.Select(change => (change.Set, change.Verdict)).Single());
    }

    [Fact]
    public async Task A_trend_is_printed_or_written_in_every_format()
    {
        Save("a", day: 1, level: 1);
        Save("b", day: 2, level: 1);
        string output = _program.Folder.CreateSubdirectory("empty").FullName;
        (_, string markdown, _) = await RunAsync("trend", _program.Folder.FullName);
        Assert.StartsWith("### Trend", markdown, StringComparison.Ordinal);
        Assert.Equal((0, markdown, string.Empty), await RunAsync("trend", _program.Folder.FullName, "-o", output));
        Assert.Equal(["trend.csv", "trend.html", "trend.json", "trend.md"], FilesIn(output));
        string page = _program.PathOf("page.html");
        Assert.Equal((0, $"Written to {page}\n", string.Empty), await RunAsync("trend", _program.Folder.FullName, "-f", "html", "-o", page));
        Assert.Equal(Read(Path.Combine(output, "trend.html")), Read(page));
        Assert.Equal(Read(page), (await RunAsync("report", Path.Combine(output, "trend.json"), "-f", "html")).Output);
        Assert.Equal(Read(Path.Combine(output, "trend.csv")), (await RunAsync("trend", _program.Folder.FullName, "-f", "csv")).Output);
        await AssertRefusedAsync("Error: Option --format: hlog has nothing to tell of this trend; ", "trend", _program.Folder.FullName, "-f", "hlog");
    }

    [Fact]
    public async Task A_folder_without_two_sets_in_common_is_refused()
    {
        string folder = _program.Folder.FullName;
        const string Valid = "valid is a folder with a folder or a result file for each date or commit.";
        await AssertRefusedAsync($"Error: '{_program.PathOf("missing")}' is no folder; {Valid}", "trend", _program.PathOf("missing"));
        await AssertRefusedAsync($"Error: '{folder}' holds no set of results, and a trend needs two; {Valid}", "trend", folder);
        Save("a", day: 1, level: 1);
        await AssertRefusedAsync($"Error: '{folder}' holds one set of results, and a trend needs two; {Valid}", "trend", folder);
        _program.Save("b", Suites.Run(10));
        await AssertRefusedAsync($"Error: The sets of results in '{folder}' have no valid case in common; valid are sets of the same", "trend", folder);
        await AssertRefusedAsync("Error: Option --threshold: '0%' is not valid; ", "trend", folder, "--threshold", "0%");
        File.WriteAllText(_program.PathOf("other.json"), "{}");
        await AssertRefusedAsync($"Error: '{_program.PathOf("other.json")}' cannot be read: it is no result of this program", "trend", folder);
    }

    public void Dispose() => _program.Dispose();

    private string Save(string folder, int day, double level) => _program.Save(folder, Suites.Of([.. s_rates.Select(rate => rate * level)]) with
    {
        StartedAt = new DateTimeOffset(2026, 1, day, 0, 0, 0, TimeSpan.Zero),
    });

    private static string Read(string file) => File.ReadAllText(file);
}
