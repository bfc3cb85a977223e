using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>The page for a browser is HTML that is also XML, so its structure is checked by a parser.</summary>
public sealed class HtmlReportTests
{
    private const int MostBytes = 600_000;
    private const string Hostile = "<b>\"A & B\"</b>\u0001 **x** `y`";

    private static readonly string[] s_forbidden =
    [
        "script", "link", "img", "iframe", "object", "embed", "base", "form", "audio", "video", "source", "image", "use",
    ];

    private static readonly string[] s_libraries =
    [
        "NetCoreServer0", "NetCoreServer0 (tuned)", "NetCoreServer1", "NetCoreServer1 (tuned)", "NetCoreServer2", "NetCoreServer2 (tuned)", "Sockets",
    ];

    public static TheoryData<string> Samples => [.. ReportTests.AllSamples.Keys];

    [Theory]
    [MemberData(nameof(Samples))]
    public void A_page_is_well_formed_and_requests_nothing(string sample)
    {
        string text = PageOf(ReportTests.AllSamples[sample]);
        var page = XDocument.Parse(text);
        XElement script = Assert.Single(page.Descendants(), element => s_forbidden.Contains(element.Name.LocalName));
        Assert.Equal("script", script.Name.LocalName);
        Assert.Empty(script.Attributes());
        Assert.DoesNotContain("url(", text, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("@import", text, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("://", page.Descendants("style").Single().Value + script.Value, StringComparison.Ordinal);
        Assert.All(page.Descendants().Attributes(), attribute =>
        {
            Assert.DoesNotContain(attribute.Name.LocalName, (string[])["src", "srcset", "style", "action"]);
            Assert.False(attribute.Name.LocalName.StartsWith("on", StringComparison.Ordinal), attribute.ToString());
            Assert.True(attribute.Name.LocalName != "href" || attribute.Value.StartsWith('#'), attribute.ToString());
        });
    }

    [Fact]
    public void The_course_of_a_run_is_drawn_over_one_time_for_both_sides()
    {
        var page = XDocument.Parse(PageOf(SampleResults.OpenLoop));
        XElement section = page.Descendants("section").Single(found => found.Element("h2")?.Value == "Course of the measurement");
        string[] panels = [.. section.Descendants("figure").Select(figure => figure.Element("figcaption")!.Value)];
        Assert.Equal(
            [
                "Messages", "99th percentile of the latency", "CPU time", "Pauses by the garbage collector", "Waiting work of the thread pool",
                "Threads of the thread pool",
            ],
            panels);
        Assert.Contains(section.Descendants("title"), tip => tip.Value == "Clients at 0.3 s: 98.77 ms");
        Assert.Contains(section.Descendants("title"), tip => tip.Value == "Server at 0.3 s: 98.25 ms");
        Assert.DoesNotContain("Course of the measurement", PageOf(SampleResults.Valid), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Samples))]
    public void A_page_has_what_a_browser_and_a_screen_reader_need(string sample)
    {
        var page = XDocument.Parse(PageOf(ReportTests.AllSamples[sample]));
        XElement root = page.Root!;
        Assert.Equal(("html", "en"), (root.Name.LocalName, root.Attribute("lang")!.Value));
        Assert.Equal("utf-8", root.Element("head")!.Elements("meta").First().Attribute("charset")!.Value);
        XElement policy = Assert.Single(root.Descendants("meta"), meta => meta.Attribute("http-equiv")?.Value == "Content-Security-Policy");
        Assert.StartsWith(
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'", policy.Attribute("content")!.Value, StringComparison.Ordinal);
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
        RunResult run = SampleResults.Valid with
        {
            Library = Hostile,
            LibraryVersion = Hostile,
            Test = Hostile,
            Valid = false,
            InvalidReasons = [Hostile],
            Remarks = [Hostile],
            Command = Hostile,
            Settings = new Dictionary<string, string> { [Hostile] = Hostile },
            ErrorsByName = new SortedDictionary<string, long> { [Hostile] = 1 },
            Environment = SampleResults.Valid.Environment with { Os = Hostile, Cpu = Hostile },
            Figures = [new WorkloadFigure(Hostile, 1, Hostile, FigureMerge.Sum)],
            Parts = [new LatencyPart(Hostile, SampleResults.Valid.LatencyMicroseconds, SampleResults.Valid.Histogram)],
        };
        SuiteResult suite = SampleResults.SuiteOf(run) with { Missing = [new MissingLibrary(Hostile, Hostile)], Command = Hostile };
        suite = suite with { Benchmarks = [suite.Benchmarks[0] with { Title = Hostile, Part = Hostile }] };
        ComparisonResult comparison = SampleResults.Comparison with
        {
            Old = Hostile,
            Cases = [SampleResults.Comparison.Cases[0] with { Benchmark = Hostile, Library = Hostile }],
            NotCompared = [Hostile],
        };
        Assert.All((Result[])[run, suite, comparison, SampleResults.Sweep with { Library = Hostile, Conclusion = Hostile }], result =>
        {
            string text = PageOf(result);
            var page = XDocument.Parse(text);
            Assert.DoesNotContain("<b>", text, StringComparison.Ordinal);
            Assert.Empty(page.Descendants("b"));
            Assert.Contains("<b>\"A & B\"</b>\uFFFD", page.Root!.Value, StringComparison.Ordinal);
        });
    }

    [Fact]
    public void A_pair_of_surrogates_is_kept_and_half_of_one_is_replaced()
    {
        string page = PageOf(SampleResults.Valid with { Command = "\U0001F980 \uD83E!" });
        Assert.Contains("\U0001F980 \uFFFD!", page, StringComparison.Ordinal);
    }

    [Fact]
    public void The_page_of_a_run_has_the_figures_of_its_result()
    {
        RunResult run = SampleResults.Valid;
        LatencySummary latency = run.LatencyMicroseconds!;
        string page = XDocument.Parse(PageOf(run)).Root!.Element("body")!.Value;
        Assert.All(
            (string[])
            [
                Whole(run.MessagesPerSecond), Exact(latency.Mean), Exact(latency.Min!.Value), Exact(latency.P50), Exact(latency.P90), Exact(latency.P99),
                Exact(latency.P999), Exact(latency.Max), Whole(run.Messages.ClientReceived), Exact(run.Costs.Server!.CpuMicrosecondsPerMessage),
                Exact(run.Costs.Clients!.CpuMicrosecondsPerMessage), run.Environment.Cpu, run.Environment.Os, run.Command, run.Fitness.Warnings[0],
            ],
            figure => Assert.Contains(figure, page, StringComparison.Ordinal));
    }

    [Fact]
    public void The_page_of_a_suite_has_the_figures_of_each_launch_and_case()
    {
        SuiteResult suite = SampleResults.Turns;
        var page = XDocument.Parse(PageOf(suite));
        Assert.All(suite.Benchmarks.SelectMany(benchmark => benchmark.Cases).Where(found => found.ToFloor is not null), found =>
        {
            XElement plot = page.Descendants("svg").First(plot => plot.Attribute("role") is not null);
            string ratio = found.ToFloor!.Rate.Ratio.ToString("0.000", CultureInfo.InvariantCulture);
            Assert.Contains($"{found.Library}: {ratio}", plot.Attribute("aria-label")!.Value, StringComparison.Ordinal);
            Assert.All(found.Launches, launch => Assert.Contains(
                string.Create(CultureInfo.InvariantCulture, $"{found.Library}, set {launch.Number}: {launch.MessagesPerSecond:N0} msg/s"),
                page.Descendants("title").Select(title => title.Value)));
        });
        Assert.Contains("Broken", page.Root!.Value, StringComparison.Ordinal);
        Assert.Contains("It hung past its deadline of 46 s and was ended.", page.Root.Value, StringComparison.Ordinal);
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
                one with { Library = "Uncertain", Ratio = 0.5, Lower = null, Upper = null, Verdict = Verdict.Inconclusive },
                one with { Library = "Slower", Ratio = 0.8 },
                one with { Library = "Slowest", Ratio = 0.6 },
            ],
        };
        var page = XDocument.Parse(PageOf(comparison));
        string[] expected = ["Slowest", "Slower", "Uncertain", "Faster"];
        Assert.Equal(expected, page.Descendants("tbody").Single().Elements("tr").Select(row => row.Element("th")!.Value));
        Assert.Equal(
            expected.Select(library => $"Benchmark 1: {library}"),
            from row in page.Descendants("g")
            where row.Attribute("class")?.Value.StartsWith("v-", StringComparison.Ordinal) ?? false
            select row.Elements("text").First().Value);
        Assert.Contains("2 of 4 cases are slower.", page.Root!.Value, StringComparison.Ordinal);
    }

    [Fact]
    public void The_page_of_a_large_suite_is_small()
    {
        int size = Encoding.UTF8.GetByteCount(PageOf(Large()));
        TestContext.Current.SendDiagnosticMessage(string.Create(CultureInfo.InvariantCulture, $"The page has {size:N0} bytes."));
        Assert.InRange(size, 100_000, MostBytes);
    }

    [Fact]
    public void The_page_of_a_brief_result_is_that_of_the_whole()
    {
        SuiteResult suite = SampleResults.Suite;
        Assert.Equal(PageOf(suite), PageOf(suite.Brief()));
    }

    [Fact]
    public void A_curve_goes_through_the_percentiles_of_its_histogram()
    {
        SuiteResult suite = Large();
        XElement plot = XDocument.Parse(PageOf(suite)).Descendants("svg").First(
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
        XElement plot = XDocument.Parse(PageOf(SampleResults.Valid with { Histogram = null })).Descendants("svg").First();
        Assert.StartsWith("Latency over percentiles. latency: p50 36,001 µs, p99 55,001 µs", plot.Attribute("aria-label")!.Value, StringComparison.Ordinal);
        Assert.Equal(6, plot.Descendants("title").Count());
    }

    [Fact]
    public void A_damaged_histogram_is_reported() => Assert.Throws<FormatException>(() => PageOf(SampleResults.Valid with { Histogram = "HISTFAAAAA==" }));

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

    private static string PageOf(Result result)
    {
        using var writer = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        new HtmlReport().Write(result, writer);
        return writer.ToString();
    }

    // Twelve benchmarks of seven libraries in five sets, with 20,000 different latencies in each launch.
    private static SuiteResult Large()
    {
        var random = new Random(1);
        return SampleResults.Suite with
        {
            LaunchCount = 5,
            Interleaving = new InterleavingMethod(5, null, 0.5, 1),
            Benchmarks = FloorRatios.Rank(
            [
                .. Enumerable.Range(1, 12).Select(number => new BenchmarkResult(
                    $"RoundTrip TCP, {number * 100} clients",
                    [.. s_libraries.Select(library => CaseOf(random, library))])
                {
                    Floor = "Sockets",
                    Part = number > 2 ? "Round trip" : null,
                }),
            ]),
        };
    }

    private static CaseResult CaseOf(Random random, string name) => CaseSummarizer.Summarize(
        name,
        [
            .. Enumerable.Range(1, 5).Select(launch => new LaunchResult(launch, LaunchOf(random, name), null)
            {
                Floor = new FloorFigures(1_000_000 * (1 + random.NextDouble()), 5),
            }),
        ],
        tookTurns: true);

    private static RunResult LaunchOf(Random random, string name)
    {
        var histogram = new LatencyHistogram();
        for (int value = 0; value < 20_000; value++)
        {
            histogram.Record((long)(10_000_000 * Math.Exp(2 * random.NextDouble() * random.NextDouble())) + value);
        }

        return SampleResults.Valid with
        {
            Library = name,
            MessagesPerSecond = 1_000_000 * (1 + random.NextDouble()),
            LatencyMicroseconds = new LatencySummary(
                histogram.Mean / 1000, Percentile(histogram, 50), Percentile(histogram, 90), Percentile(histogram, 95), Percentile(histogram, 99),
                Percentile(histogram, 99.9), Percentile(histogram, 99.99), histogram.Max / 1000.0)
            {
                Min = histogram.Min / 1000.0,
            },
            Histogram = HistogramCodec.Encode(histogram),
        };
    }

    private static double Percentile(LatencyHistogram histogram, double percentile) => histogram.ValueAtPercentile(percentile) / 1000.0;
}
