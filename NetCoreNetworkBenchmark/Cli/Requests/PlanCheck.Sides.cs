using NetCoreNetworkBenchmark.Running.Machine;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>Threads that a library cannot have, cores that are not available, and requests that need both sides.</summary>
internal static partial class PlanCheck
{
    public static void CheckSides(CliRequest request, LibraryInfo library)
    {
        RunPlan plan = request.Plan;
        if (plan.ServerThreads > library.MostServerThreads)
        {
            throw Refused(
                "--server-threads",
                $"{library.Name} supports at most {library.MostServerThreads} server " +
                    $"{(library.MostServerThreads == 1 ? "thread" : "threads")} on this system; {plan.ServerThreads} were requested.");
        }

        if (request.ClientThreadsWereChosen && !library.ClientThreadsByPlan)
        {
            throw Refused(ProcessOptions.ClientThreadsName, $"{library.Name} decides the threads of its clients itself. Omit the option.");
        }

        CheckHosts(request);
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
            throw Refused(ProcessOptions.PinName, "only Linux and Windows can bind a process to cores. Omit the option.");
        }

        CheckCores(pinning, CoreAffinity.OfProcess());
    }

    public static void CheckCores(PinningPlan pinning, IReadOnlyList<int> available)
    {
        int[] others = [.. (pinning.ServerCores ?? []).Concat(pinning.ClientCores ?? []).Distinct().Except(available).Order()];
        if (others.Length > 0)
        {
            throw Refused(
                ProcessOptions.PinName,
                $"this process may not use core {CoreList.Text(others)}. Use cores of {CoreList.Text(available)}.");
        }
    }

    /// <summary>Rejects requests that a server or clients alone cannot carry out.</summary>
    public static void CheckAlone(CliRequest request, IWorkload workload)
    {
        bool isServer = request.Action == CliAction.Server;
        RunPlan plan = request.Plan;
        if (!isServer && plan.Port == 0)
        {
            throw Refused("--port", Invariant($"--role Client requires the port of the server, from 1 to {ushort.MaxValue:N0}."));
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
            throw Refused(ProcessOptions.PinName, $"--role {request.Action} is the {side} alone. Use {side}=CORES.");
        }
    }
}
