using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Scenarios.Options;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>Threads that a library cannot have, cores that are not available, and requests that need both sides.</summary>
internal static partial class PlanCheck
{
    /// <summary>Checks threads and cores against the library and the machine.</summary>
    public static void CheckSides(CliRequest request, LibraryInfo library)
    {
        RunPlan plan = request.Plan;
        if (plan.ServerThreads > library.MostServerThreads)
        {
            throw Refused(
                "--server-threads",
                $"{plan.ServerThreads} are more than the server of {library.Name} can have on this system; " +
                    $"valid is {(library.MostServerThreads == 1 ? "1" : $"a whole number from 1 to {library.MostServerThreads}")}.");
        }

        if (request.ClientThreadsWereChosen && !library.ClientThreadsByPlan)
        {
            throw Refused(
                ProcessOptions.ClientThreadsName,
                $"the clients of {library.Name} are served by threads that the library brings or needs itself, " +
                    "so no number can be asked for; leave the option out.");
        }

        CheckHosts(request, library);
        CheckCores(plan);
    }

    /// <summary>Checks cores against the cores that this process may use. Those of other hosts are checked there.</summary>
    public static void CheckCores(RunPlan plan)
    {
        PinningPlan pinning = plan.Pinning;
        if (pinning.IsNone || !plan.Hosts.IsNone)
        {
            return;
        }

        if (!CoreAffinity.IsSupported)
        {
            throw Refused(ProcessOptions.PinName, "this system cannot bind a process to cores, only Linux and Windows can; leave the option out.");
        }

        CheckCores(pinning, CoreAffinity.OfProcess());
    }

    /// <summary>Checks cores against the available cores.</summary>
    public static void CheckCores(PinningPlan pinning, IReadOnlyList<int> available)
    {
        int[] others = [.. (pinning.ServerCores ?? []).Concat(pinning.ClientCores ?? []).Distinct().Except(available).Order()];
        if (others.Length > 0)
        {
            throw Refused(
                ProcessOptions.PinName,
                $"this process may not use core {CoreList.Text(others)}; valid {(available.Count == 1 ? "is" : "are")} {CoreList.Text(available)}.");
        }
    }

    /// <summary>Rejects requests that a server or clients alone cannot carry out.</summary>
    public static void CheckAlone(CliRequest request, LibraryInfo library, IWorkload workload)
    {
        bool isServer = request.Action == CliAction.Server;
        RunPlan plan = request.Plan;
        if (!isServer && plan.Port == 0)
        {
            throw Refused("--port", $"clients need the port of their server; valid is a whole number from 1 to {ushort.MaxValue}.");
        }

        if (!isServer && workload.LatencyKind == LatencyKind.OneWay && plan.Rate is not null)
        {
            throw Refused(
                "--rate",
                $"the server keeps the schedule of {workload.Name}, so give it to --role Server alone. " +
                    $"{HostOptions.ServerHostName} and {HostOptions.ClientHostsName} measure whether it keeps it.");
        }

        if ((isServer ? plan.Pinning.ClientCores : plan.Pinning.ServerCores) is not null)
        {
            string side = isServer ? "server" : "clients";
            throw Refused(ProcessOptions.PinName, $"this process is the {side} alone; valid is {side}=CORES.");
        }
    }
}
