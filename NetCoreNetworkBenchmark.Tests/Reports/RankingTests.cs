using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Documents;

namespace NetCoreNetworkBenchmark.Tests.Reports;

public sealed class RankingTests
{
    private static readonly BenchmarkResult s_closed = SampleSuites.Decided.Benchmarks[0];
    private static readonly BenchmarkResult s_open = SampleSuites.Decided.Benchmarks[2];
    private static readonly Palette s_palette = new(s_closed.Cases.Select(result => result.Library));

    [Theory]
    [InlineData(0, RankedFigure.ServerCpu, "server CPU × best,msg/s × best,msg/s,server CPU per message")]
    [InlineData(0, RankedFigure.MessagesPerSecond, "msg/s × best,server CPU × best,msg/s,server CPU per message")]
    [InlineData(2, RankedFigure.ServerCpu, "server CPU × best,p99 × best,p50 × best,server CPU per message,of a core,p50,p99")]
    [InlineData(2, RankedFigure.ServerCpu, "server CPU × best,server CPU per message,of a core,p50,p99,p99.9", true)]
    public void TablesOf_begins_with_the_ranked_figure_and_has_latencies_when_the_rate_is_fixed(
        int benchmark, RankedFigure ranked, string figures, bool isOlder = false)
    {
        SuiteResult suite = isOlder ? SampleSuites.WithoutLatencies : SampleSuites.Decided;
        BenchmarkResult chosen = suite.Benchmarks[benchmark] with { RankedBy = ranked };
        Table table = Ranking.TablesOf(chosen, Ranking.PlotOf(chosen, string.Empty, s_palette)).First();
        string[] titles = [.. table.Columns.Select(column => column.Title).Except(["place", "Library", "Version", "sets"])];
        Assert.Equal(figures, string.Join(',', titles.Where(title => title.Length > 0)));
    }

    [Fact]
    public void BarOf_is_the_ratio_and_the_interval_of_the_row_when_other_rounds_had_another_ratio()
    {
        // Over other rounds, the ratio of one library to the baseline is higher than that of the last one.
        BenchmarkResult benchmark = s_closed.WithCase("LiteNetLib", result => result with
        {
            ToBaseline = result.ToBaseline! with { ServerCpu = new RatioFigure(9, 8, 10) },
        });
        CaseResult[] ordered = [.. Ranking.Ordered(benchmark)];
        Assert.Equal(["ENet", "ENet-CSharp", "LiteNetLib", "NetCoreServer", "Epoll", "Sockets"], ordered.Select(result => result.Library));
        Assert.All(ordered, result => Assert.Equal(result.ToBest!.ServerCpu, Ranking.BarOf(benchmark, result)));
        Assert.Null(Ranking.BarOf(benchmark, ordered[0])!.HalfWidth);
        Plot plot = Ranking.PlotOf(benchmark, string.Empty, s_palette);
        IEnumerable<string> cells =
            from table in Ranking.TablesOf(benchmark, plot)
            let column = table.Columns.TakeWhile(title => title.Title != "server CPU × best").Count()
            from row in table.Rows
            select row.Cells[column].Text.Split(' ')[0];
        Assert.Equal(plot.Rows.Select(row => row.Value), cells);
        double best = CaseFigures.From(benchmark, ordered[0]).ServerCpuMicroseconds!.Value;
        Assert.All(ordered, result => Assert.Equal(
            result.ToBest!.ServerCpu!.Ratio, CaseFigures.From(benchmark, result).ServerCpuMicroseconds!.Value / best, tolerance: 1e-9));
    }

    [Fact]
    public void PlotOf_has_an_axis_of_the_ratios_when_an_interval_shows_nothing()
    {
        BenchmarkResult benchmark = s_closed.WithCase("NetCoreServer", result => result with
        {
            ToBest = result.ToBest! with { ServerCpu = new RatioFigure(1.92, 1e-9, 1e9) },
        });
        Assert.InRange(Ranking.PlotOf(benchmark, string.Empty, s_palette).X.PlaceOf(1.92), 0.5, 1);
    }

    [Fact]
    public void CaseFigures_have_the_p99_of_the_ratios_which_is_the_geometric_mean_of_the_slices_of_the_baseline()
    {
        // The slices of Sockets have 1.1, 2.2 and 1.1 ms, and those of the library with the lowest p99 1.25 / 1.1 of that.
        double lowest = CaseFigures.From(s_open, s_open.Cases.Single(result => result.Library == "ENet-CSharp")).P99Microseconds!.Value;
        Assert.Equal(1_250 * Math.Cbrt(2), lowest, tolerance: 1e-6);
        Assert.All(s_open.Cases, result => Assert.Equal(
            result.ToBest!.P99!.Ratio, CaseFigures.From(s_open, result).P99Microseconds!.Value / lowest, tolerance: 1e-9));
        Assert.All(s_closed.Cases, result => Assert.Equal(result.Summary!.P99Microseconds!.Median, CaseFigures.From(s_closed, result).P99Microseconds!.Value));
    }

    [Fact]
    public void DecisionTable_has_the_p99_with_its_interval_and_its_unit_and_of_an_older_result_that_of_all_sets()
    {
        Table table = RankingTable.Create(SampleSuites.Decided, ofBaselines: false)!;
        int column = table.Columns.Index().Single(title => title.Item.Title == "3: p99 × best").Index;
        Assert.Equal(["1.04 ±7 %", "1.00", "2.00 ±7 %", "3.20 ±7 %"], table.Rows.Select(row => row.Cells[column].Text));
        RankingTable.LegendOf(SampleSuites.Decided).AssertHas("9.60 µs and p99 1.57 ms in Benchmark 3.");

        Table older = RankingTable.Create(SampleSuites.WithoutLatencies, ofBaselines: false)!;
        column = older.Columns.Index().Single(title => title.Item.Title == "3: p99 of all sets (of each)").Index;
        Assert.Equal("1.32 ms (1.32 – 1.32)", older.Rows[0].Cells[column].Text);
        RankingTable.LegendOf(SampleSuites.WithoutLatencies).AssertHas(" 9.60 µs in Benchmark 3.");
    }

    [Fact]
    public void The_details_have_the_highest_latencies_when_the_table_has_the_ratios()
    {
        const string Title = "Latencies of all sets together";
        Table table = Assert.IsType<Table>(Assert.Single(RankingDetails.LatenciesOf(s_open, Media.All).Blocks));
        Assert.Equal(["Library", "p50 of all sets", "p99 of all sets (of each)", "p99.9", "largest"], table.Columns.Select(column => column.Title));
        Assert.Equal(Format.Time(s_open.Cases[0].Launches[0].Result!.LatencyMicroseconds!.Max), table.Rows[0].Cells[^1].Text);
        Assert.Single(Regex.Matches(SampleSuites.Decided.Markdown(), Title));
        SampleSuites.WithoutLatencies.Markdown().AssertHasNo(Title);
    }

    [Fact]
    public void PlotOf_has_no_rate_as_a_label_when_a_case_has_no_ratio()
    {
        BenchmarkResult benchmark = s_closed.WithCase("LiteNetLib", result => result with { ToBaseline = null, ToBest = null, InvalidReasons = ["Late."] });
        PlotRow row = Ranking.PlotOf(benchmark, string.Empty, s_palette).Rows.Single(found => found.Name == "LiteNetLib");
        Assert.Equal("invalid", row.Value);
        Assert.Empty(row.Bars);
    }

    [Fact]
    public void Ordered_and_the_sentences_have_no_place_and_no_win_when_a_case_has_too_few_valid_sets()
    {
        // One valid set of three, whose cost is the least.
        BenchmarkResult benchmark = s_open.WithCase("LiteNetLib", result => result with
        {
            ToBaseline = result.ToBaseline! with { Rank = 1, LastRank = 4, ServerCpu = new RatioFigure(0.5, null, null) },
            ToBest = new BestRatio(new RatioFigure(1, null, null), new RatioFigure(0.4, null, null)),
            Launches = [.. result.Launches.Select(launch => launch.Number == 1 ? launch : launch with { Result = null, Failure = "Late." })],
        });
        CaseResult[] ordered = [.. Ranking.Ordered(benchmark)];
        Assert.Equal(["ENet", "ENet-CSharp", "NetCoreServer", "LiteNetLib"], ordered.Take(4).Select(result => result.Library));
        Assert.Equal("-", Ranking.PlaceOf(ordered[3]));
        SuiteResult suite = SampleSuites.Decided.WithBenchmarks(s_closed, benchmark);
        Assert.Contains(
            RankingSentences.From(suite), sentence => sentence[1].Text.Contains(
                "ENet costs the server least; ENet-CSharp 1.1 times as much, NetCoreServer 1.8; p99 ", StringComparison.Ordinal));
        Assert.Equal("0 of 1", RankingTable.FirstOf(suite, "LiteNetLib"));
    }

    [Theory]
    [InlineData(3.9, 5, "LiteNetLib 3.90 µs of its own code, the kernel the same.")]
    [InlineData(1.4, 8, "LiteNetLib 8.00 µs of the kernel's work (system calls), its own code the same.")]
    [InlineData(3.9, 8, "LiteNetLib 3.90 µs of its own code and 8.00 µs of the kernel's work.")]
    [InlineData(3.9, 2, null)]
    [InlineData(1.5, 5.5, null)]
    public void ServerCostsOf_names_what_a_library_pays_for_when_it_is_clear(double user, double kernel, string? sentence)
    {
        BenchmarkResult benchmark = s_closed with { Cases = [.. s_closed.Cases.Where(result => result.Library is "ENet" or "LiteNetLib")] };
        benchmark = benchmark.WithCase("ENet", result => Costing(result, 1.3, 4.8)).WithCase("LiteNetLib", result => Costing(result, user, kernel));
        string? whole = sentence is null ? null : $"Against ENet's 1.30 µs of its own code and 4.80 µs of the kernel's work per message: {sentence}";
        Assert.Equal(whole, SentenceOf(benchmark));

        // An undecided library is not said to cost more.
        Assert.Null(SentenceOf(benchmark.WithCase("LiteNetLib", result => result with
        {
            ToBest = result.ToBest! with { ServerCpu = new RatioFigure(1.4, 0.9, 2.1) },
        })));
    }

    [Fact]
    public void UndecidedOf_is_one_sentence_and_the_pairs_are_folded()
    {
        Assert.Equal(
            "Undecided: 1 pair of neighbours in Benchmark 1, 1 in Benchmark 2; up to 3 more minutes would decide 1 of them.",
            RankingSentences.UndecidedOf(SampleSuites.Decided));
        string console = SampleSuites.Decided.Summary();
        string page = SampleSuites.Decided.Markdown();
        const string Pair = "Benchmark 1, ENet and ENet-CSharp: ratio 1.04 ±4.9 %, no difference above 9 %; about 3 more minutes would decide it.";
        console.AssertHasNo(Pair);
        page.AssertHas($"<details><summary>Undecided pairs</summary>\n\n* {Pair}\n");
        Assert.Null(RankingSentences.UndecidedOf(SampleSuites.Suite));
    }

    [Theory]
    [InlineData(2, 2, 1.06, "ENet and ENet-CSharp cost the server the same, with no difference above 6 %.")]
    [InlineData(2, 2, 1.2, "ENet and ENet-CSharp are undecided.")]
    [InlineData(3, 3, 1.06, "ENet, ENet-CSharp and LiteNetLib cost the server the same, with no difference from ENet above 6 %.")]
    [InlineData(3, 2, 1.06, "ENet and ENet-CSharp cost the server least, with no difference above 6 %; LiteNetLib 1.02 times as much.")]
    [InlineData(3, 2, 1.2, "ENet and ENet-CSharp cost the server least, with differences within the noise; LiteNetLib 1.02 times as much.")]
    public void The_sentence_of_undecided_libraries_has_the_largest_difference_that_their_intervals_allow(
        int libraries, int undecided, double upper, string outcome)
    {
        CaseResult[] cases = [.. s_closed.Cases.Take(libraries).Select((result, index) => index == 0 ? result : result with
        {
            ToBaseline = result.ToBaseline! with { Rank = index < undecided ? 1 : 3, LastRank = null },
            ToBest = result.ToBest! with { ServerCpu = new RatioFigure(1.02, 0.98, upper) },
        })];
        SuiteResult suite = SuiteOf(s_closed with { Cases = cases });
        Assert.Single(RankingSentences.From(suite))[1].Text.AssertEnds($": {outcome}");
        Table table = RankingTable.Create(suite, ofBaselines: false)!;
        int[] columns = [.. table.Columns.Index().Where(title => title.Item.Title == "no difference above").Select(title => title.Index)];
        Assert.Equal(upper < 1.1 ? ["-", "6 %"] : [], columns.SelectMany(column => table.Rows.Take(2).Select(row => row.Cells[column].Text)));
    }

    [Fact]
    public void UndecidedOf_has_the_largest_difference_when_the_interval_of_each_pair_has_one()
    {
        SuiteResult suite = SuiteOf(s_closed with
        {
            Decision = s_closed.Decision! with { Undecided = [new UndecidedPair("ENet", "ENet-CSharp", new RatioFigure(1.02, 0.98, 1.05), 61)] },
        });
        Assert.Equal(
            "Undecided: 1 pair of neighbours in Benchmark 1, with no difference above 5 %; up to 2 more minutes would decide it.",
            RankingSentences.UndecidedOf(suite));
    }

    [Fact]
    public void The_table_of_one_load_has_the_absolute_costs()
    {
        Table table = RankingTable.Create(SuiteOf(s_closed), ofBaselines: false)!;
        int column = table.Columns.Index().Single(title => title.Item.Title == "server CPU per message").Index;
        Assert.Equal(["10.0 µs", "10.4 µs", "14.0 µs", "19.2 µs"], table.Rows.Select(row => row.Cells[column].Text));
        Assert.DoesNotContain(RankingTable.Create(SampleSuites.Decided, ofBaselines: false)!.Columns, title => title.Title == "server CPU per message");
    }

    [Theory]
    [InlineData("--clients,--protocol", ", one message each: ")]
    [InlineData("--clients", ", one message each over UDP: ")]
    [InlineData("--protocol", ", 1 client with one message each: ")]
    [InlineData("--messages", ", 1 client over UDP: ")]
    [InlineData("--size", ", 1 client with one message each over UDP: ")]
    public void The_sentence_of_a_load_omits_what_its_title_has(string varied, string load) =>
        RankingSentences.From(SampleSuites.Matrix with { Varied = varied.Split(',') }).First()[1].Text.AssertBegins(load);

    [Theory]
    [InlineData(1, 1, 4, "one set decides nothing.")]
    [InlineData(3, 1, 4, "no two libraries have valid figures in two sets.")]
    [InlineData(1, 1, 1, "ENet is the only library with figures.")]
    [InlineData(3, 3, 1, "ENet is the only library with figures.")]
    public void The_sentence_names_what_is_missing_when_no_two_libraries_have_a_place(int sets, int valid, int libraries, string outcome)
    {
        LaunchResult[] launches =
        [
            .. s_closed.Cases[0].Launches.Take(sets).Select(launch => launch.Number <= valid ? launch : launch with { Result = null, Failure = "Late." }),
        ];
        IEnumerable<CaseResult> ranked = s_closed.Cases.Where(result => !result.IsBaseline).Take(libraries).Select(result => result with
        {
            ToBaseline = valid > 1 ? result.ToBaseline : result.ToBaseline! with { Rank = null, LastRank = null },
        });
        SuiteResult suite = SuiteOf(s_closed with
        {
            Cases = [.. ranked.Concat(s_closed.Cases.Where(result => result.IsBaseline)).Select(result => result with { Launches = launches })],
        });
        Assert.Single(RankingSentences.From(suite))[1].Text.AssertEnds($": {outcome}");
    }

    [Fact]
    public void A_library_that_alone_has_two_valid_sets_is_not_called_the_only_one_with_figures()
    {
        BenchmarkResult benchmark = s_closed.WithCases(
            result => result.Library == "ENet" ? result : result with { ToBaseline = result.ToBaseline! with { Rank = null } });
        Assert.Single(RankingSentences.From(SuiteOf(benchmark)))[1].Text.AssertEnds(": ENet is the only library with two valid sets.");
    }

    [Fact]
    public void UndecidedOf_promises_no_time_after_a_single_set()
    {
        var pair = new UndecidedPair("ENet", "LiteNetLib", new RatioFigure(1.4, null, null), null);
        Assert.Equal(
            "Undecided: 1 pair of neighbours in Benchmark 1; to decide takes two sets in which both have valid figures.",
            RankingSentences.UndecidedOf(SuiteOf(s_closed with { Decision = s_closed.Decision! with { Undecided = [pair] } })));
    }

    [Fact]
    public void An_interval_that_shows_nothing_is_not_printed_and_foretells_no_time()
    {
        var open = new RatioFigure(0.92, 0.18, 4.67);
        Assert.Equal(("0.92 ±>100 %", "0.92 ±>100"), (Ranking.RatioOf(open), Ranking.ShortRatioOf(open)));
        Assert.Equal("cannot be told yet", Format.Interval(new RatioInterval(0.001, 1862.81, 0.99941)));
        SuiteResult suite = SuiteOf(s_closed.WithCase("ENet-CSharp", result => result with { ToBest = result.ToBest! with { Rate = open } }) with
        {
            Decision = s_closed.Decision! with { Undecided = [new UndecidedPair("ENet", "ENet-CSharp", open, 7_140)] },
        });
        Assert.Equal("Undecided: 1 pair of neighbours in Benchmark 1; the time that would decide cannot be told yet.", RankingSentences.UndecidedOf(suite));
        Assert.Equal(
            ["Benchmark 1, ENet and ENet-CSharp: ratio 0.92 ±>100 %; the time that would decide it cannot be told yet."], RankingSentences.PairsOf(suite));
        RankingSentences.ConditionsOf(suite).AssertHasNo("all intervals within");
    }

    [Theory, InlineData(9.9, "about 17 more minutes would decide it"), InlineData(10.1, "the time that would decide it cannot be told yet")]
    public void PairsOf_foretells_at_most_ten_times_the_time_that_was_measured(double times, string outcome)
    {
        var pair = new UndecidedPair("ENet", "LiteNetLib", new RatioFigure(1.1, 0.9, 1.3), times * 100);
        SuiteResult suite = SuiteOf(s_closed with { Decision = s_closed.Decision! with { Seconds = 100, Undecided = [pair] } });
        Assert.Single(RankingSentences.PairsOf(suite)).AssertEnds($"; {outcome}.");
    }

    [Theory, InlineData(0.95, "95 %"), InlineData(0.995, "99.5 %"), InlineData(0.99941, "99.9 %"), InlineData(0.99999, "99.9 %")]
    public void Confidence_has_one_decimal_and_is_not_rounded_up(double confidence, string text) =>
        Assert.Equal(text, Format.Confidence(new RatioInterval(0.9, 1.1, confidence)));

    [Fact]
    public void The_legend_names_the_interval_that_decides_and_that_of_each_ratio_in_results_of_earlier_versions()
    {
        SuiteResult earlier = SuiteOf(s_closed with { Decision = s_closed.Decision! with { Confidence = null } });
        SuiteResult suite = SuiteOf(s_closed);
        RankingTable.LegendOf(suite).AssertHas("± half of the interval that decides (95 % for the whole ranking) in %.");
        RankingTable.LegendOf(earlier).AssertHas("± half of the 95 % interval in %.");
        Ranking.MethodOf(suite).AssertHas("± half of the interval that decides (95 % for the whole ranking). ");
        Ranking.MethodOf(earlier).AssertHas("± half of the 95 % interval. ");
    }

    private static SuiteResult SuiteOf(params BenchmarkResult[] benchmarks) => SampleSuites.Decided.WithBenchmarks(benchmarks);

    private static string? SentenceOf(BenchmarkResult benchmark) =>
        RankingDetails.ServerCostsOf(benchmark, Media.All).Blocks.OfType<Paragraph>().SingleOrDefault()?.Text.Single().Text;

    private static CaseResult Costing(CaseResult result, double user, double kernel) => result.WithRuns(run => run.WithCost(user, kernel));
}
