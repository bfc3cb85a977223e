using NetCoreNetworkBenchmark.Reports.Markdown;
using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>
/// The deliveries under each loss in one plot: the round trips from the 50th to the 99.9th percentile, and below them the messages that came back.
/// </summary>
internal static class LossPlot
{
    private const string Unreliable = "u";
    private const string Reliable = "b";
    private const string Invalid = "b0";
    private const double MicrosecondsPerMillisecond = 1000;
    private const double HeightOfRoundTrips = 220;
    private const double HeightOfGoodput = 120;

    // The rest is the space between two losses, and between two bars.
    private const double WidthOfGroup = 0.94;
    private const double WidthOfBar = 0.76;

    // A loss of 5 % each way takes a tenth of the messages that are not sent again.
    private const double LeastSpan = 0.1;

    /// <summary>Writes the plot.</summary>
    /// <param name="benchmarks">The benchmarks, one for each loss (<see cref="LossPicture.Of"/>).</param>
    /// <param name="style">The colours of the libraries.</param>
    /// <param name="html">The page.</param>
    public static void Write(IReadOnlyList<BenchmarkResult> benchmarks, SeriesStyle style, HtmlWriter html)
    {
        string[] names = [.. benchmarks.SelectMany(benchmark => benchmark.Cases).Select(found => found.Library).Distinct()];
        string[] losses = [.. benchmarks.Select(LossPicture.LossOf)];
        Bar[] bars =
        [
            .. from benchmark in benchmarks.Index()
               from found in benchmark.Item.Cases
               where found.Summary?.Delivery is not null
               select new Bar(
                   found, PlacesOf(benchmark.Index, Array.IndexOf(names, found.Library), names.Length), $"{losses[benchmark.Index]} loss, {WordsOf(found)}"),
        ];
        var frame = new PlotFrame(LossPicture.TitleOf(benchmarks), FiguresOf(benchmarks))
        {
            Note = bars.All(bar => bar.Case.Valid) ? null : "Dashed: invalid.",
            HorizontalTitle = "loss of packets, each way",
        };
        PlotAxis roundTrips = PlotAxis.Logarithmic(
            bars.Select(bar => bar.RoundTrip).SelectMany(latency => (double[])[latency.P50, latency.P999]), PlotLabels.Time);
        PlotAxis goodput = PlotAxis.Around(bars.Select(bar => bar.Rate), LeastSpan, PlotLabels.Number);
        SvgPlot.WritePanels(
            html,
            frame,
            PlotAxis.Groups(losses),
            LegendOf(names, benchmarks, style),
            [
                new PlotPanel("round trip, p50 to p99.9 (line: p99)", HeightOfRoundTrips, roundTrips, plot => Draw(plot, bars, style, bar =>
                {
                    plot.Column(StyleOf(bar.Case), bar.Places, bar.RoundTrip.P50, bar.RoundTrip.P999);
                    plot.Cross(bar.Places, bar.RoundTrip.P99);
                })),
                new PlotPanel("messages that came back in a second (axis not from 0)", HeightOfGoodput, goodput, plot => Draw(plot, bars, style, bar =>
                    plot.Level(StyleOf(bar.Case), bar.Places, bar.Rate))),
            ]);
    }

    private static void Draw(SvgPlot plot, IEnumerable<Bar> bars, SeriesStyle style, Action<Bar> draw)
    {
        foreach (Bar bar in bars)
        {
            using HtmlWriter.Scope group = plot.BeginGroup(style.ColourOf(bar.Case.Library), bar.Words);
            draw(bar);
        }
    }

    // A column for each delivery, with its libraries.
    private static IReadOnlyList<PlotLegend> LegendOf(IEnumerable<string> names, IReadOnlyList<BenchmarkResult> benchmarks, SeriesStyle style)
    {
        CaseResult[] cases = [.. benchmarks.SelectMany(benchmark => benchmark.Cases)];
        return
        [
            .. from name in names
               let parts = name.TrimEnd(')').Split(" (", 2)
               let look = cases.Any(found => found.Library == name && LossPicture.IsUnreliable(found)) ? Unreliable : Reliable
               group ($"{look} {style.ColourOf(name)}", parts[0]) by parts.ElementAtOrDefault(1) into delivery
               select new PlotLegend(delivery.Key ?? string.Empty, [.. delivery]),
        ];
    }

    private static (double From, double To) PlacesOf(int group, int index, int count)
    {
        double width = WidthOfGroup / count;
        double middle = group + 1 - (WidthOfGroup / 2) + ((index + 0.5) * width);
        return (middle - (width * WidthOfBar / 2), middle + (width * WidthOfBar / 2));
    }

    private static string StyleOf(CaseResult found) => !found.Valid ? Invalid : LossPicture.IsUnreliable(found) ? Unreliable : Reliable;

    private static string FiguresOf(IReadOnlyList<BenchmarkResult> benchmarks) => string.Join(
        ". ", benchmarks.Select(benchmark => $"{LossPicture.LossOf(benchmark)} loss: {string.Join("; ", benchmark.Cases.Select(WordsOf))}"));

    private static string WordsOf(CaseResult found)
    {
        if (found.Summary is not { Delivery: { } delivery } summary)
        {
            return $"{found.Library}: {SuitePage.Rate(found)}";
        }

        LatencySummary latency = delivery.Microseconds;
        return $"{found.Library}: p50 {Milliseconds(latency.P50)}, p99 {Milliseconds(latency.P99)}, p99.9 {Milliseconds(latency.P999)}, " +
            $"{Figure(summary.MessagesPerSecond.Median)} msg/s{(found.Valid ? string.Empty : ", invalid")}";
    }

    private static string Milliseconds(double microseconds) => Figure(microseconds / MicrosecondsPerMillisecond, "#,0.0", " ms");

    private sealed record Bar(CaseResult Case, (double From, double To) Places, string Words)
    {
        public LatencySummary RoundTrip => Case.Summary!.Delivery!.Microseconds;

        public double Rate => Case.Summary!.MessagesPerSecond.Median;
    }
}
