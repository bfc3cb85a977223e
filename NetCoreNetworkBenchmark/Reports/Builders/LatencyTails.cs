using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>In no ranking: they are of a few stalls, often of the machine, which rounds do not share, and a slice has too few messages for them.</summary>
internal static class LatencyTails
{
    public static Section Create(BenchmarkResult benchmark, Media media)
    {
        static Column<CaseResult> OfTime(string title, Func<CaseSummary, double?> time) =>
            new(title, result => time(result.Summary!)) { Text = result => Time(time(result.Summary!)) };
        CaseResult[] rows = [.. Ranking.Ordered(benchmark).Where(result => result.Summary?.P99Microseconds is not null)];
        Column<CaseResult>[] columns =
        [
            new("Library", CaseBlocks.NameOf) { IsText = true, IsRowHeader = true },
            OfTime("p50 of all sets", summary => summary.P50Microseconds?.Median),
            new("p99 of all sets (of each)", result => result.Summary!.P99Microseconds!.Median) { Text = P99Of },
            OfTime("p99.9", summary => summary.P999Microseconds?.Median),
            OfTime("largest", summary => summary.MaxMicroseconds),
        ];
        Table? table = rows.Length == 0 ? null : Table.Create("Latencies", columns, rows, CaseBlocks.ToneOf);
        return new Section("Latencies of all sets together", [table], IsFolded: true) { Media = media };
    }

    public static string P99Of(CaseResult? result)
    {
        double[] sets = [.. (result?.Launches ?? []).Where(launch => launch.IsValid).Select(launch => launch.P99Microseconds).OfType<double>()];
        string tail = Time(result?.Summary?.P99Microseconds?.Median);
        if (sets.Length < 2)
        {
            return tail;
        }

        (string lowest, string highest) = (Time(sets.Min()), Time(sets.Max()));
        string unit = tail[tail.IndexOf(' ', StringComparison.Ordinal)..];
        return lowest.EndsWith(unit, StringComparison.Ordinal) && highest.EndsWith(unit, StringComparison.Ordinal)
            ? $"{tail} ({lowest[..^unit.Length]} – {highest[..^unit.Length]})"
            : $"{tail} ({lowest} – {highest})";
    }
}
