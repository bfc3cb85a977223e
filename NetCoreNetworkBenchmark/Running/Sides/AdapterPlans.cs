using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>The plan as an adapter is to see it.</summary>
internal static class AdapterPlans
{
    // Adapters size their batches and buffers by what can be in flight. Of a server that sends unasked that is no number of the user's.
    private const int LeastListened = 64;

    public static RunPlan PlanForAdapters(this IWorkload workload, RunPlan plan) => workload.LatencyKind == LatencyKind.OneWay
        ? plan with { ParallelMessages = Math.Max(plan.ParallelMessages, LeastListened) }
        : plan;
}
