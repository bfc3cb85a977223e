using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports.Csv;

/// <summary>The columns of a trend, with a row for each case in each set.</summary>
internal static class TrendTable
{
    public static IReadOnlyList<CsvColumn<TrendRow>> Columns { get; } =
    [
        new("kind", row => ResultFile.NameOf(row.Source.Kind)),
        new("source", row => row.Source.Source),
        new("threshold", row => row.Source.Threshold),
        new("set", row => row.Point.Set),
        new("name", row => row.Set?.Name),
        new("startedAt", row => row.Set?.StartedAt),
        new("version", row => row.Set?.Version),
        new("benchmark", row => row.Case.Benchmark),
        new("library", row => row.Case.Library),
        new("relativeTo", row => row.Case.RelativeTo),
        new("launches", row => row.Point.Launches),
        .. Figure("rate", row => row.Point.Rate),
        .. Figure("p99Microseconds", row => row.Point.P99Microseconds),
        .. Figure("serverCpuMicroseconds", row => row.Point.ServerCpuMicroseconds),
        new("change.verdict", row => row.Change?.Verdict.ToString().ToLowerInvariant()),
        new("change.ratio", row => row.Change?.Ratio),
        new("change.lower", row => row.Change?.Lower),
        new("change.upper", row => row.Change?.Upper),
        new("change.isConfirmed", row => row.Change?.IsConfirmed),
        new("harnessVersion", row => row.Source.HarnessVersion),
    ];

    private static CsvColumn<TrendRow>[] Figure(string name, Func<TrendRow, TrendFigure?> figure) =>
    [
        new($"{name}.value", row => figure(row)?.Value),
        new($"{name}.lower", row => figure(row)?.Lower),
        new($"{name}.upper", row => figure(row)?.Upper),
    ];
}

/// <summary>A case in one set.</summary>
internal sealed record TrendRow(TrendResult Source, TrendCase Case, TrendPoint Point)
{
    /// <summary>The set; null if the result names a set that it has not.</summary>
    public TrendSet? Set => Source.Sets.ElementAtOrDefault(Point.Set - 1);

    /// <summary>The change at the set; null if there is none.</summary>
    public TrendChange? Change => Case.Changes.FirstOrDefault(change => change.Set == Point.Set);

    /// <summary>Returns the rows of a result.</summary>
    public static IEnumerable<TrendRow> Of(TrendResult result) =>
        from found in result.Cases
        from point in found.Points
        select new TrendRow(result, found, point);
}
