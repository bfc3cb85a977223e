namespace NetCoreNetworkBenchmark.AdapterKit.ENet;

/// <summary>The rules that ENet and its forks share (<see cref="LibraryInfo.FindFault"/>).</summary>
public static class ENetRules
{
    /// <summary>
    /// Returns the fault of a plan in which the server sends reliable messages as fast as the clients receive them: ENet queues them without a limit.
    /// </summary>
    public static BenchmarkException? FindFault(RunPlan plan, IWorkload workload)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(workload);
        return workload.LatencyKind == LatencyKind.OneWay && plan is { Rate: null, Transmission: Transmission.Reliable }
            ? BenchmarkException.BadInput($"--rate: {plan.Library} queues reliable messages of {plan.Test} without a limit. Set a rate, such as --rate 10000.")
            : null;
    }
}
