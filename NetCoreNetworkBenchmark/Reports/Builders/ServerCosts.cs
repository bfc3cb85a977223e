using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The reason of a ranking: what the server's CPU time per message is spent on, of the median launch of each case.</summary>
internal static class ServerCosts
{
    // A smaller difference of user or kernel time is no reason.
    private const double Margin = 1.2;

    public static Section Create(BenchmarkResult benchmark, Media media)
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
}
