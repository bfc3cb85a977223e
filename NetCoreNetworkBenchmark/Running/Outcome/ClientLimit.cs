using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Outcome;

/// <summary>Determines whether the clients were the limit of a closed loop. An open loop is judged by the messages that it sent late.</summary>
internal static class ClientLimit
{
    /// <summary>The share of the CPU time that a side can use, from which on it was busy all the time.</summary>
    public const double Saturation = 0.9;

    /// <summary>Returns a sentence if the clients were busy all the time, and the server was not; otherwise, none.</summary>
    public static IEnumerable<string> FindRemarks(RunPlan plan, RunResult result)
    {
        bool isClosedLoop = plan.Rate is null && result.LatencyKind == LatencyKind.RoundTrip;
        double? clients = isClosedLoop ? BusyShare(result.Costs.Clients, result.ClientThreads, CoresOfClients(result)) : null;
        double? server = BusyShare(result.Costs.Server, result.ServerThreads, result.Pinning?.Server?.Cores.Count ?? CoresOf(result.Environment));
        if (clients > Saturation && server is not > Saturation)
        {
            string threads = result.ClientThreads is { } count
                ? FormattableString.Invariant($"their {count:N0} {(count == 1 ? "thread" : "threads")}")
                : "their cores";
            string other = server is { } share ? FormattableString.Invariant($", the server {share:P0} of its own") : string.Empty;
            yield return FormattableString.Invariant($"The clients were the limit: they used {clients:P0} of the time of {threads}{other}. ") +
                "A faster server may not be seen to be faster, but its CPU time for a message still counts. " +
                (result.ClientThreads is null ? "More cores give the clients more." : "--client-threads gives the clients more.");
        }
    }

    /// <summary>Returns the share of the time of its threads that a process used; null if it is not known.</summary>
    /// <param name="cost">The cost; null if it is not known.</param>
    /// <param name="threads">The number of threads; null if the library's are its own, so that its cores are the limit.</param>
    /// <param name="cores">The cores that the process may use.</param>
    public static double? BusyShare(ProcessCost? cost, int? threads, double cores) =>
        cost is { Seconds: > 0 } ? cost.CpuSeconds / (cost.Seconds * Math.Min(threads ?? int.MaxValue, cores)) : null;

    /// <summary>Returns the cores that a process may use, by its environment.</summary>
    public static double CoresOf(EnvironmentInfo environment) => Math.Min(environment.Cores, environment.CpuQuota ?? int.MaxValue);

    // The clients of several hosts have the cores of all of them.
    private static double CoresOfClients(RunResult result)
    {
        EnvironmentInfo[] machines = result.Hosts is { Clients: { Count: > 0 } hosts } ? [.. hosts.Select(host => host.Environment)] : [result.Environment];
        return machines.Sum(machine => result.Pinning?.Clients?.Cores.Count ?? CoresOf(machine));
    }
}
