namespace NetCoreNetworkBenchmark.Running.Outcome;

/// <summary>Determines whether the clients were the limit of a closed loop. An open loop is judged by the messages that it sent late.</summary>
internal static class ClientLimit
{
    /// <summary>The share of the CPU time that a side can use, from which on it was busy all the time.</summary>
    public const double Saturation = 0.9;

    /// <summary>Returns a sentence if the clients were busy all the time, and the server was not; otherwise, none.</summary>
    public static IEnumerable<string> FindRemarks(RunResult result)
    {
        RunPlan plan = result.Plan;
        bool isClosedLoop = plan.Rate is null && !result.IsOneWay;
        double? clients = isClosedLoop ? BusyShare(CpuOfClients(result.Costs), result.Clients.Threads, CoresOfClients(result)) : null;
        double? server = BusyShare(CpuOfServer(result.Costs), result.Server?.Threads, result.Server?.Pinning?.Cores.Count ?? CoresOf(result.Environment));
        if (clients > Saturation && server is not > Saturation)
        {
            string threads = result.Clients.Threads is { } count
                ? FormattableString.Invariant($"their {count:N0} {(count == 1 ? "thread" : "threads")}")
                : "their cores";
            string other = server is null ? string.Empty : ", and the server used less of its own";

            // No figures here, since a page merges the identical remarks of all launches.
            yield return "The clients were the bottleneck: they used more than " +
                FormattableString.Invariant($"{Saturation:P0} of the time of {threads}{other}. ") +
                "A faster server may not show a higher rate, but its CPU time per message still counts. " +
                (result.Clients.Threads is null ? "Give the clients more cores." : "Give the clients more threads with --client-threads.");
        }
    }

    /// <summary>Returns the number of cores that a process kept busy; null if it is not known.</summary>
    public static double? BusyCores(ProcessCost? cost) => BusyCores(cost, cost?.CpuSeconds);

    /// <summary>Returns the cores that a process may use, by its environment.</summary>
    public static double CoresOf(EnvironmentInfo environment) => Math.Min(environment.Cores, environment.CpuQuota ?? int.MaxValue);

    // If the library's threads are its own, the cores are the limit.
    private static double? BusyShare(double? busyCores, int? threads, double cores) => busyCores / Math.Min(threads ?? int.MaxValue, cores);

    private static double? BusyCores(ProcessCost? cost, double? cpuSeconds) => cost is { Seconds: > 0 } ? cpuSeconds / cost.Seconds : null;

    // In a process that has both sides, threads that serve clients alone are the clients'.
    private static double? CpuOfClients(RunCosts costs) => costs.Clients is { } clients
        ? BusyCores(clients, clients.ClientThreadsCpuSeconds ?? clients.CpuSeconds)
        : BusyCores(costs.Together, costs.Together?.ClientThreadsCpuSeconds);

    private static double? CpuOfServer(RunCosts costs) => costs.Server is { } server
        ? BusyCores(server)
        : BusyCores(costs.Together, costs.Together?.CpuSeconds - costs.Together?.ClientThreadsCpuSeconds);

    // The clients of several hosts have the cores of all of them.
    private static double CoresOfClients(RunResult result)
    {
        EnvironmentInfo[] machines = result.Hosts is { Clients: { Count: > 0 } hosts } ? [.. hosts.Select(host => host.Environment)] : [result.Environment];
        return machines.Sum(machine => result.Clients.Pinning?.Cores.Count ?? CoresOf(machine));
    }
}
