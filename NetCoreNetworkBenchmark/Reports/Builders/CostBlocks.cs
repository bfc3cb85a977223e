using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The cost of a process, with its name and style.</summary>
internal sealed record Cost(string Name, string Style, ProcessCost Process)
{
    public double User => PerMessage(Process.UserCpuSeconds);

    public double System => PerMessage(Process.SystemCpuSeconds);

    public double Cpu => Process.CpuMicrosecondsPerMessage ?? 0;

    /// <summary>Returns the costs of a run: of each side, or of both together.</summary>
    public static Cost[] Of(RunCosts costs) =>
    [
        .. from side in ((string Name, string Style, ProcessCost? Cost)[])
           [
               ("Server", "s0", costs.Server), ("Clients", "s1", costs.Clients), ("Server and clients", "s0", costs.Together),
           ]
           where side.Cost is not null
           select new Cost(side.Name, side.Style, side.Cost),
    ];

    private double PerMessage(double seconds) => Process.Messages == 0 ? 0 : seconds * MicrosecondsPerSecond / Process.Messages;
}

/// <summary>The table and the plots of costs.</summary>
internal static class CostBlocks
{
    // Without messages there is the time of the whole process.
    private static readonly Column<Cost>[] s_whole =
    [
        new("CPU, s", cost => cost.Process.CpuSeconds) { Format = "N3" },
        new("user, s", cost => cost.Process.UserCpuSeconds) { Format = "N3", Priority = 4 },
        new("system, s", cost => cost.Process.SystemCpuSeconds) { Format = "N3", Priority = 4 },
        new("bytes allocated", cost => cost.Process.AllocatedBytes),
        new("messages", _ => "none counted"),
    ];

    private static readonly Column<Cost>[] s_perMessage =
    [
        new("CPU µs/msg", cost => cost.Process.CpuMicrosecondsPerMessage) { Format = "N3" },
        new("user", cost => cost.User) { Format = "N3", Priority = 4 },
        new("system", cost => cost.System) { Format = "N3", Priority = 4 },
        new("msg/CPU s", cost => cost.Process.MessagesPerCpuSecond) { Priority = 5 },
        new("bytes/msg", cost => cost.Process.AllocatedBytesPerMessage) { Format = "N2" },
    ];

    private static readonly Column<Cost>[] s_process =
    [
        new("GCs", cost => string.Join('/', cost.Process.Collections)),
        new("GC pauses", cost => cost.Process.PauseSeconds * 1000) { Format = "N1", Unit = " ms", Priority = 2 },
        new("threads", cost => cost.Process.PeakThreads) { Priority = 3 },
        new("MB resident", cost => cost.Process.PeakResidentBytes / BytesPerMegabyte) { Priority = 1, ShortTitle = "MB", IsOptional = true },
        new("context switches", SwitchesOf) { Priority = 7, IsOptional = true },
        new("lock contentions", cost => cost.Process.LockContentions) { Priority = 6, IsOptional = true },
    ];

    public static IEnumerable<Block> TableOf(IReadOnlyList<Cost> costs)
    {
        bool hasMessages = costs.Any(cost => cost.Process.Messages > 0);
        Table table = Table.Of("Cost", [new("side", cost => cost.Name) { IsText = true }, .. hasMessages ? s_perMessage : s_whole, .. s_process], costs);
        return costs.Count == 0 ? []
            : hasMessages ? [table with { Bars = CpuPlot(string.Empty, costs), BarTitle = "█ user ▒ system", ColumnsBeforeBars = 2 }]
            : [table];
    }

    /// <summary>Returns the plots of costs; none if no messages were counted.</summary>
    public static IEnumerable<Block> PlotsOf(string side, IEnumerable<Cost> all)
    {
        Cost[] costs = [.. all.Where(cost => cost.Process.Messages > 0)];
        return costs.Length == 0 ? [] : [CpuPlot($"{side}CPU time per message", costs), AllocationPlot($"{side}Allocations per message", costs)];
    }

    private static Plot CpuPlot(string title, IReadOnlyList<Cost> costs) => new(title, Axis.Linear(costs.Select(cost => cost.Cpu), Short))
    {
        Note = "Full colour: outside the kernel (user). Pale: in the kernel (system).",
        XTitle = "µs per message",
        Media = Media.Html,
        Rows =
        [
            .. costs.Select(cost => new PlotRow(
                cost.Name, cost.Style, Figure(cost.Cpu, "N3"), Invariant($"{cost.Name}: {cost.Cpu:N3} µs ({cost.User:N3} user, {cost.System:N3} system)"))
            {
                Bars = [new PlotBar("b", cost.User), new PlotBar("b2", cost.Cpu)],
            }),
        ],
    };

    private static Plot AllocationPlot(string title, Cost[] costs) => new(title, Axis.Linear(costs.Select(BytesOf), Short))
    {
        XTitle = "bytes per message",
        Media = Media.Html,
        Rows =
        [
            .. costs.Select(cost => new PlotRow(
                cost.Name, cost.Style, Figure(BytesOf(cost), "N2"), Invariant($"{cost.Name}: {BytesOf(cost):N2} bytes"))
            {
                Bars = [new PlotBar("b", BytesOf(cost))],
            }),
        ],
    };

    private static double BytesOf(Cost cost) => cost.Process.AllocatedBytesPerMessage ?? 0;

    private static string? SwitchesOf(Cost cost) => cost.Process is { VoluntaryContextSwitches: { } voluntary, InvoluntaryContextSwitches: { } involuntary }
        ? Invariant($"{voluntary:N0} + {involuntary:N0}")
        : null;
}
