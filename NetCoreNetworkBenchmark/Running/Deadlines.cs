using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>How long things may take when all their parts are at their own deadlines.</summary>
internal static class Deadlines
{
    /// <summary>For starting a process and its runtime, and for ending them.</summary>
    public static readonly TimeSpan Process = TimeSpan.FromSeconds(15);

    /// <summary>For the first word of whoever has connected, or has started this process.</summary>
    public static readonly TimeSpan Hello = TimeSpan.FromSeconds(10);

    /// <summary>A whole run, with all its phases at their deadlines.</summary>
    public static TimeSpan OfRun(RunPlan plan) =>
        plan.ConnectDeadline + plan.WarmUp + plan.Duration + plan.LossDeadline + (2 * plan.StopDeadline) + Process;
}
