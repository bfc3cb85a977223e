using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Tests.Results;

namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>Every figure of a case that a reader can find is the same in all formats.</summary>
public sealed partial class ConsistencyTests
{
    private const string Invalid = " (invalid)";
    private const int Width = 300;

    private static readonly Dictionary<string, Func<CaseFigures, string>> s_columns = new()
    {
        ["msg/s"] = figures => Format.Figure(figures.MessagesPerSecond?.Value),
        ["server CPU per message"] = figures => Format.Time(figures.ServerCpuMicroseconds?.Value),
        ["p50"] = figures => Format.Time(figures.P50Microseconds?.Value),
        ["p99"] = figures => Format.Time(figures.P99Microseconds?.Value),
    };

    private static readonly Dictionary<string, SuiteResult> s_suites = new()
    {
        ["decided"] = SampleSuites.Decided,
        ["matrix"] = WithOtherMedians(SampleSuites.Matrix),
        ["committed"] = CommittedResults.ReadWhole(),
    };

    public static TheoryData<string> Suites => [.. s_suites.Keys];

    [Theory, MemberData(nameof(Suites))]
    public void Figures_of_a_case_are_those_of_the_json_in_every_format(string name)
    {
        SuiteResult suite = s_suites[name];
        Dictionary<(string Benchmark, string Library), CaseFigures> figures = FiguresOf(suite.Json());
        AssertEqual(figures, CellsOf(suite.Markdown().Split('\n').Select(MarkdownRow)));
        AssertEqual(figures, CellsOf(HtmlRow().Matches(suite.Html()).Select(HtmlRow)));
        AssertHeadings(figures, suite.Html());
        string[] drawn = suite.Drawn(Width).Split('\n');
        if (suite.Varied is not null)
        {
            Assert.All(figures, pair => Assert.Contains(drawn, line => line.StartsWith(pair.Key.Library, StringComparison.Ordinal)
                && s_columns.Where(column => column.Key != "p50").All(column => line.Contains(column.Value(pair.Value), StringComparison.Ordinal))));
        }

        string[] rows = new SummaryReport().Render(suite).TrimEnd('\n').Split('\n');
        Assert.Equal(figures.Count, rows.Length - 1);
        Assert.Equal(
            figures.Values.Select(of => (of.Library, of.MessagesPerSecond?.Value, of.ServerCpuMicroseconds?.Value, of.P99Microseconds?.Value)),
            rows.Skip(1).Select(row => CsvCell().Split(row)).Select(cells => (cells[1], Number(cells[10]), Number(cells[13]), Number(cells[17]))));
    }

    [Theory, MemberData(nameof(Suites))]
    public void No_case_without_data_is_named_in_a_sentence(string name)
    {
        SuiteResult suite = s_suites[name];
        BenchmarkResult first = suite.Benchmarks[0];
        string without = first.Cases.First(result => !result.IsBaseline).Library;
        first = first.WithCase(without, result => result with { Summary = null, ToBaseline = null, ToBest = null });
        suite = suite.WithBenchmarks([first, .. suite.Benchmarks.Skip(1)]);
        string[] sentences = [.. RankingSentences.From(suite).Select(sentence => sentence[1].Text.Split(": ")[^1])];
        IReadOnlyList<BenchmarkResult> ranked = RankingTable.BenchmarksOf(suite);
        Assert.NotEmpty(ranked);
        Assert.All(ranked.Zip(sentences), pair => Assert.All(
            pair.First.Cases.Where(result => result.ToBest is null || !Ranking.HasPlace(result)),
            result => Assert.DoesNotMatch($@"(?<![\w-]){Regex.Escape(result.Library)}(?![\w-]| \()", pair.Second)));
    }

    [Fact]
    public void The_costs_of_a_sentence_are_the_ratios_of_the_table_when_another_case_is_first()
    {
        // The ratios of three cases over different rounds may form a circle.
        BenchmarkResult benchmark = SampleSuites.Decided.Benchmarks[0];
        SuiteResult suite = SampleSuites.Decided.WithBenchmarks(benchmark.WithCase("ENet-CSharp", result => result with
        {
            ToBest = result.ToBest! with { ServerCpu = new RatioFigure(0.9, 0.8, 1.05) },
        }));
        Assert.Single(RankingSentences.From(suite))[1].Text.AssertEnds("LiteNetLib 1.4 times as much, NetCoreServer 1.9.");
    }

    private static void AssertEqual(
        Dictionary<(string Benchmark, string Library), CaseFigures> figures, IEnumerable<(string Heading, string Library, string Column, string Text)> cells)
    {
        (string Heading, string Library, string Column, string Text)[] all = [.. cells];
        Assert.NotEmpty(all);
        Assert.All(all, cell =>
        {
            string[] allowed =
            [
                .. from pair in figures
                   let isOfBenchmark = cell.Library == pair.Key.Library && cell.Heading.StartsWith($"{pair.Key.Benchmark}:", StringComparison.Ordinal)
                   let isOfCurve = cell.Heading.StartsWith("By ", StringComparison.Ordinal)
                       && cell.Library.StartsWith(pair.Key.Library, StringComparison.Ordinal)
                   where isOfBenchmark || isOfCurve
                   select s_columns[cell.Column](pair.Value),
            ];
            Assert.True(allowed.Contains(cell.Text), $"{cell}: {string.Join(" or ", allowed)}");
        });
    }

    private static void AssertHeadings(Dictionary<(string Benchmark, string Library), CaseFigures> figures, string html)
    {
        Match[] headings = HtmlHeading().Matches(html).ToArray<Match>();
        Assert.NotEmpty(headings);
        Assert.All(headings, heading => Assert.Contains(
            figures.Where(pair => pair.Key.Library == heading.Groups[1].Value), pair => s_columns["msg/s"](pair.Value) == heading.Groups[2].Value));
    }

    // Under each heading, the tables that have a column with the name of the library.
    private static IEnumerable<(string Heading, string Library, string Column, string Text)> CellsOf(IEnumerable<(string? Heading, string[] Cells)> rows)
    {
        (string heading, string[] titles) = (string.Empty, []);
        foreach ((string? begun, string[] cells) in rows)
        {
            heading = begun ?? heading;
            titles = cells.Contains("Library") ? cells : cells.Length == titles.Length ? titles : [];
            int library = Array.IndexOf(titles, "Library");
            foreach ((int index, string title) in titles.Index().Where(entry => library >= 0 && s_columns.ContainsKey(entry.Item)))
            {
                if (cells[library] != "Library" && !cells[library].StartsWith('-') && cells[index] is not ("failed" or "not run"))
                {
                    yield return (heading, cells[library].Replace(Invalid, string.Empty, StringComparison.Ordinal), title, cells[index]);
                }
            }
        }
    }

    private static (string? Heading, string[] Cells) MarkdownRow(string line) => line.StartsWith('#')
        ? (line.TrimStart('#', ' '), [])
        : (null, line.StartsWith('|') ? ReportText.CellsOf(line) : []);

    private static (string? Heading, string[] Cells) HtmlRow(Match match) => match.Groups["h"].Success
        ? (match.Groups["h"].Value, [])
        : (null, [.. HtmlCell().Matches(match.Groups["r"].Value).Select(cell => cell.Groups[1].Value)]);

    private static Dictionary<(string Benchmark, string Library), CaseFigures> FiguresOf(string json)
    {
        using var document = JsonDocument.Parse(json);
        return
            (from benchmark in document.RootElement.GetProperty("benchmarks").EnumerateArray()
             where benchmark.TryGetProperty("figures", out _)
             from figures in benchmark.GetProperty("figures").EnumerateArray()
             select (Title: benchmark.GetProperty("title").GetString()!, Figures: figures.Deserialize(ResultJson.Readable.CaseFigures)!))
            .ToDictionary(entry => (entry.Title, entry.Figures.Library), entry => entry.Figures);
    }

    // The medians of the sets are not in the proportion of the ratios.
    private static SuiteResult WithOtherMedians(SuiteResult suite) => suite.WithCases(result => result.Library != "LiteNetLib" ? result : result with
    {
        Summary = result.Summary! with
        {
            MessagesPerSecond = result.Summary.MessagesPerSecond with { Median = 1.1 * result.Summary.MessagesPerSecond.Median },
            ServerCpuMicroseconds = result.Summary.ServerCpuMicroseconds! with { Median = 0.9 * result.Summary.ServerCpuMicroseconds.Median },
        },
    });

    private static double? Number(string text) => text.Length == 0 ? null : double.Parse(text, CultureInfo.InvariantCulture);

    [GeneratedRegex("<h[2-6]>(?<h>.*?)</h[2-6]>|<tr>(?<r>.*?)</tr>", RegexOptions.Singleline)]
    private static partial Regex HtmlRow();

    [GeneratedRegex("<t[hd][^>]*>(.*?)</t[hd]>", RegexOptions.Singleline)]
    private static partial Regex HtmlCell();

    [GeneratedRegex(@"<summary>\s*<strong>([^<]*)</strong>: ([0-9,]+) msg/s")]
    private static partial Regex HtmlHeading();

    [GeneratedRegex(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)")]
    private static partial Regex CsvCell();
}
