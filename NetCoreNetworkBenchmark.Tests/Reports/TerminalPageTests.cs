using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Documents;
using NetCoreNetworkBenchmark.Reports.Renderers;
using Spectre.Console;
using Table = NetCoreNetworkBenchmark.Reports.Documents.Table;

namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>Results as they are drawn for a terminal, here without colours.</summary>
public sealed class TerminalPageTests
{
    // A tab in a name, such as in that sample, is as wide as the terminal makes it.
    private static readonly Dictionary<string, Result> s_samples = new(ReportTests.AllSamples.ExceptBy(["open-loop-suite"], sample => sample.Key))
    {
        ["launches"] = SampleSuites.Suite with { Benchmarks = [new BenchmarkResult("PingPong", [SampleSuites.Suite.Benchmarks[0].Cases[0]])] },
        ["first-look"] = SampleSuites.Decided,
        ["decided"] = SampleSuites.Decided with
        {
            Benchmarks = [.. SampleSuites.Decided.Benchmarks, SampleSuites.Turns.Benchmarks[0] with { Title = "RoundTrip TCP", Part = "Round trip" }],
        },
        ["builds"] = SampleResults.Comparison with
        {
            Cases =
            [
                new ComparedCase("Benchmark 1", "ENet", 12, 12, 100_000, 130_000, 1.3, 1.25, 1.35, Verdict.Faster)
                {
                    DecidedBy = new RatioInterval(1.2, 1.408, 0.995),
                    Figures =
                    [
                        new ComparedFigure(JudgedFigure.ServerCpu, 10, 8, 0.8, 0.75, 0.85, Verdict.Faster, new RatioInterval(0.72, 0.889, 0.995)),
                        new ComparedFigure(
                            JudgedFigure.MessagesPerSecond, 100_000, 130_000, 1.3, 1.25, 1.35, Verdict.Faster, new RatioInterval(1.2, 1.408, 0.995)),
                    ],
                },
                new ComparedCase("Benchmark 3", "ENet", 12, 12, 10_000, 10_000, 1, 1, 1, Verdict.Slower)
                {
                    Figures =
                    [
                        new ComparedFigure(JudgedFigure.ServerCpu, 10, 10, 1, 0.98, 1.02, Verdict.Same, new RatioInterval(0.97, 1.031, 0.995)),
                        new ComparedFigure(JudgedFigure.P99, 919, 1_500, 1.632, 1.5, 1.776, Verdict.Slower, new RatioInterval(1.44, 1.85, 0.995)),
                        new ComparedFigure(JudgedFigure.AllocatedBytes, 0.5, 24, 24, 24, 24, Verdict.Slower, new RatioInterval(24, 24, 0.995)),
                    ],
                },
                new ComparedCase("Benchmark 1", "Sockets", 12, 12, 100_000, 100_500, 1.005, 0.99, 1.02, Verdict.Same)
                {
                    DecidedBy = new RatioInterval(0.98, 1.031, 0.995),
                },
                new ComparedCase("Benchmark 1", "Epoll", 12, 12, 100_000, 50_000, 0.5, 0.4, 0.625, Verdict.Undecided)
                {
                    DecidedBy = new RatioInterval(0.24, 1.042, 0.995),
                },
                SampleResults.Comparison.Cases[0],
            ],
        },
    };

    public static TheoryData<string> Samples => [.. s_samples.Keys];

    [Theory]
    [InlineData("run", 80), InlineData("invalid-run", 80), InlineData("open-loop", 80), InlineData("steps", 80)]
    [InlineData("stream", 80), InlineData("suite", 80), InlineData("launches", 80), InlineData("turns", 80)]
    [InlineData("to-baseline", 80), InlineData("first-look", 80), InlineData("decided", 80), InlineData("decided", 120), InlineData("framed", 80)]
    [InlineData("loss", 120), InlineData("sweep", 80), InlineData("sweeps", 80), InlineData("max-clients", 80), InlineData("comparison", 80)]
    [InlineData("builds", 80), InlineData("builds", 120)]
    public void A_drawing_is_the_golden_file_in_every_culture(string sample, int width)
    {
        string[] drawn = [s_samples[sample].Drawn(width, "en-US"), s_samples[sample].Drawn(width, "de-DE")];
        Assert.All(drawn, text => Golden.Verify(text, $"Reports/{sample}-{width}.terminal.golden"));
    }

    [Theory, MemberData(nameof(Samples))]
    public void A_drawing_has_no_marks_of_Markdown(string sample)
    {
        string[] lines = s_samples[sample].Drawn().Split('\n');
        Assert.All(lines, line =>
        {
            line.AssertHasNo("**");
            Assert.DoesNotContain('`', line);
            Assert.DoesNotContain('|', line);
            Assert.False(line is ['#' or '*', ..], line);
        });
    }

    [Theory, MemberData(nameof(Samples))]
    public void No_line_is_wider_than_the_terminal(string sample)
    {
        foreach (int width in (int[])[20, 40, 60, 80, 100, 120, 200])
        {
            Assert.All(s_samples[sample].Drawn(width).Split('\n'), line => Assert.True(line.Length <= width, $"{width}: {line}"));
        }
    }

    [Fact]
    public void A_table_with_more_columns_than_fit_is_drawn_in_parts_each_with_the_names_of_its_rows()
    {
        Column<string>[] columns =
            [new("Library", name => name) { IsText = true }, .. Enumerable.Range(1, 12).Select(place => new Column<string>($"figure {place}", name => place))];
        string[] lines = (new Document("Title", "1.2.3", [Table.Create("Caption", columns, ["ENet", "LiteNetLib"])])).Drawn().Split('\n');
        string[] heads = [.. lines.Where(line => line.StartsWith("Library ", StringComparison.Ordinal))];
        Assert.Equal(2, heads.Length);
        Assert.Equal(
            Enumerable.Range(1, 12).Select(number => $"figure {number}"),
            heads.SelectMany(head => Regex.Matches(head, "figure [0-9]+").Select(found => found.Value)));
        Assert.Equal(2, lines.Count(line => line.StartsWith("LiteNetLib ", StringComparison.Ordinal)));
        Assert.DoesNotContain(lines, line => line.Trim().Length == 1);
    }

    [Fact]
    public void Long_titles_are_wrapped_and_figures_are_not()
    {
        ComparedCase compared = SampleResults.Comparison.Cases[1];
        compared = compared with { Benchmark = "Multicast SSL, 100 clients, of one machine", Library = "NetCoreServer (tuned)" };
        (SampleResults.Comparison with { Cases = [compared] }).Drawn()
            .AssertHas("Multicast", "machine", "NetCoreServer (tuned)", " -1 % ", "undecided");
    }

    [Fact]
    public void A_ranking_through_an_impairment_has_the_latencies_and_the_losses()
    {
        DeliverySummary delivery = SampleSuites.Loss.Benchmarks[1].Cases[0].Summary!.Delivery!;
        BenchmarkResult ranked = SampleSuites.Decided.Benchmarks[0].WithCases(
            measured => measured.Summary is { } summary ? measured with { Summary = summary with { Delivery = delivery } } : measured);
        SampleSuites.Decided.WithBenchmarks(ranked).Drawn().AssertHas(" p50 ", " p99 ", " lost", "20.5 ms", "1.94 %");
    }

    [Fact]
    public void A_ranking_through_an_impairment_has_one_p99_on_a_terminal()
    {
        DeliverySummary delivery = SampleSuites.Loss.Benchmarks[1].Cases[0].Summary!.Delivery!;
        SuiteResult suite = SampleSuites.Decided.WithBenchmarks(
            SampleSuites.Decided.Benchmarks[2].WithCases(measured => measured with { Summary = measured.Summary! with { Delivery = delivery } }));
        string drawn = suite.Drawn(200);
        Assert.Single(Regex.Matches(drawn, "p99(?![.])"));
        drawn.AssertHas("p99 of all sets");
        suite.Markdown().AssertHas("1: p99 × best");
    }

    [Fact]
    public void A_ranking_of_one_load_has_the_absolute_costs_in_the_last_24_lines()
    {
        string[] lines = SampleSuites.Decided.WithBenchmarks(SampleSuites.Decided.Benchmarks[0]).Drawn().TrimEnd('\n').Split('\n');
        lines.TakeLast(24).Single(line => line.StartsWith("LiteNetLib ", StringComparison.Ordinal)).AssertHas("14.0 µs");
    }

    [Fact]
    public void A_ranking_ends_with_its_table_and_sentences_within_24_lines()
    {
        string[] lines = SampleSuites.Decided.Drawn().TrimEnd('\n').Split('\n');
        Assert.All(
            (string[])["2026-11-21; ", "Library  ", "NetCoreServer  ", "• Benchmark 1", "• Benchmark 3"],
            begin => Assert.Contains(lines[^24..], line => line.StartsWith(begin, StringComparison.Ordinal)));
        Assert.DoesNotContain(lines[^24..], line => line.Contains("Undecided:", StringComparison.Ordinal));
        Assert.Equal(4, string.Concat(lines[^24..]).Count(letter => letter == '*'));
    }

    [Fact]
    public void A_ranking_of_one_load_has_bars()
    {
        string[] lines = SampleSuites.Decided.WithBenchmarks(SampleSuites.Decided.Benchmarks[0]).Drawn().Split('\n');
        int LengthOf(string library) => lines.First(line => line.StartsWith($"{library} ", StringComparison.Ordinal)).Count(letter => letter == '█');
        Assert.InRange(LengthOf("NetCoreServer"), 1.5 * LengthOf("ENet"), 2.4 * LengthOf("ENet"));
    }

    [Theory, InlineData(true), InlineData(false)]
    public void Colours_are_there_if_the_terminal_has_them(bool hasColours)
    {
        string drawn = SampleSuites.Turns.Drawn(colours: hasColours ? ColorSystemSupport.Standard : ColorSystemSupport.NoColors);
        Assert.Equal(hasColours, drawn.Contains("\u001b[", StringComparison.Ordinal));
    }

    [Fact]
    public void Names_with_brackets_are_drawn_as_they_are()
    {
        string drawn = (SampleResults.Invalid.OfLibrary("[red]").WithFaults("It [is] wrong.") with { LibraryVersion = "[/]" }).Drawn();
        drawn.AssertHas("[red]", "It [is] wrong.", "[/]");
        SampleSuites.SuiteOf(SampleResults.Valid.OfLibrary("[red]")).Drawn().AssertHas("[red]");
    }

    [Fact]
    public void The_bars_of_a_ranking_are_as_long_as_its_ratios()
    {
        string[] lines = SampleSuites.ToBaseline.Drawn().Split('\n');
        int LengthOf(string library) => lines.Single(line => line.Contains($"  {library} ", StringComparison.Ordinal)).Count(letter => letter is '█' or '▒');
        Assert.InRange(LengthOf("Fast") - (2 * LengthOf("Sockets")), -1, 1);
        Assert.Equal(0, LengthOf("Broken"));
    }

    [Theory]
    [InlineData(0, ""), InlineData(1e-9, "▏"), InlineData(0.5, "████"), InlineData(0.5625, "████▌"), InlineData(1, "████████"), InlineData(7, "████████")]
    [InlineData(double.NaN, "")]
    public void A_bar_has_the_length_of_its_share(double share, string bar) => Assert.Equal(bar, Bars.Draw(share, 8));

    [Theory, InlineData(0.5, 0.75, "████▒▒"), InlineData(0.5, 0.5, "████▒"), InlineData(1, 1, "████████")]
    public void The_end_of_a_bar_with_an_interval_is_shaded(double lower, double upper, string bar) => Assert.Equal(bar, Bars.OfParts(lower, upper, 1, 8));

    [Theory]
    [InlineData(0.5, 0.25, 0.75, "  ├─●─┤  "), InlineData(0.75, 0.5, 1.0, "    ├─●─┤"), InlineData(0.75, 0.25, 1.0, "  ├─┼─●─┤")]
    [InlineData(0, null, null, "●   │    ")]
    public void A_ratio_is_a_dot_with_its_interval_around_a_line(double position, double? lower, double? upper, string bar) =>
        Assert.Equal(bar, Bars.OfDot(position, lower, upper, origin: 0.5, 9));

    [Theory]
    [InlineData(null, "-"), InlineData(1.234, "1.23 µs"), InlineData(12.34, "12.3 µs"), InlineData(999.4, "999 µs"), InlineData(12_345.0, "12.3 ms")]
    [InlineData(1_234_567.0, "1.23 s"), InlineData(1_234_567_890.0, "1,235 s")]
    public void A_time_has_the_unit_that_needs_few_digits(double? microseconds, string text) => Assert.Equal(text, Format.Time(microseconds));
}
