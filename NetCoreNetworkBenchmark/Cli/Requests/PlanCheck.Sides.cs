using NetCoreNetworkBenchmark.Running.Machine;
using static NetCoreNetworkBenchmark.Options.OptionValues;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>Threads that a library cannot have, cores that are not available, and requests that need both sides.</summary>
internal static partial class PlanCheck
{
    public static void CheckSides(CliRequest request, LibraryInfo library)
    {
        RunPlan plan = request.Plan;
        if (plan.ServerThreads > library.MostServerThreads)
        {
            throw Rejected(
                "--server-threads",
                $"{library.Name} supports at most {library.MostServerThreads} server " +
                    $"{(library.MostServerThreads == 1 ? "thread" : "threads")} on this system; {plan.ServerThreads} were requested.");
        }

        if (request.ClientThreadsWereChosen && !library.ClientThreadsByPlan)
        {
            throw Rejected(ProcessOptions.ClientThreadsName, $"{library.Name} decides the threads of its clients itself. Omit the option.");
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
            throw Rejected(ProcessOptions.PinName, "only Linux and Windows can bind a process to cores. Omit the option.");
        }

        CheckCores(pinning, CoreAffinity.OfProcess());
    }

    public static void CheckCores(PinningPlan pinning, IReadOnlyList<int> available)
    {
        int[] others = [.. (pinning.ServerCores ?? []).Concat(pinning.ClientCores ?? []).Distinct().Except(available).Order()];
        if (others.Length > 0)
        {
            throw Rejected(
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
            throw Rejected("--port", Invariant($"--role Client requires the port of the server, from 1 to {ushort.MaxValue:N0}."));
        }

        if (!isServer && workload.LatencyKind == LatencyKind.OneWay && plan.Rate is not null)
        {
            throw Rejected(
                "--rate",
                $"the server keeps the schedule of {workload.Name}, so give it to --role Server alone. " +
                    $"{HostOptions.ServerHostName} and {HostOptions.ClientHostsName} measure whether it keeps it.");
        }

        if ((isServer ? plan.Pinning.ClientCores : plan.Pinning.ServerCores) is not null)
        {
            string side = isServer ? "server" : "clients";
            throw Rejected(ProcessOptions.PinName, $"--role {request.Action} is the {side} alone. Use {side}=CORES.");
        }
    }

    /// <summary>
    /// Rejects certificates that have no meaning for the action, and an action that lacks one. A run with both sides makes the certificates of its clients; a
    /// side that was started by hand shows the user's, because no key is handed over between hosts.
    /// </summary>
    public static void CheckCertificates(CliAction action, TlsPlan tls)
    {
        const string MutualTls = "--mutual-tls";
        string side = action == CliAction.Server ? "server" : "client";
        string role = $"with {RunOptions.Role.Name} {action}";
        string? fault = (action is CliAction.Server or CliAction.Client, Mutual: tls.Mutual, HasOwn: tls.CertificateFile is not null) switch
        {
            (true, true, false) => $"{MutualTls} {role} requires {StreamOptions.CertificateName} {side}.crt {StreamOptions.CertificateKeyName} {side}.key. " +
                "The command 'certificates' writes both files.",
            (true, false, true) when action == CliAction.Client => $"{StreamOptions.CertificateName} {role} requires {MutualTls}. " +
                $"Use {StreamOptions.AuthorityName} PEM to trust the certificate of the server.",
            (false, true, true) => $"{MutualTls} cannot be combined with {StreamOptions.CertificateName}: " +
                "the authority of this certificate signs none for the clients of a run.",
            _ => null,
        };
        if (fault is not null)
        {
            throw BenchmarkException.BadInput(fault);
        }
    }
}
