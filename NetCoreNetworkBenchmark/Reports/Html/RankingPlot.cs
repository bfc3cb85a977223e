using NetCoreNetworkBenchmark.Reports.Markdown;
using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>The ranking of a benchmark as bars with their intervals.</summary>
internal static class RankingPlot
{
    private const string InvalidMark = " (!)";

    /// <summary>Writes the ratios to the best library; of earlier versions, those to the floor; the rates if there is no floor.</summary>
    public static void Write(BenchmarkResult benchmark, SeriesStyle style, HtmlWriter html)
    {
        if (RankingTable.Fits(benchmark))
        {
            WriteShares(benchmark, style, html);
        }
        else if (benchmark.Floor is { } floor)
        {
            WriteRatios(benchmark, floor, style, html);
        }
        else
        {
            WriteRates(benchmark, style, html);
        }
    }

    private static void WriteShares(BenchmarkResult benchmark, SeriesStyle style, HtmlWriter html)
    {
        CaseResult[] cases = [.. RankingTable.Ordered(benchmark)];
        bool isCost = benchmark.RankedBy == RankedFigure.ServerCpu;
        IEnumerable<double> values = cases.Select(found => ComparisonBar.Of(benchmark, found)).OfType<RatioFigure>().Select(bar => bar.Upper ?? bar.Ratio);
        BarPlot.Write(
            html,
            new PlotFrame($"{benchmark.Title}{SuitePage.Load(benchmark)}", string.Join("; ", cases.Select(found => ShareWords(benchmark, found))))
            {
                HorizontalTitle = isCost ? "server CPU per message, × of the best (lower is better)" : "messages per second, × of the best",
            },
            PlotAxis.Linear(values, PlotLabels.Number),
            [.. cases.Select(found => ShareRow(benchmark, found, style))],
            marked: 0);
    }

    // Baselines are pale.
    private static PlotRow ShareRow(BenchmarkResult benchmark, CaseResult found, SeriesStyle style)
    {
        RatioFigure? bar = ComparisonBar.Of(benchmark, found);
        string value = bar is null ? SuitePage.Rate(found) : Figure(bar.Ratio, "0.00") + MarkOf(found);
        return new PlotRow(found.Library, style.Of(found.Library), value, ShareWords(benchmark, found))
        {
            Bars = bar is null ? [] : [new PlotBar(found is { Valid: true, IsBaseline: true } ? "b2" : BarStyle(found), bar.Ratio)],
            Interval = bar is { Lower: { } lower, Upper: { } upper } ? (lower, upper) : null,
        };
    }

    private static string ShareWords(BenchmarkResult benchmark, CaseResult found)
    {
        if (found.ToBest is not { } ratio)
        {
            return $"{found.Library}: {SuitePage.Rate(found)}";
        }

        string place = found.IsBaseline ? "not ranked" : $"place {RankingTable.PlaceOf(found)}";
        string rate = $"{RankingTable.RatioOf(ratio.Rate)} × the messages ({Figure(RankingTable.RateOf(benchmark, found))} msg/s)";
        string cost = $"{RankingTable.RatioOf(ratio.ServerCpu)} × the server CPU ({Units.Time(RankingTable.CostOf(benchmark, found))} per message)";
        return $"{found.Library}: {place}, {rate}, {cost}{Validity(found)}";
    }

    // Half and double are the same distance from the floor, so the axis is logarithmic, and a bar begins at the floor.
    private static void WriteRatios(BenchmarkResult benchmark, string floor, SeriesStyle style, HtmlWriter html)
    {
        CaseResult[] cases = [.. RankingTable.Ordered(benchmark)];
        var frame = new PlotFrame(benchmark.Title, string.Join("; ", cases.Select(RatioWords)))
        {
            HorizontalTitle = $"messages a second, in relation to {floor}",
        };
        IEnumerable<double> values = cases.Select(found => found.ToFloor?.Rate).OfType<RatioFigure>()
            .SelectMany(rate => (double[])[rate.Ratio, rate.Lower ?? rate.Ratio, rate.Upper ?? rate.Ratio]);
        BarPlot.Write(
            html, frame, PlotAxis.Logarithmic(values.Append(1), PlotLabels.Number), [.. cases.Select(found => RatioRow(found, style))], marked: 1);
    }

    private static PlotRow RatioRow(CaseResult found, SeriesStyle style)
    {
        if (found.ToFloor is not { } ratio)
        {
            return NoFigures(found, style);
        }

        return new PlotRow(found.Library, style.Of(found.Library), Figure(ratio.Rate.Ratio, "0.000") + MarkOf(found), RatioWords(found))
        {
            Bars = [new PlotBar(BarStyle(found), ratio.Rate.Ratio)],
            Interval = ratio.Rate is { Lower: { } lower, Upper: { } upper } ? (lower, upper) : null,
        };
    }

    private static void WriteRates(BenchmarkResult benchmark, SeriesStyle style, HtmlWriter html)
    {
        CaseResult[] cases = [.. benchmark.Cases.OrderByDescending(found => found.Summary?.MessagesPerSecond.Median ?? -1)];
        var frame = new PlotFrame(benchmark.Title, string.Join("; ", cases.Select(RateWords))) { HorizontalTitle = "messages a second" };
        IEnumerable<double> values = cases.Select(found => found.Summary?.MessagesPerSecond).OfType<Spread>()
            .SelectMany(rate => (double[])[rate.Median, rate.Upper ?? rate.Median]);
        BarPlot.Write(html, frame, PlotAxis.Linear(values, PlotLabels.Short), [.. cases.Select(found => RateRow(found, style))], marked: 0);
    }

    private static PlotRow RateRow(CaseResult found, SeriesStyle style)
    {
        if (found.Summary?.MessagesPerSecond is not { } rate)
        {
            return NoFigures(found, style);
        }

        return new PlotRow(found.Library, style.Of(found.Library), Figure(rate.Median) + MarkOf(found), RateWords(found))
        {
            Bars = [new PlotBar(BarStyle(found), rate.Median)],
            Interval = rate is { Lower: { } lower, Upper: { } upper } ? (lower, upper) : null,
        };
    }

    private static PlotRow NoFigures(CaseResult found, SeriesStyle style) => new(
        found.Library, style.Of(found.Library), SuitePage.Rate(found), RateWords(found));

    private static string MarkOf(CaseResult found) => found.Valid ? string.Empty : InvalidMark;

    private static string BarStyle(CaseResult found) => found.Valid ? "b" : "b0";

    private static string RatioWords(CaseResult found) =>
        $"{found.Library}: {RankingTable.IntervalOf(found.ToFloor?.Rate)}, {RateOf(found)}{Validity(found)}";

    private static string RateWords(CaseResult found) => $"{found.Library}: {RateOf(found)}{Validity(found)}";

    private static string RateOf(CaseResult found) => found.Summary?.MessagesPerSecond switch
    {
        null => SuitePage.Rate(found),
        { Lower: { } lower, Upper: { } upper } rate when found.ToFloor is null => $"{Figure(rate.Median)} msg/s ({Interval(lower, upper, "N0")})",
        var rate => $"{Figure(rate.Median)} msg/s",
    };

    private static string Validity(CaseResult found) => found.Valid || found.Summary is null ? string.Empty : ", invalid";
}
