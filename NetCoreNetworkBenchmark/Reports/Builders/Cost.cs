using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

internal sealed record Cost(string Name, string Style, ProcessCost Process)
{
    public static readonly Column<Cost> Allocated =
        new("allocated bytes per message", cost => cost.Process.AllocatedBytesPerMessage) { Format = "N1", ShortTitle = "allocated" };

    public static readonly IReadOnlyList<Column<Cost>> Collections =
    [
        new("GCs", cost => string.Join('/', cost.Process.Collections)),
        new("GC pauses", cost => cost.Process.PauseSeconds * 1000) { Format = "N1", Unit = " ms", Priority = 2 },
    ];

    public static readonly Column<Cost> Memory = new(
        "MiB resident", cost => cost.Process.PeakResidentBytes / BytesPerMebibyte, Priority: 1, ShortTitle: "MiB", IsOptional: true);

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
        Allocated with { Title = "allocated bytes/msg", Format = "N2" },
    ];

    private static readonly Column<Cost>[] s_process =
    [
        .. Collections,
        new("threads", cost => cost.Process.PeakThreads) { Priority = 3 },
        Memory,
        new("context switches", cost => cost.Process is { VoluntaryContextSwitches: { } voluntary, InvoluntaryContextSwitches: { } involuntary }
            ? Invariant($"{voluntary:N0} + {involuntary:N0}")
            : null) { Priority = 7, IsOptional = true },
        new("lock contentions", cost => cost.Process.LockContentions) { Priority = 6, IsOptional = true },
    ];

    public double User => PerMessage(Process.UserCpuSeconds);

    public double System => PerMessage(Process.SystemCpuSeconds);

    private double Cpu => Process.CpuMicrosecondsPerMessage ?? 0;

    private double Bytes => Process.AllocatedBytesPerMessage ?? 0;

    public static Cost[] From(RunCosts costs) =>
    [
        .. from side in ((string Name, string Style, ProcessCost? Cost)[])
           [
               ("Server", PlotStyle.Colour(0), costs.Server), ("Clients", PlotStyle.Colour(1), costs.Clients),
               ("Both, in one process", PlotStyle.Colour(0), costs.Combined),
           ]
           where side.Cost is not null
           select new Cost(side.Name, side.Style, side.Cost),
    ];

    public static Table? TableOf(IReadOnlyList<Cost> costs)
    {
        bool hasMessages = costs.Any(cost => cost.Process.Messages > 0);
        Column<Cost>[] columns =
            [new("side", cost => cost.Name) { IsText = true, IsRowHeader = true }, .. hasMessages ? s_perMessage : s_whole, .. s_process];
        Table table = Table.Create("Cost", columns, costs);
        return costs.Count == 0 ? null
            : hasMessages ? table.WithBars(CpuPlot(string.Empty, costs), "█ user ▒ system", columnsBefore: 2)
            : table;
    }

    public static IEnumerable<Block> PlotsOf(string side, IEnumerable<Cost> all)
    {
        Cost[] costs = [.. all.Where(cost => cost.Process.Messages > 0)];
        return
        [
            CpuPlot($"{side}CPU time per message", costs),
            new Plot($"{side}Allocations per message", Axis.Linear(costs.Select(cost => cost.Bytes), Short), XTitle: "allocated bytes per message")
            {
                Media = Media.Html,
                Rows = [.. costs.Select(cost => cost.RowOf(Figure(cost.Bytes, "N2"), " bytes", (PlotStyle.Bar, cost.Bytes)))],
            },
        ];
    }

    private static Plot CpuPlot(string title, IReadOnlyList<Cost> costs) => new(title, Axis.Linear(costs.Select(cost => cost.Cpu), Short))
    {
        Note = "Full colour: outside the kernel (user). Pale: in the kernel (system).",
        XTitle = "µs per message",
        Media = Media.Html,
        Rows =
        [
            .. from cost in costs
               let parts = Invariant($" µs ({cost.User:N3} user, {cost.System:N3} system)")
               select cost.RowOf(Figure(cost.Cpu, "N3"), parts, (PlotStyle.Bar, cost.User), (PlotStyle.PaleBar, cost.Cpu)),
        ],
    };

    private PlotRow RowOf(string value, string rest, params (string Style, double To)[] bars) =>
        new(Name, Style, value, $"{Name}: {value}{rest}") { Bars = bars };

    private double PerMessage(double seconds) => Process.Messages == 0 ? 0 : seconds * MicrosecondsPerSecond / Process.Messages;
}
