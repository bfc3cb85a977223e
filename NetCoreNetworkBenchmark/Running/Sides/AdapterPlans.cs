namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>Converts the plan to the form for an adapter.</summary>
internal static class AdapterPlans
{
    // Adapters size their batches and buffers by the messages that can be in flight. With server push, the user gives no such number.
    private const int LeastListened = 64;

    public static RunPlan PlanForAdapters(this IWorkload workload, RunPlan plan) => workload.LatencyKind == LatencyKind.OneWay
        ? plan with { ParallelMessages = Math.Max(plan.ParallelMessages, LeastListened) }
        : plan;
}
