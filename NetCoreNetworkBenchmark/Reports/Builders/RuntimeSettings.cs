using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>Settings of the runtime of which several values were compared, and what they change at a server.</summary>
internal static class RuntimeSettings
{
    // Fewer collections in a set show little of what the collector does.
    private const int FewestCollections = 10;

    // Each column has its unit, also where it is narrow. A set has the collections and pauses of all its slices.
    private static readonly Column<Cost>[] s_costs =
    [
        Cost.Collections[0] with { Title = "GCs of generation 0/1/2", ShortTitle = "GCs 0/1/2" },
        Cost.Collections[1] with { Title = "GC pauses in all", ShortTitle = "GC pauses" },
        Cost.Memory,
        Cost.Allocated with { ShortTitle = "B/msg" },
    ];

    /// <summary>Such as "gcServer=0,1"; empty if no setting has several values.</summary>
    public static string ComparedIn(SuiteResult suite)
    {
        RunResult[] runs = CaseBlocks.MediansOf(suite.Benchmarks);
        return string.Join(
            ' ',
            from setting in runs.SelectMany(run => run.Plan.Runtime.Settings).GroupBy(setting => setting.Key, setting => setting.Value)
            let values = setting.Distinct().ToArray()
            where values.Length > 1
            orderby setting.Key
            select $"{setting.Key}={string.Join(',', values)}");
    }

    public static string? FewCollectionsIn(SuiteResult suite)
    {
        int max = CaseBlocks.MediansOf(suite.Benchmarks).Max(run => run.Costs.Server?.Collections is [var all, ..] ? all : (int?)null) ?? FewestCollections;
        string times = max switch { 0 => "did not run", 1 => "ran at most once", _ => $"ran at most {Plural.Format(max, "time")}" };
        return max >= FewestCollections || !ComparedIn(suite).StartsWith("gc", StringComparison.OrdinalIgnoreCase) ? null
            : $"The garbage collector of a server {times} in a set, so its settings have little to change here. " +
                "A load that allocates more per message, or a longer one (-d 30), shows more.";
    }

    public static Table? TableOf(SuiteResult suite)
    {
        (BenchmarkCase Of, Cost Cost)[] rows =
        [
            .. from row in BenchmarkCase.In(suite)
               let server = row.Median?.Costs.Server
               where server is not null
               select (row, new Cost(CaseBlocks.NameOf(row.Case), string.Empty, server)),
        ];
        bool hasSeveral = suite.Benchmarks.Count > 1;
        Column<(BenchmarkCase Of, Cost Cost)>[] columns =
        [
            new("Library", row => row.Cost.Name) { IsText = true, IsRowHeader = true },
            new("Load", row => hasSeveral ? row.Of.Benchmark.Title : null) { IsText = true, IsOptional = true },
            .. from column in s_costs
               select new Column<(BenchmarkCase Of, Cost Cost)>(
                   column.Title, row => column.Value(row.Cost),
                   Format: column.Format, Unit: column.Unit, IsOptional: column.IsOptional, ShortTitle: column.ShortTitle),
            new("p99", row => row.Of.Figures.P99Microseconds?.Value) { Text = row => Time(row.Of.Figures.P99Microseconds?.Value) },
        ];
        return rows.Length == 0 ? null : Table.Create("Garbage collection and memory of the server in the median set", columns, rows) with { HasTitle = true };
    }
}
