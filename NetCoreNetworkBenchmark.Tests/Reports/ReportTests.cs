using NetCoreNetworkBenchmark.Reports.Builders;

namespace NetCoreNetworkBenchmark.Tests.Reports;

public sealed partial class ReportTests
{
    private const int Usual = 80;

    private static readonly string[] s_cultures = ["en-US", "de-DE"];

    private static readonly Dictionary<string, Result> s_samples = new()
    {
        ["run"] = SampleResults.Valid,
        ["invalid-run"] = SampleResults.Invalid,
        ["open-loop"] = SampleResults.OpenLoop,
        ["round-trip"] = SampleResults.RoundTrip,
        ["multicast"] = SampleResults.Multicast,
        ["chosen"] = SampleResults.Chosen,
        ["stream"] = SampleResults.Stream,
        ["plain-stream"] = SampleResults.PlainStream,
        ["cut-connections"] = SampleResults.CutConnections,
        ["steps"] = SampleResults.Steps,
        ["turns"] = SampleSuites.Turns,
        ["decided"] = SampleSuites.Decided,
        ["to-baseline"] = SampleSuites.ToBaseline,
        ["matrix"] = SampleSuites.Matrix,
        ["stream-suite"] = SampleSuites.SuiteOf(SampleResults.Stream, SampleResults.Stream.OfLibrary("Epoll")),
        ["stream-server"] = SampleResults.StreamServer,
        ["suite"] = SampleSuites.Suite,
        ["open-loop-suite"] = SampleSuites.SuiteOf(
            SampleResults.OpenLoop,
            SampleResults.OpenLoop.OfLibrary("a, b\tc").WithClients(clients => clients with { StartedAt = clients.StartedAt.AddMinutes(-1.5) })),
        ["server"] = SampleResults.Server,
        ["sweep"] = SampleSearches.Sweep,
        ["players"] = SampleSearches.Players,
        ["sweeps"] = SampleSearches.Sweeps,
        ["burst"] = SampleResults.Burst,
        ["framed"] = SampleSuites.Framed,
        ["loss"] = SampleSuites.Loss,
        ["max-clients"] = SampleSearches.MaxClients,
        ["comparison"] = SampleResults.Comparison,
    };

    /// <summary>A sample of each kind of result, by name.</summary>
    internal static IReadOnlyDictionary<string, Result> AllSamples => s_samples;

    public static TheoryData<string> Names => [.. s_samples.Keys];

    public static TheoryData<string, string> Serialized => InCultures("run", "comparison");

    public static TheoryData<string, string> Samples =>
        InCultures(
            "run", "invalid-run", "open-loop", "round-trip", "multicast", "chosen", "stream", "plain-stream", "cut-connections", "stream-suite",
            "stream-server", "steps", "suite", "turns", "server", "sweep", "players", "sweeps", "max-clients", "comparison", "burst", "framed", "loss");

    public static TheoryData<string, string> Rankings => InCultures("decided", "to-baseline", "matrix");

    public static TheoryData<string, string> Logged => InCultures("run", "open-loop", "suite", "open-loop-suite");

    [Theory, MemberData(nameof(Samples))]
    public void Markdown_is_the_golden_file_in_every_culture(string culture, string sample) =>
        Golden.Verify(new MarkdownReport().Render(s_samples[sample], culture), $"Reports/{sample}.md.golden");

    // The details of a case are those of the sample "turns".
    [Theory, MemberData(nameof(Rankings))]
    public void A_ranking_in_Markdown_is_the_golden_file_in_every_culture(string culture, string sample) =>
        Golden.Verify(Details().Replace(new MarkdownReport().Render(s_samples[sample], culture), string.Empty), $"Reports/{sample}.md.golden");

    [Fact]
    public void Figures_of_an_invalid_case_are_marked_in_their_cells_alone()
    {
        BenchmarkResult[] benchmarks = [.. SampleSuites.Decided.Benchmarks];
        string library = benchmarks[2].Cases[0].Library;
        benchmarks[2] = benchmarks[2] with { Cases = [benchmarks[2].Cases[0] with { InvalidReasons = ["Late."] }, .. benchmarks[2].Cases.Skip(1)] };
        string page = SampleSuites.Decided.WithBenchmarks(benchmarks).Markdown();
        string row = page.Split('\n').First(line => line.StartsWith($"| {library} ", StringComparison.Ordinal));
        Assert.Matches(@"^(\|[^|]*){6}\|[^|]* \(invalid\) \|[^|]*±7 % \(invalid\) \|", row);
        Assert.Equal(2, Regex.Count(row, "invalid"));
    }

    [Theory, InlineData(0.06, true), InlineData(0.7, false)]
    public void Sentences_of_a_ranking_omit_costs_within_the_precision_of_the_run(double target, bool hasCost)
    {
        BenchmarkResult first = SampleSuites.Decided.Benchmarks[0];
        first = first with { RankedBy = RankedFigure.MessagesPerSecond, Decision = first.Decision! with { TargetHalfWidth = target } };
        string page = SampleSuites.Decided.WithBenchmarks([first, .. SampleSuites.Decided.Benchmarks.Skip(1)]).Markdown();
        string sentence = page.Split('\n').Single(line => line.StartsWith("* **Benchmark 1**", StringComparison.Ordinal));
        Assert.Equal(hasCost, sentence.Contains("costs the server", StringComparison.Ordinal));
    }

    [Fact]
    public void Cells_of_times_in_html_have_their_value_in_microseconds_to_sort_by()
    {
        string html = SampleSuites.Decided.Html();
        Match[] cells = Regex.Matches(html, @"<td data-value=""([0-9.]+)"">([0-9.,]+) (µs|ms)</td>").ToArray<Match>();
        Assert.NotEmpty(cells);
        Assert.All(cells, cell => Assert.Equal(
            1,
            double.Parse(cell.Groups[2].Value, CultureInfo.InvariantCulture) * (cell.Groups[3].Value == "ms" ? 1000 : 1)
                / double.Parse(cell.Groups[1].Value, CultureInfo.InvariantCulture),
            tolerance: 0.01));
    }

    [Theory, InlineData(true), InlineData(false)]
    public void A_run_in_one_process_names_the_command_that_measures_the_server_separately(bool isOneProcess)
    {
        const string Sentence = "The CPU time is that of server and clients together. `--launches 3` has the server's.\n";
        string page = (SampleResults.Valid with { OneProcess = isOneProcess }).Markdown();
        Assert.Equal(isOneProcess, page.Contains(Sentence, StringComparison.Ordinal));
    }

    [Fact]
    public void Unsolicited_traffic_is_reported_where_there_was_any()
    {
        RunResult result = SampleResults.Valid.WithServer(server => server with
        {
            Unsolicited = new Dictionary<string, long> { ["connections"] = 3, ["datagrams"] = 12_345 },
        });
        result.Markdown().AssertHas("\nUnsolicited connections: 3\nUnsolicited datagrams: 12,345\n");
        result.Json().AssertHas("\"unsolicited\"");
    }

    [Fact]
    public void A_note_is_written_once_for_all_libraries_and_launches_to_which_it_applies()
    {
        RunResult run = SampleResults.Valid.WithServer(server => server with { Remarks = ["It fell back."] });
        string page = SampleSuites.SuiteOf(run, run, run.OfLibrary("Other")).Markdown();
        string[] notes = [.. page.Split('\n').Where(line => line.Contains("fell back", StringComparison.Ordinal))];
        Assert.Equal(["Note: Benchmark 1, ENet, Other: It fell back."], notes);
    }

    [Fact]
    public void Notes_that_differ_in_their_numbers_alone_are_one()
    {
        static RunResult Noted(string library, string note) => SampleResults.Valid.OfLibrary(library).WithServer(server => server with { Remarks = [note] });
        SuiteResult suite = SampleSuites.SuiteOf(
            Noted("ENet", "It waited for 1.5 s (limit: 1 s)."), Noted("Other", "It waited for 12 s (limit: 1 s)."), Noted("Last", "It slept for 12 s."));
        string page = suite.Markdown();
        Assert.Equal(
            ["Note: Benchmark 1, ENet, Other (the numbers of the first): It waited for 1.5 s (limit: 1 s).", "Note: Benchmark 1, Last: It slept for 12 s."],
            page.Split('\n').Where(line => line.StartsWith("Note: ", StringComparison.Ordinal) && line.Contains(": It ", StringComparison.Ordinal)));
    }

    [Fact]
    public void Bars_and_line_ends_of_a_name_stay_in_their_cell_and_line()
    {
        RunResult run = SampleResults.Valid.OfLibrary("a|b\r\n\u001bc").WithServer(server => server with { Remarks = ["First\n```\nthird."] });
        string page = SampleSuites.SuiteOf(run, run, SampleResults.Valid).Markdown();
        page.AssertHas("| a\\|b \uFFFDc ", ": First ``` third.");
    }

    [Fact]
    public void Markdown_needs_no_histogram()
    {
        RunResult damaged = SampleResults.Valid.WithHistogram("HISTFAAAAA==");
        Assert.Equal(SampleResults.Valid.Markdown(), damaged.Markdown());
        Assert.Throws<FormatException>(() => damaged.Html());
    }

    [Theory, InlineData("en-US"), InlineData("de-DE")]
    public void A_ranking_is_the_golden_file_in_every_culture(string culture) =>
        Golden.Verify(SampleSuites.Decided.Summary(Usual, culture), "Reports/ranking.golden");

    [Fact]
    public void A_first_look_fits_a_terminal_of_80_columns_and_40_lines()
    {
        string[] lines = SampleSuites.Decided.Summary(Usual).TrimEnd('\n').Split('\n');
        Assert.All(lines.Where(line => line.StartsWith('|')), line => Assert.InRange(line.Length, 1, 80));
        Assert.InRange(lines.Sum(line => Math.Max(1, (line.Length + 79) / 80)), 20, 38);
    }

    [Fact]
    public void A_library_is_first_where_no_other_is_surely_better() => Assert.Equal(
        ["2 of 3 (1 alone)", "1 of 3 (0 alone)", "1 of 3 (1 alone)", "0 of 3"],
        SampleSuites.Decided.Benchmarks[0].Cases.Take(4).Select(found => RankingTable.FirstOf(SampleSuites.Decided, found.Library)));

    [Fact]
    public void A_benchmark_without_figures_has_a_sentence_and_no_column()
    {
        BenchmarkResult[] benchmarks = [.. SampleSuites.Decided.Benchmarks];
        benchmarks[2] = benchmarks[2] with { Cases = [.. benchmarks[2].Cases.Select(found => found with { ToBaseline = null, ToBest = null })] };
        string page = SampleSuites.Decided.WithBenchmarks(benchmarks).Summary(Usual);
        page.AssertHas("20 messages per second each over UDP: no library has figures that may be used.");
        page.AssertHasNo("p99 3");
    }

    [Fact]
    public void Rates_beside_ratios_agree_with_them()
    {
        BenchmarkResult benchmark = SampleSuites.Decided.Benchmarks[0];
        double[] rates = [.. benchmark.Cases.Select(found => CaseFigures.From(benchmark, found).MessagesPerSecond!.Value)];
        Assert.All(benchmark.Cases.Zip(rates), pair => Assert.Equal(pair.First.ToBest!.Rate.Ratio, pair.Second / rates[0], tolerance: 1e-9));
    }

    [Theory, MemberData(nameof(Serialized))]
    public void Json_is_the_golden_file_in_every_culture(string culture, string sample) =>
        Golden.Verify(new JsonReport().Render(s_samples[sample], culture), $"Reports/{sample}.json.golden");

    [Theory, MemberData(nameof(Samples))]
    public void Json_read_back_is_what_was_written(string culture, string sample)
    {
        string page = new JsonReport().Render(s_samples[sample], culture);
        Assert.Equal(page, new JsonReport().Render(ResultFile.Parse(page), culture));
    }

    [Fact]
    public void Json_has_each_innermost_list_and_object_on_one_line()
    {
        const string Indented = """
            {
              "slices": {
                "rates": [
                  1,
                  2.5
                ],
                "empty": []
              },
              "remarks": [
                "a \" ] }"
              ]
            }
            """;
        const string Expected = """
            {
              "slices": {
                "rates": [ 1, 2.5 ],
                "empty": []
              },
              "remarks": [ "a \" ] }" ]
            }
            """;
        Assert.Equal(Expected.ReplaceLineEndings("\n"), JsonReport.Condense(Indented.ReplaceLineEndings("\n")));
    }

    [Theory, InlineData("en-US"), InlineData("de-DE")]
    public void Html_is_the_golden_file_in_every_culture(string culture) =>
        Golden.Verify(StyleAndScript().Replace(new HtmlReport().Render(SampleResults.Valid, culture), string.Empty), "Reports/run.html.golden");

    [Theory, MemberData(nameof(Names))]
    public void Json_and_html_are_the_same_in_every_culture(string sample) => Assert.All(
        (IReport[])[new JsonReport(), new HtmlReport()],
        report => Assert.Single(s_cultures.Select(culture => report.Render(s_samples[sample], culture)).Distinct()));

    [Theory, MemberData(nameof(Logged))]
    public void Hlog_is_the_golden_file_in_every_culture(string culture, string sample) =>
        Golden.Verify(Readable(new HlogReport().Render(s_samples[sample], culture)), $"Reports/{sample}.hlog.golden");

    [Theory, InlineData("en-US"), InlineData("de-DE")]
    public void Hgrm_is_the_golden_file_in_every_culture(string culture) =>
        Golden.Verify(new HgrmReport().Render(SampleResults.Valid, culture), "Reports/run.hgrm.golden");

    [Theory]
    [InlineData("run", "result.csv", "result.hgrm", "result.hlog", "result.html", "result.json", "result.md")]
    [InlineData("suite", "results.csv", null, "results.hlog", "results.html", "results.json", "README.md")]
    [InlineData("server", null, null, null, "server.html", "server.json", "server.md")]
    [InlineData("sweep", "sweep.csv", null, null, "sweep.html", "sweep.json", "sweep.md")]
    [InlineData("sweeps", "sweeps.csv", null, null, "sweeps.html", "sweeps.json", "sweeps.md")]
    [InlineData("max-clients", "maxclients.csv", null, null, "maxclients.html", "maxclients.json", "maxclients.md")]
    [InlineData("comparison", "comparison.csv", null, null, "comparison.html", "comparison.json", "comparison.md")]
    public void A_format_has_a_file_for_what_it_can_tell(
        string sample, string? csv, string? hgrm, string? hlog, string html, string json, string markdown)
    {
        IReport[] reports = [new CsvReport(), new HgrmReport(), new HlogReport(), new HtmlReport(), new JsonReport(), new MarkdownReport()];
        Assert.Equal([csv, hgrm, hlog, html, json, markdown], reports.Select(report => report.FileNameOf(s_samples[sample])));
    }

    [Fact]
    public void Without_a_histogram_there_is_nothing_to_log()
    {
        RunResult result = SampleResults.Valid.WithoutHistogram();
        SuiteResult suite = SampleSuites.SuiteOf(result, SampleResults.Valid.WithFaults("It is not valid."));
        Assert.All([result, suite], (Result found) =>
        {
            Assert.Null(new HlogReport().FileNameOf(found));
            Assert.Null(new HgrmReport().FileNameOf(found));
            Assert.Throws<ArgumentException>(() => new HlogReport().Write(found, TextWriter.Null));
            Assert.Throws<ArgumentException>(() => new HgrmReport().Write(found, TextWriter.Null));
        });
    }

    private static TheoryData<string, string> InCultures(params string[] samples) =>
        [.. from culture in s_cultures from sample in samples select new TheoryDataRow<string, string>(culture, sample)];

    // Compressed bytes differ between platforms; their decompressed content does not.
    private static string Readable(string log) => Histogram().Replace(log, found =>
    {
        LatencyHistogram histogram = HistogramCodec.Decode(found.Value);
        return string.Create(CultureInfo.InvariantCulture, $"(histogram of {histogram.Count} values up to {histogram.Max})");
    });

    [GeneratedRegex(@"<details><summary>[^<]* msg/s</summary>.*?</details>\n\n?", RegexOptions.Singleline)]
    private static partial Regex Details();

    // The style and the script are the same on all pages, and are no result.
    [GeneratedRegex("(?<=<(style|script)>).*?(?=</(style|script)>)", RegexOptions.Singleline)]
    private static partial Regex StyleAndScript();

    [GeneratedRegex(@"HISTF\S+")]
    private static partial Regex Histogram();
}
