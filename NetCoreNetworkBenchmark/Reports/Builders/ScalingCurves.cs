using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The figures of a matrix of loads over the values of each varied option: a table, and a plot of each figure.</summary>
internal static class ScalingCurves
{
    private static readonly (string Title, bool IsTime, Func<CaseFigures, CaseFigure?> Of)[] s_figures =
    [
        ("msg/s", false, figures => figures.MessagesPerSecond),
        ("p99", true, figures => figures.P99Microseconds),
        ("server CPU per message", true, figures => figures.ServerCpuMicroseconds),
    ];

    private static readonly (string Title, int Priority, Func<LoadRatio?, RatioFigure?> Of)[] s_ratios =
    [
        ("CPU", 0, ratio => ratio?.ServerCpu),
        ("msg/s", 1, ratio => ratio?.Rate),
        ("p99", 1, ratio => ratio?.P99),
    ];

    public static IEnumerable<Section> Create(SuiteResult suite)
    {
        PlanOption[] varied = [.. PlanOptions.All.Where(option => suite.Varied?.Contains(option.Name) == true)];
        return varied.Select(option => SectionOf(option, [.. PointsOf(suite, option, [.. varied.Where(other => other != option)])]));
    }

    private static IEnumerable<ScalingPoint> PointsOf(SuiteResult suite, PlanOption option, PlanOption[] others) =>
        from row in BenchmarkCase.In(suite)
        let plan = row.Median?.Plan
        where plan is not null
        let load = string.Join(", ", others.Select(other => other.DescribeValue(plan)))
        let name = row.NameIn(suite) + (load.Length == 0 ? string.Empty : $" ({load})")
        select new ScalingPoint(name, option.FormatValues([plan]), row.Benchmark, row.Case);

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
            .. from figure in s_figures
               select new Column<ScalingPoint>(figure.Title, point => figure.Of(point.Figures)?.Value)
               {
                   Text = figure.IsTime ? point => Time(figure.Of(point.Figures)?.Value) : null,
                   IsOptional = figure.IsTime,
                   ShortTitle = figure.Title.Replace("server CPU per message", "CPU/msg", StringComparison.Ordinal),
               },
            .. from ratio in s_ratios
               select new Column<ScalingPoint>(
                   $"{ratio.Title} × {values[0]}", point => ratio.Of(point.ToFirst(option))?.Ratio,
                   Text: point => Ranking.RatioOf(ratio.Of(point.ToFirst(option))), IsOptional: true, Priority: ratio.Priority),
        ];
        return new Section($"By {name}",
        [
            Table.Create($"By {name}", columns, curves.SelectMany(curve => curve), point => CaseBlocks.ToneOf(point.Case)),
            MethodOf([.. points.Select(point => point.ToFirst(option)).OfType<LoadRatio>()]) is { } method ? new Paragraph(method) { Tone = Tone.Soft } : null,
            .. s_figures.Select(figure => PlotOf(figure, option, values, curves, palette)),
        ])
        { Id = $"by-{name}" };
    }

    private static string? MethodOf(LoadRatio[] ratios) => ratios.Length == 0 ? null
        : $"A ratio to {ratios[0].First} is ± half of its 95 % interval: " + (ratios[0].IsInRounds
            ? "both loads were measured in the same rounds."
            : "each load has sets of its own, so the interval is of the differences between the sets of both.");

    // Numbers are at their place on a logarithmic axis, other values side by side.
    private static Plot PlotOf(
        (string Title, bool IsTime, Func<CaseFigures, CaseFigure?> Of) figure, PlanOption option, string[] values,
        IGrouping<string, ScalingPoint>[] curves, Palette palette)
    {
        double[] numbers =
            [.. values.Select(value => double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out double number) ? number : 0)];
        bool areNumbers = numbers.All(number => number > 0);
        Func<double, string> label = figure.IsTime ? ShortTime : Short;
        Series[] lines =
        [
            .. from curve in curves
               select new Series(curve.Key, palette.Of(curve.Key),
               [
                   .. from point in curve
                      let value = figure.Of(point.Figures)
                      where value is not null
                      let index = Array.IndexOf(values, point.Value)
                      let place = areNumbers ? numbers[index] : index + 1
                      orderby place
                      select new PlotPoint(place, value.Value, $"{curve.Key}, {option.Name} {point.Value}: {label(value.Value)}", !point.Case.Valid)
                      {
                          Interval = value is { Lower: { } lower, Upper: { } upper } ? (lower, upper) : null,
                      },
               ])
               { Line = PlotStyle.Line },
        ];
        Axis axis = areNumbers ? Axis.Logarithmic(numbers, Short) : Axis.Groups(values);
        return Plot.Lines(figure.Title, axis, Axis.Logarithmic, label, [.. lines.Where(line => line.Points.Count > 0)]) with
        {
            XTitle = option.Name.TrimStart('-'),
            YTitle = figure.Title,
            Note = !lines.Any(line => line.Points.Any(point => point.Interval is not null)) ? null
                : curves.Any(curve => curve.Any(point => Ranking.HasBest(point.Benchmark)))
                ? "Thin lines: the interval of the ratio to the best case of the load, which itself has none."
                : "Thin lines: 95 % interval between launches.",
        };
    }

    private sealed record ScalingPoint(string Name, string Value, BenchmarkResult Benchmark, CaseResult Case) : BenchmarkCase(Benchmark, Case);
}
