using NetCoreNetworkBenchmark.Reports.Markdown;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>A figure of one case over sets of results.</summary>
internal static class TrendPlot
{
    private const double Height = 150;

    /// <summary>Writes a plot; nothing if no set has the figure.</summary>
    public static void Write(HtmlWriter html, TrendResult result, TrendCase found, TrendMeasure measure)
    {
        (TrendPoint Point, TrendFigure Figure)[] known =
        [
            .. from point in found.Points
               let figure = measure.Of(point)
               where figure is not null
               select (point, figure),
        ];
        if (known.Length == 0)
        {
            return;
        }

        TrendChange[] changes = measure.IsJudged ? [.. found.Changes] : [];
        PlotPoint[] points = [.. known.Select(set => PointOf(result, set.Point, set.Figure, changes, measure))];
        var frame = new PlotFrame(measure.Title, string.Join("; ", known.Select(set => WordsOf(set.Point, set.Figure, changes, measure))))
        {
            HorizontalTitle = "set",
            Height = Height,
        };
        IEnumerable<double> values = known.SelectMany(set => (double[])
        [
            set.Figure.Value, set.Figure.Lower ?? set.Figure.Value, set.Figure.Upper ?? set.Figure.Value,
        ]);
        SvgPlot.Write(html, frame, PlotAxis.Numbers(Math.Max(1, result.Sets.Count)), PlotAxis.Logarithmic(values, measure.Tick), plot =>
        {
            foreach (TrendChange change in changes)
            {
                using HtmlWriter.Scope mark = plot.BeginGroup(StyleOf(change.Verdict));
                plot.Mark(change.Set - 0.5, "mark");
            }

            using HtmlWriter.Scope line = plot.BeginGroup("s0");
            plot.Intervals(known.Where(set => set.Figure is { Lower: not null, Upper: not null }).Select(
                set => ((double)set.Point.Set, set.Figure.Lower!.Value, set.Figure.Upper!.Value)));
            LinePlot.Draw(plot, "l thin", points);
        });
    }

    // The other plots beside it have the same sets, so their names are not repeated there.
    private static PlotPoint PointOf(TrendResult result, TrendPoint point, TrendFigure figure, TrendChange[] changes, TrendMeasure measure) => new(
        point.Set,
        figure.Value,
        (measure.IsJudged && NameOf(result, point) is { } name ? $"{name}, " : string.Empty) + WordsOf(point, figure, changes, measure),
        ChangeAt(point, changes) is { IsConfirmed: false });

    private static string WordsOf(TrendPoint point, TrendFigure figure, TrendChange[] changes, TrendMeasure measure)
    {
        string interval = figure is { Lower: { } lower, Upper: { } upper } ? $" ({measure.Text(lower)} – {measure.Text(upper)})" : string.Empty;
        string verdict = ChangeAt(point, changes) is { } change ? $", {TrendPage.VerdictOf(change)}" : string.Empty;
        return FormattableString.Invariant($"set {point.Set}: {measure.Text(figure.Value)}{interval}{verdict}");
    }

    private static string? NameOf(TrendResult result, TrendPoint point) => result.Sets.ElementAtOrDefault(point.Set - 1)?.Name;

    private static TrendChange? ChangeAt(TrendPoint point, TrendChange[] changes) => Array.Find(changes, change => change.Set == point.Set);

    private static string StyleOf(Verdict verdict) => $"v-{verdict.ToString().ToLowerInvariant()}";
}

/// <summary>A figure of the sets of a case.</summary>
/// <param name="Title">The title of the plot.</param>
/// <param name="Of">Returns the figure of a set; null if it was not measured.</param>
/// <param name="Tick">Returns the label of a value on the axis.</param>
/// <param name="Text">Returns a value.</param>
internal sealed record TrendMeasure(string Title, Func<TrendPoint, TrendFigure?> Of, Func<double, string> Tick, Func<double, string> Text)
{
    /// <summary>Whether the changes are those of this figure.</summary>
    public bool IsJudged { get; init; }
}
