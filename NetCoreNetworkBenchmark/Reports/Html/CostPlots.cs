using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>Plots of the cost of processes.</summary>
internal static class CostPlots
{
    /// <summary>Writes the CPU time of a message as bars, in which the time outside the kernel and in it are stacked.</summary>
    /// <param name="html">The page.</param>
    /// <param name="title">The title.</param>
    /// <param name="costs">The costs with their names and styles. Nothing is written if there are none with messages.</param>
    public static void WriteCpu(HtmlWriter html, string title, IReadOnlyList<(string Name, string Style, ProcessCost Cost)> costs)
    {
        costs = [.. costs.Where(cost => cost.Cost.Messages > 0)];
        var frame = new PlotFrame(title, string.Join("; ", costs.Select(cost => $"{cost.Name}: {CpuWords(cost.Cost)}")))
        {
            Note = "Full colour: outside the kernel (user). Pale: in the kernel (system).",
            HorizontalTitle = "µs a message",
        };
        BarPlot.Write(
            html,
            frame,
            PlotAxis.Linear(costs.Select(cost => cost.Cost.CpuMicrosecondsPerMessage!.Value), PlotLabels.Short),
            [
                .. costs.Select(cost => new PlotRow(
                    cost.Name, cost.Style, Invariant($"{cost.Cost.CpuMicrosecondsPerMessage:N3}"), $"{cost.Name}: {CpuWords(cost.Cost)}")
                {
                    Bars = [new PlotBar("b", UserOf(cost.Cost)), new PlotBar("b2", cost.Cost.CpuMicrosecondsPerMessage!.Value)],
                }),
            ],
            marked: 0);
    }

    /// <summary>Writes the allocations of a message as bars.</summary>
    /// <param name="html">The page.</param>
    /// <param name="title">The title.</param>
    /// <param name="costs">The costs with their names and styles. Nothing is written if there are none with messages.</param>
    public static void WriteAllocations(HtmlWriter html, string title, IReadOnlyList<(string Name, string Style, ProcessCost Cost)> costs)
    {
        costs = [.. costs.Where(cost => cost.Cost.Messages > 0)];
        var frame = new PlotFrame(title, string.Join("; ", costs.Select(cost => AllocationWords(cost.Name, cost.Cost))))
        {
            HorizontalTitle = "bytes a message",
        };
        BarPlot.Write(
            html,
            frame,
            PlotAxis.Linear(costs.Select(cost => cost.Cost.AllocatedBytesPerMessage!.Value), PlotLabels.Short),
            [
                .. costs.Select(cost => new PlotRow(
                    cost.Name, cost.Style, Invariant($"{cost.Cost.AllocatedBytesPerMessage:N2}"), null)
                {
                    Bars = [new PlotBar("b", cost.Cost.AllocatedBytesPerMessage!.Value)],
                }),
            ],
            marked: 0);
    }

    private static double UserOf(ProcessCost cost) => cost.UserCpuSeconds * 1e6 / cost.Messages;

    private static string CpuWords(ProcessCost cost) =>
        Invariant($"{cost.CpuMicrosecondsPerMessage:N3} µs ({UserOf(cost):N3} user, {cost.CpuMicrosecondsPerMessage - UserOf(cost):N3} system)");

    private static string AllocationWords(string name, ProcessCost cost) => Invariant($"{name}: {cost.AllocatedBytesPerMessage:N2} bytes");
}
