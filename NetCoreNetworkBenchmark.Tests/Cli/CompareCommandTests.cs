using NetCoreNetworkBenchmark.Tests.Comparing;

using static NetCoreNetworkBenchmark.Tests.Cli.ProgramInFolder;

namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class CompareCommandTests : IDisposable
{
    private static readonly double[] s_rates = [1000, 1010, 990, 1005, 995, 1000];

    private readonly ProgramInFolder _program = new();

    [Theory]
    [InlineData(0.5, 3)]
    [InlineData(1, 0)]
    [InlineData(2, 0)]
    public async Task Compare_ends_with_3_only_where_a_case_is_slower_and_that_is_to_fail(double factor, int code)
    {
        string before = _program.Save("old", Suites.Create(s_rates));
        string after = _program.Save("new", Suites.Create([.. s_rates.Select(rate => rate * factor)]));
        Assert.Equal(code, (await RunAsync("compare", before, after, "--fail-on-regression")).Code);
        Assert.Equal(0, (await RunAsync("compare", before, after)).Code);
    }

    [Fact]
    public async Task Compare_that_is_to_fail_ends_with_5_if_no_case_is_decided()
    {
        (string before, string after) = (_program.Save("old", Suites.Run(1000)), _program.Save("new", Suites.Run(500)));
        (int code, string printed, string errors) = await RunAsync("compare", before, after, "--fail-on-regression");
        Assert.Equal(
            (5, "Error: No case could be decided. About 10 launches of each side would decide it. " +
                "To measure again: NetCoreNetworkBenchmark --test PingPong --library ENet --launches 10 --output DIR\n"),
            (code, errors));
        Assert.Contains(
            "About 10 launches of each side would decide it. " +
                "To measure again: `NetCoreNetworkBenchmark --test PingPong --library ENet --launches 10 --output DIR`\n",
            printed,
            StringComparison.Ordinal);
        (code, _, errors) = await RunAsync("compare", before, before, "--fail-on-regression");
        Assert.Equal((5, "Error: No case could be decided. OLD and NEW are the same result: compare two.\n"), (code, errors));
        Assert.Contains("\nThe case is undecided.\n", printed, StringComparison.Ordinal);
        (code, _, errors) = await RunAsync("compare", before, after);
        Assert.Equal((0, string.Empty), (code, errors));
    }

    [Fact]
    public async Task Compare_judges_the_requested_figure_alone()
    {
        string before = _program.Save("old", Suites.Create(s_rates));
        string after = _program.Save("new", Suites.Create([.. s_rates.Select(rate => rate / 2)]));
        Assert.Equal(3, (await RunAsync("compare", before, after, "--figure", "rate", "--fail-on-regression")).Code);
        Assert.Equal(0, (await RunAsync("compare", before, after, "--figure", "allocated", "--fail-on-regression")).Code);
        Assert.Equal(5, (await RunAsync("compare", before, after, "--figure", "p99", "--fail-on-regression")).Code);
        await AssertRefusedAsync("Error: --figure: ", "compare", before, after, "--figure", "p98");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Compare_that_is_to_fail_fails_if_a_case_is_missing_or_invalid_in_the_new_results(bool isThere)
    {
        RunResult[] others = [.. s_rates.Select(rate => Suites.Run(rate).OfLibrary("LiteNetLib"))];
        RunResult[] runs = [.. s_rates.Select(Suites.Run)];
        string before = _program.Save("old", SampleSuites.SuiteOf([.. runs, .. others]));
        string after = _program.Save("new", SampleSuites.SuiteOf([.. runs, .. isThere ? others.Select(run => run.WithFaults("It broke.")) : []]));
        Assert.Equal(0, (await RunAsync("compare", before, after)).Code);
        Assert.Equal(0, (await RunAsync("compare", after, before, "--fail-on-regression")).Code);
        (int code, _, string errors) = await RunAsync("compare", before, after, "--fail-on-regression");
        Assert.Equal(
            (1, "Error: The new results have no valid launch under the same load of: Benchmark 1, LiteNetLib. Measure these anew.\n"), (code, errors));
    }

    [Fact]
    public async Task Compare_judges_results_of_another_machine_only_if_it_is_to()
    {
        SuiteResult suite = Suites.Create([.. s_rates.Select(rate => rate / 2)]);
        string before = _program.Save("old", Suites.Create(s_rates));
        string after = _program.Save("new", suite with { Environment = suite.Environment with { Cpu = "Other", Cores = 64, Framework = ".NET 8" } });
        (int code, string page, string errors) = await RunAsync("compare", before, after, "--fail-on-regression");
        Assert.Equal(5, code);
        Assert.Equal("Error: The results are of different machines, so no case is judged. Use --any-machine to judge them all the same.\n", errors);
        Assert.Contains("* Processor differs: ", page, StringComparison.Ordinal);
        Assert.DoesNotContain("slower |", page, StringComparison.Ordinal);
        (code, string json, _) = await RunAsync("compare", before, after, "--fail-on-regression", "--any-machine", "--json");
        var result = (ComparisonResult)ResultFile.Parse(json);
        Assert.Equal((3, Verdict.Slower), (code, Assert.Single(result.Cases).Verdict));
        Assert.Equal(
            [("Processor", "Other", true), ("Logical cores", "64", true), ("Framework", ".NET 8", false)],
            result.Differences.Select(fact => (fact.Name, fact.New, fact.IsOfMachine)));
    }

    [Fact]
    public async Task Compare_prints_json_and_writes_all_files()
    {
        string output = _program.PathOf("comparison");
        (int code, string printed, string errors) = await RunAsync(
            "compare", _program.Save("old", Suites.Create(s_rates)), _program.Save("new", Suites.Create(s_rates)), "--threshold", "5%", "--json", "-o", output);
        Assert.Equal((0, string.Empty), (code, errors));
        var result = (ComparisonResult)ResultFile.Parse(printed);
        Assert.Equal((0.05, Verdict.Same), (result.Threshold, Assert.Single(result.Cases).Verdict));
        Assert.Equal(["comparison.csv", "comparison.html", "comparison.json", "comparison.md"], FilesIn(output));
        Assert.Equal(printed, await File.ReadAllTextAsync(Path.Combine(output, "comparison.json"), TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Compare_prints_the_format_or_writes_it_to_a_file()
    {
        string results = _program.Save("results", Suites.Create(s_rates));
        string page = _program.PathOf("page.html");
        (int code, string printed, _) = await RunAsync("compare", results, results, "-f", "html");
        Assert.Equal(0, code);
        Assert.StartsWith("<!DOCTYPE html>", printed, StringComparison.Ordinal);
        Assert.Equal((0, string.Empty, $"Written to {page}\n"), await RunAsync("compare", results, results, "-f", "HTML", "-o", page));
        Assert.Equal(printed, await File.ReadAllTextAsync(page, TestContext.Current.CancellationToken));
        string folder = _program.PathOf("folder");
        Assert.Equal((0, string.Empty, $"Written to {folder}\n"), await RunAsync("compare", results, results, "-f", "html", "-o", folder));
        Assert.Equal(["comparison.csv", "comparison.html", "comparison.json", "comparison.md"], FilesIn(folder));
    }

    [Fact]
    public async Task Compare_replaces_the_same_comparison_alone_unless_it_is_forced()
    {
        string before = _program.Save("old", Suites.Create(s_rates));
        string after = _program.Save("new", Suites.Create([.. s_rates.Select(rate => 2 * rate)]));
        string folder = _program.PathOf("comparison");
        string file = Path.Combine(folder, "comparison.json");
        Assert.Equal(0, (await RunAsync("compare", before, after, "-o", folder)).Code);
        Assert.Equal(0, (await RunAsync("compare", before, after, "-o", folder)).Code);
        string written = File.ReadAllText(file);
        await AssertRefusedAsync($"Error: --output: '{file}' has an earlier result. Use --force to replace it", "compare", after, before, "-o", folder);
        Assert.Equal(written, File.ReadAllText(file));
        Assert.Equal(0, (await RunAsync("compare", after, before, "-o", folder, "--force")).Code);
        Assert.NotEqual(written, File.ReadAllText(file));
    }

    [Fact]
    public async Task The_json_of_a_comparison_makes_its_page()
    {
        string results = _program.Save("results", Suites.Create(s_rates));
        string folder = _program.PathOf("comparison");
        await RunAsync("compare", results, results, "-o", folder);
        (_, string page, _) = await RunAsync("report", Path.Combine(folder, "comparison.json"), "-f", "html");
        Assert.Equal(await File.ReadAllTextAsync(Path.Combine(folder, "comparison.html"), TestContext.Current.CancellationToken), page);
        Assert.Contains("<h2>Latencies</h2>", page, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_histograms_of_a_brief_result_are_read_from_the_log_beside_it()
    {
        string brief = _program.PathOf("brief");
        new ResultFiles(brief, Formats).Write(Suites.Create(s_rates).Brief());
        (_, string printed, _) = await RunAsync("compare", brief, brief, "--json");
        Assert.NotNull(((ComparisonResult)ResultFile.Parse(printed)).Cases[0].OldLatency!.Histogram);
        string log = Path.Combine(brief, "results.hlog");
        await File.AppendAllTextAsync(log, "damaged\n", TestContext.Current.CancellationToken);
        (int code, printed, string errors) = await RunAsync("compare", brief, _program.Save("other", Suites.Create(s_rates)), "--json");
        Assert.StartsWith($"Error: '{log}' cannot be read: Line ", Assert.Single(errors.TrimEnd('\n').Split('\n')), StringComparison.Ordinal);
        Assert.Equal((1, null), (code, ((ComparisonResult)ResultFile.Parse(printed)).Cases[0].OldLatency!.Histogram));
        File.Delete(log);
        (_, printed, _) = await RunAsync("compare", brief, brief, "--json");
        Assert.Null(((ComparisonResult)ResultFile.Parse(printed)).Cases[0].OldLatency!.Histogram);
    }

    [Fact]
    public async Task The_log_of_another_result_is_named_and_left_out()
    {
        (string one, string other) = (_program.PathOf("one"), _program.PathOf("other"));
        new ResultFiles(one, Formats).Write(Suites.Create(s_rates).Brief());
        new ResultFiles(other, Formats).Write(Suites.Create(s_rates).Brief());
        Assert.Equal((0, string.Empty), await HistogramAsync(one, isThere: true));
        string log = Path.Combine(one, "results.hlog");
        File.Copy(Path.Combine(other, "results.hlog"), log, overwrite: true);
        string file = Path.Combine(one, "results.json");
        Assert.Equal(
            (1, $"Error: '{log}' is the histogram log of another result than '{file}'. Remove it, or restore the log that was written with the results.\n"),
            await HistogramAsync(one, isThere: false));

        async Task<(int Code, string Errors)> HistogramAsync(string folder, bool isThere)
        {
            (int code, string printed, string errors) = await RunAsync("compare", folder, other, "--json");
            Assert.Equal(isThere, ((ComparisonResult)ResultFile.Parse(printed)).Cases[0].OldLatency!.Histogram is not null);
            return (code, errors);
        }
    }

    [Fact]
    public async Task Compare_refuses_a_format_that_it_has_not_and_a_damaged_histogram()
    {
        string results = _program.Save("results", Suites.Create(s_rates));
        await AssertRefusedAsync("Error: --format: hlog is not applicable to this comparison. Use ", "compare", results, results, "-f", "hlog");
        await AssertRefusedAsync("Error: --json cannot be combined with --format. Use one of them.", "compare", results, results, "-f", "csv", "--json");
        string damaged = _program.Save("damaged", Suites.Run(1000).WithHistogram("HISTFAAAAA=="));
        await AssertRefusedAsync("Error: A histogram in the results cannot be read: ", "compare", damaged, damaged);
    }

    [Fact]
    public async Task Compare_reads_folders_with_all_results_below_them()
    {
        _program.Save("old/a", Suites.Create(1000, 1010));
        _program.Save("old/b", Suites.Create(990, 1005, 995));
        File.WriteAllText(_program.PathOf("old", "other.json"), "{}");
        (int code, string printed, _) = await RunAsync("compare", _program.PathOf("old"), _program.Save("new", Suites.Create(s_rates)), "--json");
        Assert.Equal((0, 5), (code, Assert.Single(((ComparisonResult)ResultFile.Parse(printed)).Cases).OldLaunches));
    }

    [Fact]
    public async Task Compare_counts_a_result_once_however_many_links_lead_to_it()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Links need a privilege there.");
        string before = _program.Save("set/old", Suites.Create(s_rates));
        _program.Save("set/copy", ResultFile.Parse(File.ReadAllText(Path.Combine(before, "results.json"))));
        Directory.CreateSymbolicLink(_program.PathOf("set", "again"), ".");
        Directory.CreateSymbolicLink(_program.PathOf("set", "other"), "old");
        string set = _program.PathOf("set");
        (int code, string printed, string errors) = await RunAsync("compare", set, before, "--json");
        Assert.Equal((0, string.Empty), (code, errors));
        ComparedCase compared = Assert.Single(((ComparisonResult)ResultFile.Parse(printed)).Cases);
        Assert.Equal((s_rates.Length, s_rates.Length), (compared.OldLaunches, compared.NewLaunches));
        (_, string rows, _) = await RunAsync("report", set, "-f", "csv");
        Assert.Equal(1 + s_rates.Length, rows.TrimEnd('\n').Split('\n').Length);
    }

    [Fact]
    public async Task Compare_takes_the_results_of_a_folder_alone_if_it_has_any_and_names_those_below()
    {
        string set = _program.Save("set", Suites.Create(s_rates));
        string below = _program.Save("set/versions/one", Suites.Create(s_rates));
        (int code, string printed, string errors) = await RunAsync("compare", set, below, "--json");
        Assert.Equal(
            (0, $"Note: Results in the subfolders of a folder with results are omitted. Name these folders to include them: '{below}'.\n"), (code, errors));
        Assert.Equal(s_rates.Length, Assert.Single(((ComparisonResult)ResultFile.Parse(printed)).Cases).OldLaunches);
    }

    [Fact]
    public async Task Compare_omits_files_of_other_programs_with_a_note_and_opens_no_pipe()
    {
        string set = _program.Folder.CreateSubdirectory("set").FullName;
        string good = _program.Save("set/good", Suites.Create(s_rates));
        string foreign = Path.Combine(set, "results.json");
        File.WriteAllText(foreign, """{ "stats": { "tests": 12 } }""");
        string errors = $"Note: '{foreign}' is omitted, because it is no result of this program.\n";
        if (!OperatingSystem.IsWindows())
        {
            string pipe = Path.Combine(set, "result.json");
            using var start = Process.Start("mkfifo", pipe);
            await start.WaitForExitAsync(TestContext.Current.CancellationToken);
            errors = $"Note: '{pipe}' is omitted, because it is no result of this program.\n{errors}";
        }

        (int Code, string Output, string Errors) run =
            await RunAsync("compare", set, good, "--json").WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
        Assert.Equal((0, errors), (run.Code, run.Errors));
        Assert.Equal(s_rates.Length, Assert.Single(((ComparisonResult)ResultFile.Parse(run.Output)).Cases).OldLaunches);
    }

    [Fact]
    public async Task Compare_names_what_it_cannot_read_and_compares_the_rest()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Links need a privilege there.");
        string set = _program.Folder.CreateSubdirectory("set").FullName;
        _program.Save("set/good", Suites.Create(s_rates));
        _program.Save("set/cut", Suites.Create(s_rates));
        string cut = Path.Combine(set, "cut", "results.json");
        File.WriteAllText(cut, File.ReadAllText(cut)[..1000]);
        Directory.CreateSymbolicLink(Path.Combine(set, "gone"), "nowhere");
        Directory.CreateSymbolicLink(Path.Combine(set, "loop"), "loop");
        Directory.CreateDirectory(Path.Combine(set, "odd", "results.json"));
        (int code, string printed, string errors) = await RunAsync("compare", set, _program.PathOf("set", "good"), "--json");
        Assert.Equal(1, code);
        Assert.Equal(s_rates.Length, Assert.Single(((ComparisonResult)ResultFile.Parse(printed)).Cases).OldLaunches);
        Assert.Collection(
            errors.TrimEnd('\n').Split('\n'),
            line => Assert.StartsWith($"Error: '{cut}' cannot be read: it is not JSON of this program (", line, StringComparison.Ordinal),
            line => Assert.Equal(
                $"Error: '{Path.Combine(set, "gone")}' cannot be read: its target '{Path.Combine(set, "nowhere")}' does not exist. " +
                    "Remove the link, or restore its target.",
                line),
            line => Assert.StartsWith($"Error: '{Path.Combine(set, "loop")}' cannot be read: ", line, StringComparison.Ordinal));
        (code, printed, errors) = await RunAsync("report", set, _program.PathOf("missing"), "-f", "csv");
        Assert.Equal((1, 1 + s_rates.Length), (code, printed.TrimEnd('\n').Split('\n').Length));
        Assert.Equal(4, errors.TrimEnd('\n').Split('\n').Length);
    }

    [Fact]
    public async Task Compare_ends_with_5_and_lists_the_cases_when_results_have_none_in_common()
    {
        (string before, string after) = (_program.Save("old", Suites.Create(s_rates)), _program.Save("new", Suites.Run(1000)));
        Assert.Equal(5, (await RunAsync("compare", before, after)).Code);
        (int code, string printed, _) = await RunAsync("compare", before, after, "--fail-on-regression");
        Assert.Equal(5, code);
        Assert.Contains("\nNo case could be compared.\n", printed, StringComparison.Ordinal);
        Assert.Contains("* Benchmark 1, ENet is in the old results only.", printed, StringComparison.Ordinal);
        Assert.Contains("* PingPong, ENet is in the new results only.", printed, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("0%", "Error: --threshold: \"0%\" is not a percentage above 0% and below 100%, such as 10%.")]
    [InlineData("100%", "Error: --threshold: \"100%\" is not a percentage above 0% and below 100%, such as 10%.")]
    [InlineData("200%", "Error: --threshold: \"200%\" is not a percentage from 0% to 100%, such as 1% or 0.5%.")]
    [InlineData("much", "Error: --threshold: \"much\" is not a percentage from 0% to 100%, such as 1% or 0.5%.")]
    public async Task Compare_refuses_a_threshold_that_is_no_share(string threshold, string sentence)
    {
        string results = _program.Save("results", Suites.Create(s_rates));
        await AssertRefusedAsync(sentence, "compare", results, results, "--threshold", threshold);
    }

    [Fact]
    public async Task Compare_refuses_files_that_are_missing_or_have_no_runs()
    {
        string missing = _program.PathOf("missing");
        string empty = _program.Folder.CreateSubdirectory("empty").FullName;
        string server = _program.Save("server", SampleResults.Server);
        string valid = _program.Save("valid", Suites.Create(s_rates));
        string remedy = "Use a result file, or a folder with result files.\n";
        await AssertRefusedAsync($"Error: '{missing}' does not exist. {remedy}", "compare", missing, missing);
        await AssertRefusedAsync($"Error: '{missing}' does not exist. {remedy}", "compare", valid, missing);
        await AssertRefusedAsync(
            $"Error: '{missing}' and '{missing}2' do not exist. Use result files, or folders with result files.\n", "compare", missing, $"{missing}2");
        await AssertRefusedAsync(
            $"Error: The folder '{empty}' has no results. Use a folder with result.json or results.json in it, or such a file.", "compare", empty, empty);
        await AssertRefusedAsync(
            $"Error: The folder '{server}' has no runs to compare. Use the result of a run or of several launches.", "compare", server, server);
        await AssertRefusedAsync("Error: report requires FILES: result files, or folders with result files. See --help.\n", "report");
    }

    public void Dispose() => _program.Dispose();
}
