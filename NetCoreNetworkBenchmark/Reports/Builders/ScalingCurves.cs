using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The figures of a matrix of loads over the values of each varied option: a table, and a plot of each figure.</summary>
internal static class ScalingCurves
{
    private static readonly Column<ScalingPoint>[] s_figures =
    [
        new("msg/s", point => point.Case.Summary?.MessagesPerSecond.Median),
        Time("p99", point => point.Case.Summary?.P99Microseconds?.Median),
        Time("server CPU per message", point => point.Case.Summary?.ServerCpuMicroseconds?.Median),
    ];

    public static IEnumerable<Section> Of(SuiteResult suite)
    {
        PlanOption[] varied = [.. PlanOptions.All.Where(option => suite.Varied?.Contains(option.Name) == true)];
        return varied.Select(option => SectionOf(option, [.. PointsOf(suite, option, [.. varied.Where(other => other != option)])]));
    }

    // The variant of a library that is alone is its load.
    private static IEnumerable<ScalingPoint> PointsOf(SuiteResult suite, PlanOption option, PlanOption[] others) =>
        from benchmark in suite.Benchmarks
        from result in benchmark.Cases
        let plan = result.MedianLaunch()?.Plan
        where plan is not null
        let subject = suite.Benchmarks.Count == 1 ? plan.Library : result.Library
        let load = string.Join(", ", others.Select(other => other.WordsOf(plan)))
        select new ScalingPoint(load.Length == 0 ? subject : $"{subject} ({load})", option.ValuesOf([plan]), result);

    private static Section SectionOf(PlanOption option, ScalingPoint[] points)
    {
        string name = option.Name.TrimStart('-');
        string[] values = [.. points.Select(point => point.Value).Distinct()];
        IGrouping<string, ScalingPoint>[] curves = [.. points.GroupBy(point => point.Name)];
        var palette = new Palette(curves.Select(curve => curve.Key));
        Column<ScalingPoint>[] columns =
        [
            new("Library", point => point.Name + CaseBlocks.MarkOf(point.Case)) { IsText = true, IsRowHeader = true },
            new(name, point => point.Value),
            .. s_figures,
        ];
        return new Section($"By {name}",
        [
            Table.Of($"By {name}", columns, curves.SelectMany(curve => curve), point => CaseBlocks.ToneOf(point.Case)),
            .. s_figures.Select(figure => PlotOf(figure, option, values, curves, palette)),
        ])
        { Id = $"by-{name}" };
    }

    // Numbers are at their place on a logarithmic axis, other values side by side.
    private static Plot PlotOf(
        Column<ScalingPoint> figure, PlanOption option, string[] values, IGrouping<string, ScalingPoint>[] curves, Palette palette)
    {
        double[] numbers = [.. values.Select(value => NumberOf(value) ?? 0)];
        bool areNumbers = numbers.All(number => number > 0);
        Func<double, string> label = figure.Text is null ? Short : ShortTime;
        Series[] lines =
        [
            .. from curve in curves
               select new Series(curve.Key, palette.Of(curve.Key),
               [
                   .. from point in curve
                      let value = figure.Value(point) as double?
                      where value is not null
                      let index = Array.IndexOf(values, point.Value)
                      let place = areNumbers ? numbers[index] : index + 1
                      orderby place
                      select new PlotPoint(place, value.Value, $"{curve.Key}, {option.Name} {point.Value}: {label(value.Value)}", !point.Case.Valid),
               ])
               { Line = PlotStyle.Line },
        ];
        Axis axis = areNumbers ? Axis.Logarithmic(numbers, Short) : Axis.Groups(values);
        return Plot.Lines(figure.Title, axis, Axis.Logarithmic, label, [.. lines.Where(line => line.Points.Count > 0)]) with
        {
            XTitle = option.Name.TrimStart('-'),
            YTitle = figure.Title,
        };
    }

    private static double? NumberOf(string text) => double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out double number) ? number : null;

    private static Column<ScalingPoint> Time(string title, Func<ScalingPoint, double?> value) =>
        new(title, point => value(point)) { Text = point => Format.Time(value(point)), IsOptional = true };

    private sealed record ScalingPoint(string Name, string Value, CaseResult Case);
}
