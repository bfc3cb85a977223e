using NetCoreNetworkBenchmark.Reports.Documents;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The columns of a comparison, with a row for each case.</summary>
internal static class ComparisonColumns
{
    public static IReadOnlyList<Column<ComparisonRow>> All { get; } =
    [
        new("kind", row => ResultFile.NameOf(row.Source.Kind)),
        new("old", row => row.Source.Old),
        new("new", row => row.Source.New),
        new("threshold", row => row.Source.Threshold),
        new("benchmark", row => row.Case.Benchmark),
        new("library", row => row.Case.Library),
        new("oldLaunches", row => row.Case.OldLaunches),
        new("newLaunches", row => row.Case.NewLaunches),
        new("oldMedian", row => row.Case.OldMedian),
        new("newMedian", row => row.Case.NewMedian),
        new("ratio", row => row.Case.Ratio),
        new("lower", row => row.Case.Lower),
        new("upper", row => row.Case.Upper),
        new("decidedBy.confidence", row => row.Case.DecidedBy?.Confidence),
        new("decidedBy.lower", row => row.Case.DecidedBy?.Lower),
        new("decidedBy.upper", row => row.Case.DecidedBy?.Upper),
        new("verdict", row => row.Case.Verdict.ToString().ToLowerInvariant()),
        new("baseline", row => row.Case.Baseline),
        new("serverCost.ratio", row => row.Case.ServerCost?.Ratio),
        new("serverCost.lower", row => row.Case.ServerCost?.Lower),
        new("serverCost.upper", row => row.Case.ServerCost?.Upper),
        new("serverCostDecidedBy.lower", row => row.Case.ServerCostDecidedBy?.Lower),
        new("serverCostDecidedBy.upper", row => row.Case.ServerCostDecidedBy?.Upper),
        new("control.ratio", row => row.Source.Control?.Ratio),
        new("harnessVersion", row => row.Source.HarnessVersion),
    ];
}

/// <summary>A case of a comparison.</summary>
internal sealed record ComparisonRow(ComparisonResult Source, ComparedCase Case)
{
    public static IEnumerable<ComparisonRow> Of(ComparisonResult source) => source.Cases.Select(compared => new ComparisonRow(source, compared));
}
