using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

internal static class RankingDetails
{
    // A smaller difference of user or kernel time is no reason.
    private const double Margin = 1.2;

    // The reason of a ranking: what the server's CPU time per message is spent on, of the median launch of each case.
    public static Section ServerCostsOf(BenchmarkResult benchmark, Media media)
    {
        (CaseResult Case, Cost Cost)[] rows =
        [
            .. from result in Ranking.Ordered(benchmark)
               let server = result.MedianLaunch()?.Costs.Server
               where server?.Messages > 0
               select (result, new Cost(CaseBlocks.NameOf(result), string.Empty, server)),
        ];
        Column<Cost>[] columns =
        [
            new("Library", cost => cost.Name) { IsText = true, IsRowHeader = true },
            new("user CPU per message", cost => cost.User) { Text = cost => Time(cost.User) },
            new("kernel CPU per message", cost => cost.System) { Text = cost => Time(cost.System) },
            Cost.Allocated,
            .. Cost.Collections,
        ];
        Paragraph? sentence = SentenceOf(rows) is { } reasons ? new Paragraph(reasons) : null;
        Table? table = rows.Length == 0 ? null : Table.Create("Server", columns, rows.Select(row => row.Cost));
        return new Section("What the server's CPU time is spent on", [sentence, table], IsFolded: true) { Media = media };
    }

    private static string? SentenceOf((CaseResult Case, Cost Cost)[] rows)
    {
        (CaseResult Case, Cost Cost)[] ranked =
        [
            .. rows.Where(row => row.Case is { IsBaseline: false, ToBest.ServerCpu: not null }).OrderBy(row => row.Case.ToBest!.ServerCpu!.Ratio),
        ];
        string[] reasons =
        [
            .. from row in ranked
               where row.Case.Valid && row.Case.ToBest!.ServerCpu!.Lower > 1
               let reason = ReasonOf(row.Cost, ranked[0].Cost)
               where reason is not null
               select $"{row.Cost.Name} {reason}",
        ];
        return reasons.Length == 0 ? null : $"Against {ranked[0].Cost.Name}'s {PartsOf(ranked[0].Cost)} per message: {string.Join("; ", reasons)}.";
    }

    // Null if one part is larger and the other smaller, or neither is.
    private static string? ReasonOf(Cost cost, Cost best)
    {
        static int Compare(double one, double other) => one > Margin * other ? 1 : other > Margin * one ? -1 : 0;
        return (Compare(cost.User, best.User), Compare(cost.System, best.System)) switch
        {
            (1, 0) => $"{Time(cost.User)} of its own code, the kernel the same",
            (0, 1) => $"{Time(cost.System)} of the kernel's work (system calls), its own code the same",
            (1, 1) => PartsOf(cost),
            _ => null,
        };
    }

    private static string PartsOf(Cost cost) => $"{Time(cost.User)} of its own code and {Time(cost.System)} of the kernel's work";

    // In no ranking: they are of a few stalls, often of the machine, which rounds do not share, and a slice has too few messages for them.
    public static Section LatenciesOf(BenchmarkResult benchmark, Media media)
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
