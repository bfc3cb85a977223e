using System.Xml.Linq;
using NetCoreNetworkBenchmark.Reports.Builders;

namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>The page for a browser is HTML that is also XML, so its structure is checked by a parser.</summary>
public sealed class HtmlReportTests
{
    private const string Hostile = "<b>\"A & B\"</b>\u0001 **x** `y`";

    private static readonly string[] s_forbidden =
    [
        "script", "link", "img", "iframe", "object", "embed", "base", "form", "audio", "video", "source", "image", "use",
    ];

    public static TheoryData<string> Samples => [.. ReportTests.AllSamples.Keys];

    [Theory, MemberData(nameof(Samples))]
    public void A_page_is_well_formed_and_requests_nothing(string sample)
    {
        string text = ReportTests.AllSamples[sample].Html();
        var page = XDocument.Parse(text);
        XElement script = Assert.Single(page.Descendants(), element => s_forbidden.Contains(element.Name.LocalName));
        Assert.Equal("script", script.Name.LocalName);
        Assert.Empty(script.Attributes());
        Assert.DoesNotContain("url(", text, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("@import", text, StringComparison.OrdinalIgnoreCase);
        (page.Descendants("style").Single().Value + script.Value).AssertHasNo("://");
        Assert.All(page.Descendants().Attributes(), attribute =>
        {
            Assert.DoesNotContain(attribute.Name.LocalName, (string[])["src", "srcset", "style", "action"]);
            Assert.False(attribute.Name.LocalName.StartsWith("on", StringComparison.Ordinal), attribute.ToString());
            Assert.True(attribute.Name.LocalName != "href" || attribute.Value.StartsWith('#'), attribute.ToString());
        });
    }

    [Theory, MemberData(nameof(Samples))]
    public void A_page_has_every_cell_of_the_markdown(string sample)
    {
        HashSet<string> cells =
        [
            .. XDocument.Parse(ReportTests.AllSamples[sample].Html()).Descendants().Where(element => element.Name.LocalName is "th" or "td")
                .Select(cell => cell.Value.Trim()),
        ];
        Assert.All(
            ReportText.TablesOf(ReportTests.AllSamples[sample].Markdown()).SelectMany(table => table).SelectMany(row => row),
            cell => Assert.Contains(cell, cells));
    }

    [Fact]
    public void The_ranking_of_turns_is_a_picture_that_requests_nothing()
    {
        SuiteResult suite = SampleSuites.Turns.WithBenchmarks([.. SampleSuites.Turns.Benchmarks.Select(CaseRanking.Rank)]);
        var report = new SvgReport();
        Assert.Equal("ranking.svg", report.FileNameOf(suite));
        var picture = XDocument.Parse(report.Render(suite));
        Assert.Equal("svg", picture.Root!.Name.LocalName);
        Assert.Equal(suite.Benchmarks.Count, picture.Root.Elements().Count(element => element.Name.LocalName == "svg"));
        string[] texts = [.. picture.Descendants().Where(element => element.Name.LocalName == "text").Select(text => text.Value)];
        Assert.All(suite.Benchmarks[0].Cases, found => Assert.Contains(found.Library, texts));
        Assert.DoesNotContain(picture.Descendants().Attributes(), attribute => attribute.Name.LocalName is "href" or "src");
        suite.Markdown().AssertHas($"]({report.FileNameOf(suite)})");
        Assert.Null(report.FileNameOf(SampleSuites.Suite));
        SampleSuites.Suite.Markdown().AssertHasNo("ranking.svg");
    }

    [Fact]
    public void The_deliveries_under_loss_are_plots_of_round_trips_and_goodput_with_the_same_columns()
    {
        string[] libraries = ["ENet (unreliable)", "Epoll (TCP)", "Sockets (TCP)"];
        XElement[] plots = [.. PlotsOfLoss(SampleSuites.Loss)];
        Assert.Equal(2, plots.Length);
        XElement plot = plots[0];
        Assert.Equal(
            (string[])[.. libraries, "Toy (reliable)", "round trip, p50 to p99.9 (line: p99) (logarithmic)"],
            plot.Elements("text").Take(5).Select(text => text.Value));

        // Each case has a bar under each loss, and a goodput in the same column.
        XElement[][] both = [.. plots.Select(each => each.Elements("g").Where(group => group.Element("title") is not null).ToArray())];
        XElement[] groups = both[0];
        Assert.All(both, each => Assert.Equal(2 * libraries.Length, each.Length));
        Assert.All(both[0].Zip(both[1]), pair =>
        {
            Assert.Equal(pair.First.Element("title")!.Value, pair.Second.Element("title")!.Value);
            Assert.Equal(pair.First.Element("rect")!.Attribute("x")!.Value, pair.Second.Element("rect")!.Attribute("x")!.Value);
            Assert.Equal(pair.First.Element("rect")!.Attribute("class")!.Value, pair.Second.Element("rect")!.Attribute("class")!.Value);
        });
        Assert.Equal((string[])["u", "b", "b0"], groups.Take(3).Select(group => group.Element("rect")!.Attribute("class")!.Value));
        string[] tips = [.. groups.Select(group => group.Element("title")!.Value)];
        Assert.Contains("1 % loss, 20 ms, Epoll (TCP): p50 20.3 ms, p99 181.0 ms, p99.9 234.6 ms, 26,410 msg/s", tips);
        Assert.Contains("1 % loss, 20 ms, ENet (unreliable): p50 20.3 ms, p99 20.5 ms, p99.9 20.6 ms, 25,882 msg/s", tips);
        string words = plot.Attribute("aria-label")!.Value;
        Assert.All(tips, tip => words.AssertHas(tip[(tip.IndexOf(',', StringComparison.Ordinal) + 2)..]));
        words.AssertHas("Toy (reliable): failed");
    }

    [Fact]
    public void The_plot_of_deliveries_is_the_picture_of_the_page()
    {
        var report = new SvgReport();
        Assert.Equal("networks.svg", report.FileNameOf(SampleSuites.Loss));
        var picture = XDocument.Parse(report.Render(SampleSuites.Loss));
        IEnumerable<string> names = picture.Root!.Elements().Where(element => element.Name.LocalName == "svg").Select(NameOf);
        Assert.Equal(PlotsOfLoss(SampleSuites.Loss).Select(NameOf), names);
        Assert.DoesNotContain(picture.Descendants().Attributes(), attribute => attribute.Name.LocalName is "href" or "src");
        SampleSuites.Loss.Markdown().AssertHas("](networks.svg)");
    }

    [Fact]
    public void The_latencies_of_a_rate_that_rises_are_a_picture_on_which_steps_that_did_not_keep_pace_are_circles()
    {
        var report = new SvgReport();
        Assert.Equal(("steps.svg", null), (report.FileNameOf(SampleResults.Steps), report.FileNameOf(SampleResults.OpenLoop)));
        string picture = report.Render(SampleResults.Steps);
        picture.AssertHas("1,000 msg/s, p50: 60.2 µs", "3,000 msg/s, p99: 250 ms");
        Assert.Equal(4, XDocument.Parse(picture).Descendants().Count(element => element.Attribute("class")?.Value == "h"));
    }

    [Fact]
    public void Deliveries_beside_other_benchmarks_are_no_plot()
    {
        BenchmarkResult[] benchmarks = [.. SampleSuites.Loss.Benchmarks];
        IEnumerable<BenchmarkResult> others = SampleSuites.Suite.Benchmarks.Select(benchmark => benchmark with { Part = benchmarks[0].Part });
        SuiteResult mixed = SampleSuites.Loss.WithBenchmarks([.. benchmarks, .. others]);
        Assert.All([mixed, SampleSuites.Suite], suite => Assert.Null(new SvgReport().FileNameOf(suite)));

        // What was not measured, such as after Ctrl+C, is left out.
        BenchmarkResult missing = benchmarks[1] with { Title = "5 % loss, 20 ms", Cases = [new CaseResult("Toy", [], null, ["It was not run."])] };
        Assert.Equal("networks.svg", new SvgReport().FileNameOf(SampleSuites.Loss.WithBenchmarks([.. benchmarks, missing])));
    }

    [Fact]
    public void The_course_of_a_run_is_drawn_over_one_time_for_both_sides()
    {
        XElement section = SectionOf(XDocument.Parse(SampleResults.Followed.Html()), "Course of the measurement")!;
        string[] panels = [.. section.Descendants("figure").Select(figure => figure.Element("figcaption")!.Value)];
        Assert.Equal(
            [
                "Messages", "99th percentile of the latency", "CPU time", "Pauses by the garbage collector", "Waiting work of the thread pool",
                "Threads of the thread pool",
            ],
            panels);
        Assert.Contains(section.Descendants("title"), tip => tip.Value == "Clients at 0.3 s: 98.77 ms");
        Assert.Contains(section.Descendants("title"), tip => tip.Value == "Server at 0.3 s: 98.25 ms");
        SampleResults.Valid.Html().AssertHasNo("Course of the measurement");
    }

    [Theory, MemberData(nameof(Samples))]
    public void A_page_has_what_a_browser_and_a_screen_reader_need(string sample)
    {
        XElement root = XDocument.Parse(ReportTests.AllSamples[sample].Html()).Root!;
        Assert.Equal(("html", "en"), (root.Name.LocalName, root.Attribute("lang")!.Value));
        Assert.Equal("utf-8", root.Element("head")!.Elements("meta").First().Attribute("charset")!.Value);
        XElement policy = Assert.Single(root.Descendants("meta"), meta => meta.Attribute("http-equiv")?.Value == "Content-Security-Policy");
        policy.Attribute("content")!.Value.AssertBegins("default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'");
        Assert.Single(root.Descendants("h1"));
        Assert.Single(root.Descendants("main"));
        Assert.All(root.Descendants("figure").Elements("svg"), plot =>
        {
            Assert.Equal("img", plot.Attribute("role")!.Value);
            Assert.Matches(@"\d", plot.Attribute("aria-label")!.Value);
        });
        Assert.All(root.Descendants("svg"), plot => Assert.True(plot.Attribute("aria-label") is not null || plot.Attribute("aria-hidden")?.Value == "true"));
        Assert.All(root.Descendants("table"), table =>
        {
            Assert.NotEmpty(table.Element("caption")!.Value);
            Assert.All(table.Element("thead")!.Descendants("th"), head => Assert.Equal("col", head.Attribute("scope")!.Value));
            Assert.All(table.Element("tbody")!.Elements("tr"), row => Assert.Equal("row", Assert.Single(row.Elements("th")).Attribute("scope")!.Value));
            Assert.Equal("scroll", table.Parent!.Attribute("class")!.Value);
        });
        string[] names = [.. root.Descendants().Attributes("id").Select(name => name.Value)];
        Assert.Equal(names.Distinct(), names);
        Assert.All(root.Descendants("a"), link => Assert.Contains(link.Attribute("href")!.Value[1..], names));
    }

    [Fact]
    public void Everything_of_a_result_is_text_and_no_element()
    {
        RunResult run = SampleResults.Valid.WithPlan(plan => plan with
        {
            Library = Hostile,
            Test = Hostile,
            Settings = new Dictionary<string, string> { [Hostile] = Hostile },
        }).WithErrors((Hostile, 1)).WithClients(clients => clients with
        {
            Remarks = [Hostile],
            Figures = [new WorkloadFigure(Hostile, 1, Hostile, FigureMerge.Sum)],
            Parts = [new NamedLatency(Hostile, clients.Latency)],
        }).WithFaults(Hostile) with
        {
            LibraryVersion = Hostile,
            Command = Hostile,
            Environment = SampleResults.Valid.Environment with { Os = Hostile, Cpu = Hostile },
        };
        SuiteResult suite = SampleSuites.SuiteOf(run) with { Missing = [new MissingLibrary(Hostile, Hostile)], Command = Hostile };
        suite = suite with { Benchmarks = [suite.Benchmarks[0] with { Title = Hostile, Part = Hostile }] };
        ComparisonResult comparison = SampleResults.Comparison with
        {
            Old = Hostile,
            Cases = [SampleResults.Comparison.Cases[0] with { Benchmark = Hostile, Library = Hostile }],
            NotCompared = [Hostile],
        };
        Assert.All((Result[])[run, suite, comparison, SampleSearches.Sweep with { Plan = run.Plan, Conclusion = Hostile }], result =>
        {
            string text = result.Html();
            var page = XDocument.Parse(text);
            text.AssertHasNo("<b>");
            Assert.Empty(page.Descendants("b"));
            page.Root!.Value.AssertHas("<b>\"A & B\"</b>\uFFFD");
        });
    }

    [Fact]
    public void A_pair_of_surrogates_is_kept_and_half_of_one_is_replaced() =>
        (SampleResults.Valid with { Command = "\U0001F980 \uD83E!" }).Html().AssertHas("\U0001F980 \uFFFD!");

    [Fact]
    public void The_page_of_a_run_has_the_figures_of_its_result()
    {
        RunResult run = SampleResults.Valid;
        LatencySummary latency = run.LatencyMicroseconds!;
        string page = XDocument.Parse(run.Html()).Root!.Element("body")!.Value;
        page.AssertHas(
            Whole(run.MessagesPerSecond), Format.Time(latency.Mean), Format.Time(latency.Min), Format.Time(latency.P50), Format.Time(latency.P90),
            Format.Time(latency.P99), Format.Time(latency.P999), Format.Time(latency.Max), Whole(run.Messages.ClientReceived),
            Exact(run.Costs.Server!.CpuMicrosecondsPerMessage!.Value), Exact(run.Costs.Clients!.CpuMicrosecondsPerMessage!.Value), run.Environment.Cpu,
            run.Environment.Os, run.Command, run.Fitness.Warnings[0]);
    }

    [Fact]
    public void The_page_of_a_suite_has_the_figures_of_each_launch_and_case()
    {
        SuiteResult suite = SampleSuites.Turns;
        var page = XDocument.Parse(suite.Html());
        Assert.All(suite.Benchmarks.SelectMany(benchmark => benchmark.Cases).Where(found => found.ToBaseline is not null), found =>
        {
            XElement plot = page.Descendants("svg").First(plot => plot.Attribute("role") is not null);
            string ratio = found.ToBest!.Rate.Ratio.ToString("0.00", CultureInfo.InvariantCulture);
            plot.Attribute("aria-label")!.Value.AssertHas($"{found.Library}: place {found.ToBaseline!.Rank}, {ratio}");
            Assert.All(found.Launches, launch => Assert.Contains(
                string.Create(CultureInfo.InvariantCulture, $"{found.Library}, set {launch.Number}: {launch.MessagesPerSecond:N0} msg/s"),
                page.Descendants("title").Select(title => title.Value)));
        });
        page.Root!.Value.AssertHas("Broken");
        page.Root.Value.AssertHas("It hung past its deadline of 46 s and was ended.");
    }

    [Fact]
    public void The_page_of_a_ranking_begins_with_its_outcome_and_not_with_the_machine()
    {
        SuiteResult suite = SampleSuites.Decided;
        string page = suite.Html();
        int Place(string text) => page.IndexOf(text, StringComparison.Ordinal);
        int bars = Place("<figure");
        Assert.All(
            (string[])["1,000 clients with one message each over UDP", "cost the server least, with differences within the noise", "<table"],
            text => Assert.InRange(Place(text), 0, bars));
        Assert.All((string[])["cases are valid", "<nav", suite.Environment.Kernel, "kcp2k 1.41.8"], text => Assert.InRange(Place(text), bars, page.Length));
        page.AssertHas("<details>\n<summary>Contents</summary>\n<nav");
    }

    [Fact]
    public void Slower_cases_are_first_in_the_page_of_a_comparison()
    {
        ComparedCase one = SampleResults.Comparison.Cases[0];
        ComparisonResult comparison = SampleResults.Comparison with
        {
            Cases =
            [
                one with { Library = "Faster", Ratio = 1.5, Verdict = Verdict.Faster },
                one with { Library = "Uncertain", Ratio = 0.5, Lower = null, Upper = null, Verdict = Verdict.Undecided },
                one with { Library = "Slower", Ratio = 0.8 }, one with { Library = "Slowest", Ratio = 0.6 },
            ],
        };
        var page = XDocument.Parse(comparison.Html());
        string[] expected = ["Slowest", "Slower", "Uncertain", "Faster"];
        Assert.Equal(expected, page.Descendants("tbody").Single().Elements("tr").Select(row => row.Element("th")!.Value));
        Assert.Equal(
            expected.Select(library => $"Benchmark 1: {library}"),
            from row in page.Descendants("g")
            where row.Attribute("class")?.Value.StartsWith("v-", StringComparison.Ordinal) ?? false
            select row.Elements("text").First().Value);
        page.Root!.Value.AssertHas("Of 4 cases, 2 are slower, 1 is the same or faster, 1 is undecided.");
    }

    [Fact]
    public void Both_sides_of_a_case_are_curves_in_one_plot_and_slower_cases_are_first()
    {
        ComparedCase measured = SampleResults.Comparison.Cases[0];
        ComparisonResult comparison = SampleResults.Comparison with
        {
            Cases =
            [
                measured with { Library = "Faster", Ratio = 1.5, Verdict = Verdict.Faster },
                measured with { Library = "OldAlone", Ratio = 0.9, Verdict = Verdict.Same, NewLatency = null },
                measured with { Library = "Unmeasured", Ratio = 0.8, OldLatency = null, NewLatency = null }, measured with { Library = "Slower" },
            ],
        };
        XElement[] figures = [.. SectionOf(XDocument.Parse(comparison.Html()), "Latencies")!.Descendants("figure")];
        Assert.Equal(
            [
                "Benchmark 1: Slower rate 0.762 (0.731 – 0.794 at 95 %), slower.", "Benchmark 1: OldAlone rate 0.900 (0.731 – 0.794 at 95 %), same.",
                "Benchmark 1: Faster rate 1.500 (0.731 – 0.794 at 95 %), faster.",
            ],
            figures.Select(figure => figure.Element("figcaption")!.Value));
        Assert.Equal(
            "Benchmark 1: Slower. old: p50 36.0 ms, p99 55.0 ms, max 1.23 s; new: p50 36.0 ms, p99 66.0 ms, max 99.0 ms",
            figures[0].Element("svg")!.Attribute("aria-label")!.Value);
        Assert.Equal(["s0", "s1"], figures[0].Descendants("g").Select(group => group.Attribute("class")?.Value).Where(style => style?[0] == 's'));
        Assert.Equal(["old", "new"], figures[0].Element("svg")!.Elements("text").Take(2).Select(text => text.Value));
    }

    [Fact]
    public void A_comparison_without_latencies_has_a_page_without_curves()
    {
        ComparisonResult comparison = SampleResults.Comparison with { Cases = [SampleResults.Comparison.Cases[1]] };
        Assert.Null(SectionOf(XDocument.Parse(comparison.Html()), "Latencies"));
    }

    [Fact]
    public void A_curve_goes_through_the_percentiles_of_its_histogram()
    {
        SuiteResult suite = HtmlPageSizeTests.Large();
        XElement plot = XDocument.Parse(suite.Html()).Descendants("svg").First(
            plot => plot.Attribute("aria-label")?.Value.StartsWith("Latency over percentiles", StringComparison.Ordinal) ?? false);
        Assert.All(plot.Elements("g").Where(group => group.Element("path") is not null), curve =>
        {
            (double X, double Y)[] line = [.. PointsOf(curve.Elements("path").First().Attribute("d")!.Value)];
            Assert.InRange(line.Length, 10, 120);
            Assert.Equal(line.OrderBy(point => point.X), line);
            Assert.Equal(line.OrderByDescending(point => point.Y).Select(point => point.Y), line.Select(point => point.Y));
            Assert.All(curve.Elements("path").Skip(1), mark =>
            {
                (double x, double y) = Assert.Single(PointsOf(mark.Attribute("d")!.Value));
                Assert.InRange(Math.Abs(y - HeightAt(line, x)), 0, 2);
            });
        });
    }

    [Fact]
    public void Without_histograms_the_curves_have_the_quoted_percentiles()
    {
        XElement plot = XDocument.Parse(SampleResults.Valid.WithoutHistogram().Html()).Descendants("svg").First();
        plot.Attribute("aria-label")!.Value.AssertBegins("Latency over percentiles. latency: p50 36.0 ms, p99 55.0 ms");
        Assert.Equal(7, plot.Descendants("title").Count());
    }

    [Fact]
    public void A_damaged_histogram_is_reported() => Assert.Throws<FormatException>(() => SampleResults.Valid.WithHistogram("HISTFAAAAA==").Html());

    private static XElement? SectionOf(XDocument page, string title) =>
        page.Descendants("section").SingleOrDefault(section => section.Elements().First().Value == title);

    private static IEnumerable<XElement> PlotsOfLoss(SuiteResult suite) => XDocument.Parse(suite.Html()).Descendants("svg").Where(
        plot => NameOf(plot).Contains(". 0 % loss, 20 ms, ENet (unreliable): ", StringComparison.Ordinal));

    private static string NameOf(XElement plot) => plot.Attribute("aria-label")!.Value;

    private static double HeightAt((double X, double Y)[] line, double x)
    {
        int next = Math.Clamp(Array.FindIndex(line, point => point.X >= x), 1, line.Length - 1);
        ((double fromX, double fromY), (double toX, double toY)) = (line[next - 1], line[next]);
        return toX == fromX ? toY : fromY + ((toY - fromY) * (x - fromX) / (toX - fromX));
    }

    private static IEnumerable<(double X, double Y)> PointsOf(string path) =>
        from Match point in Regex.Matches(path, @"[ML]([\d.]+) ([\d.]+)")
        select (double.Parse(point.Groups[1].Value, CultureInfo.InvariantCulture), double.Parse(point.Groups[2].Value, CultureInfo.InvariantCulture));

    private static string Whole(double value) => value.ToString("N0", CultureInfo.InvariantCulture);

    private static string Exact(double value) => value.ToString("N3", CultureInfo.InvariantCulture);
}
