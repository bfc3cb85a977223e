using NetCoreNetworkBenchmark.Tests.Comparing;

namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class CompareCommandTests : ProgramInFolder
{
    private static readonly double[] s_rates = [1000, 1010, 990, 1005, 995, 1000];

    [Theory, InlineData(0.5, 3), InlineData(1, 0), InlineData(2, 0)]
    public async Task Compare_ends_with_3_only_where_a_case_is_slower_and_that_is_to_fail(double factor, int code)
    {
        string before = Save("old", Suites.Create(s_rates));
        string after = Save("new", Suites.Create([.. s_rates.Select(rate => rate * factor)]));
        Assert.Equal(code, (await RunAsync("compare", before, after, "--fail-on-regression")).Code);
        Assert.Equal(0, (await RunAsync("compare", before, after)).Code);
    }

    [Fact]
    public async Task Compare_that_is_to_fail_ends_with_5_if_no_case_is_decided()
    {
        (string before, string after) = (Save("old", Suites.Run(1000)), Save("new", Suites.Run(500)));
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
        printed.AssertHas("\nThe case is undecided.\n");
        (code, _, errors) = await RunAsync("compare", before, after);
        Assert.Equal((0, string.Empty), (code, errors));
    }

    [Fact]
    public async Task Compare_judges_the_requested_figure_alone()
    {
        string before = Save("old", Suites.Create(s_rates));
        string after = Save("new", Suites.Create([.. s_rates.Select(rate => rate / 2)]));
        Assert.Equal(3, (await RunAsync("compare", before, after, "--figure", "rate", "--fail-on-regression")).Code);
        Assert.Equal(0, (await RunAsync("compare", before, after, "--figure", "allocated", "--fail-on-regression")).Code);
        Assert.Equal(5, (await RunAsync("compare", before, after, "--figure", "p99", "--fail-on-regression")).Code);
        await AssertRefusedAsync("Error: --figure: ", "compare", before, after, "--figure", "p98");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Compare_that_is_to_fail_fails_if_a_case_is_missing_or_invalid_in_the_new_results(bool isThere)
    {
        RunResult[] others = [.. s_rates.Select(rate => Suites.Run(rate).OfLibrary("LiteNetLib"))];
        RunResult[] runs = [.. s_rates.Select(Suites.Run)];
        string before = Save("old", SampleSuites.SuiteOf([.. runs, .. others]));
        string after = Save("new", SampleSuites.SuiteOf([.. runs, .. isThere ? others.Select(run => run.WithFaults("It broke.")) : []]));
        Assert.Equal(0, (await RunAsync("compare", before, after)).Code);
        Assert.Equal(0, (await RunAsync("compare", after, before, "--fail-on-regression")).Code);
        (int code, _, string errors) = await RunAsync("compare", before, after, "--fail-on-regression");
        Assert.Equal((1, "Error: The new results have no valid launch under the same load of: Benchmark 1, LiteNetLib. Measure these anew.\n"), (code, errors));
    }

    [Fact]
    public async Task Compare_judges_results_of_another_machine_only_if_it_is_to()
    {
        SuiteResult suite = Suites.Create([.. s_rates.Select(rate => rate / 2)]);
        string before = Save("old", Suites.Create(s_rates));
        string after = Save("new", suite with { Environment = suite.Environment with { Cpu = "Other", Cores = 64, Framework = ".NET 8" } });
        (int code, string page, string errors) = await RunAsync("compare", before, after, "--fail-on-regression");
        Assert.Equal(5, code);
        Assert.Equal("Error: The results are of different machines, so no case is judged. Use --any-machine to judge them all the same.\n", errors);
        page.AssertHas("* Processor differs: ");
        page.AssertHasNo("slower |");
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
        string output = PathOf("comparison");
        (int code, string printed, string errors) = await RunAsync(
            "compare", Save("old", Suites.Create(s_rates)), Save("new", Suites.Create(s_rates)), "--threshold", "5%", "--json", "-o", output);
        Assert.Equal((0, string.Empty), (code, errors));
        var result = (ComparisonResult)ResultFile.Parse(printed);
        Assert.Equal((0.05, Verdict.Same), (result.Threshold, Assert.Single(result.Cases).Verdict));
        Assert.Equal(["comparison.csv", "comparison.html", "comparison.json", "comparison.md"], FilesIn(output));
        Assert.Equal(printed, await File.ReadAllTextAsync(Path.Combine(output, "comparison.json"), TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Compare_prints_the_format_or_writes_it_to_a_file()
    {
        string results = Save("results", Suites.Create(s_rates));
        string page = PathOf("page.html");
        (int code, string printed, _) = await RunAsync("compare", results, results, "-f", "html");
        Assert.Equal(0, code);
        printed.AssertBegins("<!DOCTYPE html>");
        Assert.Equal((0, string.Empty, $"Written to {page}\n"), await RunAsync("compare", results, results, "-f", "HTML", "-o", page));
        Assert.Equal(printed, await File.ReadAllTextAsync(page, TestContext.Current.CancellationToken));
        string folder = PathOf("folder");
        Assert.Equal((0, string.Empty, $"Written to {folder}\n"), await RunAsync("compare", results, results, "-f", "html", "-o", folder));
        Assert.Equal(["comparison.csv", "comparison.html", "comparison.json", "comparison.md"], FilesIn(folder));
    }

    [Fact]
    public async Task Compare_replaces_the_same_comparison_alone_unless_it_is_forced()
    {
        string before = Save("old", Suites.Create(s_rates));
        string after = Save("new", Suites.Create([.. s_rates.Select(rate => 2 * rate)]));
        string folder = PathOf("comparison");
        string file = Path.Combine(folder, "comparison.json");
        Assert.Equal(0, (await RunAsync("compare", before, after, "-o", folder)).Code);
        Assert.Equal(0, (await RunAsync("compare", before, after, "-o", folder)).Code);
        string content = File.ReadAllText(file);
        await AssertRefusedAsync($"Error: --output: '{file}' has an earlier result. Use --force to replace it", "compare", after, before, "-o", folder);
        Assert.Equal(content, File.ReadAllText(file));
        Assert.Equal(0, (await RunAsync("compare", after, before, "-o", folder, "--force")).Code);
        Assert.NotEqual(content, File.ReadAllText(file));
    }

    [Fact]
    public async Task The_json_of_a_comparison_makes_its_page()
    {
        string results = Save("results", Suites.Create(s_rates));
        string folder = PathOf("comparison");
        await RunAsync("compare", results, results, "-o", folder);
        (_, string page, _) = await RunAsync("report", Path.Combine(folder, "comparison.json"), "-f", "html");
        Assert.Equal(await File.ReadAllTextAsync(Path.Combine(folder, "comparison.html"), TestContext.Current.CancellationToken), page);
        page.AssertHas("<h2>Latencies</h2>");
    }

    [Fact]
    public async Task The_latencies_of_brief_results_are_compared_with_their_histograms()
    {
        string brief = PathOf("brief");
        new ResultFiles(brief, Formats).Write(Suites.Create(s_rates).Brief());
        (_, string printed, _) = await RunAsync("compare", brief, brief, "--json");
        Assert.NotNull(CasesIn(printed)[0].OldLatency!.Histogram);
    }

    [Fact]
    public async Task Compare_refuses_a_format_that_it_has_not_and_a_damaged_histogram()
    {
        string results = Save("results", Suites.Create(s_rates));
        await AssertRefusedAsync("Error: --format: hlog is not applicable to this comparison. Use ", "compare", results, results, "-f", "hlog");
        await AssertRefusedAsync("Error: --json cannot be combined with --format. Use one of them.", "compare", results, results, "-f", "csv", "--json");
        string damaged = Save("damaged", Suites.Run(1000).WithHistogram("HISTFAAAAA=="));
        await AssertRefusedAsync("Error: A histogram in the results cannot be read: ", "compare", damaged, damaged);
    }

    [Fact]
    public async Task Compare_reads_folders_with_all_results_below_them()
    {
        Save("old/a", Suites.Create(1000, 1010));
        Save("old/b", Suites.Create(990, 1005, 995));
        File.WriteAllText(PathOf("old", "other.json"), "{}");
        (int code, string printed, _) = await RunAsync("compare", PathOf("old"), Save("new", Suites.Create(s_rates)), "--json");
        Assert.Equal((0, 5), (code, Assert.Single(CasesIn(printed)).OldLaunches));
    }

    [Fact]
    public async Task Compare_counts_a_result_once_however_many_links_lead_to_it()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Links need a privilege there.");
        string before = Save("set/old", Suites.Create(s_rates));
        Save("set/copy", ResultFile.Parse(File.ReadAllText(Path.Combine(before, "results.json"))));
        Directory.CreateSymbolicLink(PathOf("set", "again"), ".");
        Directory.CreateSymbolicLink(PathOf("set", "other"), "old");
        string set = PathOf("set");
        (int code, string printed, string errors) = await RunAsync("compare", set, before, "--json");
        Assert.Equal((0, string.Empty), (code, errors));
        ComparedCase compared = Assert.Single(CasesIn(printed));
        Assert.Equal((s_rates.Length, s_rates.Length), (compared.OldLaunches, compared.NewLaunches));
        (_, string rows, _) = await RunAsync("report", set, "-f", "csv");
        Assert.Equal(1 + s_rates.Length, rows.TrimEnd('\n').Split('\n').Length);
    }

    [Fact]
    public async Task Compare_takes_the_results_of_a_folder_alone_if_it_has_any_and_names_those_below()
    {
        string set = Save("set", Suites.Create(s_rates));
        string below = Save("set/versions/one", Suites.Create(s_rates));
        (int code, string printed, string errors) = await RunAsync("compare", set, below, "--json");
        Assert.Equal(
            (0, $"Note: Results in the subfolders of a folder with results are omitted. Name these folders to include them: '{below}'.\n"), (code, errors));
        Assert.Equal(s_rates.Length, Assert.Single(CasesIn(printed)).OldLaunches);
    }

    [Fact]
    public async Task Compare_omits_files_of_other_programs_with_a_note_and_opens_no_pipe()
    {
        string set = Folder.CreateSubdirectory("set").FullName;
        string good = Save("set/good", Suites.Create(s_rates));
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
        Assert.Equal((0, errors, s_rates.Length), (run.Code, run.Errors, Assert.Single(CasesIn(run.Output)).OldLaunches));
    }

    [Fact]
    public async Task Compare_names_what_it_cannot_read_and_compares_the_rest()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Links need a privilege there.");
        string set = Folder.CreateSubdirectory("set").FullName;
        Save("set/good", Suites.Create(s_rates));
        Save("set/cut", Suites.Create(s_rates));
        string cut = Path.Combine(set, "cut", "results.json");
        File.WriteAllText(cut, File.ReadAllText(cut)[..1000]);
        Directory.CreateSymbolicLink(Path.Combine(set, "gone"), "nowhere");
        Directory.CreateSymbolicLink(Path.Combine(set, "loop"), "loop");
        Directory.CreateDirectory(Path.Combine(set, "odd", "results.json"));
        (int code, string printed, string errors) = await RunAsync("compare", set, PathOf("set", "good"), "--json");
        Assert.Equal((1, s_rates.Length), (code, Assert.Single(CasesIn(printed)).OldLaunches));
        Assert.Collection(
            errors.TrimEnd('\n').Split('\n'),
            line => line.AssertBegins($"Error: '{cut}' cannot be read: it is not JSON of this program ("),
            line => Assert.Equal(
                $"Error: '{Path.Combine(set, "gone")}' cannot be read: its target '{Path.Combine(set, "nowhere")}' does not exist. " +
                    "Remove the link, or restore its target.",
                line),
            line => line.AssertBegins($"Error: '{Path.Combine(set, "loop")}' cannot be read: "));
        (code, printed, errors) = await RunAsync("report", set, PathOf("missing"), "-f", "csv");
        Assert.Equal((1, 1 + s_rates.Length), (code, printed.TrimEnd('\n').Split('\n').Length));
        Assert.Equal(4, errors.TrimEnd('\n').Split('\n').Length);
    }

    [Fact]
    public async Task Compare_ends_with_5_and_lists_the_cases_when_results_have_none_in_common()
    {
        (string before, string after) = (Save("old", Suites.Create(s_rates)), Save("new", Suites.Run(1000)));
        Assert.Equal(5, (await RunAsync("compare", before, after)).Code);
        (int code, string printed, _) = await RunAsync("compare", before, after, "--fail-on-regression");
        Assert.Equal(5, code);
        printed.AssertHas("\nNo case could be compared.\n", "* Benchmark 1, ENet is in the old results only.", "* PingPong, ENet is in the new results only.");
    }

    [Theory]
    [InlineData("0%", "Error: --threshold: \"0%\" is not a percentage above 0% and below 100%, such as 10%.")]
    [InlineData("100%", "Error: --threshold: \"100%\" is not a percentage above 0% and below 100%, such as 10%.")]
    [InlineData("200%", "Error: --threshold: \"200%\" is not a percentage from 0% to 100%, such as 1% or 0.5%.")]
    [InlineData("much", "Error: --threshold: \"much\" is not a percentage from 0% to 100%, such as 1% or 0.5%.")]
    public async Task Compare_refuses_a_threshold_that_is_no_share(string threshold, string sentence)
    {
        string results = Save("results", Suites.Create(s_rates));
        await AssertRefusedAsync(sentence, "compare", results, results, "--threshold", threshold);
    }

    [Fact]
    public async Task Compare_refuses_files_that_are_missing_or_have_no_runs()
    {
        string missing = PathOf("missing");
        string empty = Folder.CreateSubdirectory("empty").FullName;
        string server = Save("server", SampleResults.Server);
        string valid = Save("valid", Suites.Create(s_rates));
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

    private static IReadOnlyList<ComparedCase> CasesIn(string printed) => ((ComparisonResult)ResultFile.Parse(printed)).Cases;
}
