using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Processes;
using NetCoreNetworkBenchmark.Running.Sessions;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Checks;

internal static partial class PlanCheck
{
    private static readonly string[] s_optionsOfClientThreads = [ProcessOptions.ClientThreadsName, ProcessOptions.ClientLoopName];

    public static void CheckSides(CliRequest request, LibraryInfo library)
    {
        RunPlan plan = request.Plan;
        Rule.Check(
        [
            new(ProcessOptions.ServerThreadsName, plan.ServerThreads > library.MaxServerThreads, () =>
                $"{library.Name} supports at most {Plural.Format(library.MaxServerThreads!.Value, "server thread")} on this system; " +
                    Invariant($"{plan.ServerThreads:N0} were requested.")),
            .. s_optionsOfClientThreads.Select(option => new Rule(option, !library.ClientThreadsByPlan && request.IsGiven(option), () =>
                $"{library.Name} decides the threads of its clients itself. Omit the option.")),
        ]);
        CheckHosts(request);
        CheckCores(plan);
    }

    /// <summary>The cores of other hosts are checked there.</summary>
    public static void CheckCores(RunPlan plan)
    {
        if (!plan.Pinning.IsNone && plan.Hosts.IsNone)
        {
            Rule.Check([new(ProcessOptions.PinName, !CoreAffinity.IsSupported, () => "only Linux and Windows can bind a process to cores. Omit the option.")]);
            CheckCores(plan.Pinning, CoreAffinity.OfProcess());
        }
    }

    public static void CheckCores(PinningPlan pinning, IReadOnlyList<int> available)
    {
        int[] others = [.. (pinning.ServerCores ?? []).Concat(pinning.ClientCores ?? []).Distinct().Except(available).Order()];
        Rule.Check([new(ProcessOptions.PinName, others.Length > 0, () =>
            $"this process may not use core {CoreList.Text(others)}. Use cores of {CoreList.Text(available)}.")]);
    }

    public static void CheckOneSide(CliRequest request, IWorkload workload)
    {
        const string NoLoad = "--role Server measures no load. Use --role Client, or both sides.";
        bool isServer = request.Action == CliAction.Server;
        RunPlan plan = request.Plan;
        string side = isServer ? "server" : "clients";
        Rule.Check(
        [
            new("--port", !isServer && plan.Port == 0, () => Invariant($"--role Client requires the port of the server, from 1 to {ushort.MaxValue:N0}.")),
            new(LoadOptions.RateName, !isServer && workload.LatencyKind == LatencyKind.OneWay && plan.Rate is not null, () =>
                $"the server keeps the schedule of {workload.Name}, so give it to --role Server alone. " +
                    $"{HostOptions.ServerHostName} and {HostOptions.ClientHostsName} measure whether it keeps it."),
            new(RunOptions.LiveName, isServer && request.Live, () => NoLoad),
            new(LoadOptions.LimitName, isServer && plan.Limits is not null, () => NoLoad),
            new(LoadOptions.LimitName, !isServer && (plan.HasLimit(LimitKind.ServerCpu) || plan.HasLimit(LimitKind.ServerCores)), () =>
                "--role Client does not know the server's CPU time. Use other limits, or both sides."),
            new(ProcessOptions.PinName, (isServer ? plan.Pinning.ClientCores : plan.Pinning.ServerCores) is not null, () =>
                $"--role {request.Action} is the {side} alone. Use {side}=CORES."),
        ]);
    }

    /// <summary>The latency of one way is known only if both ends read one clock.</summary>
    public static void CheckLatencyIsKnown(RunPlan plan, IWorkload workload, IPAddress server)
    {
        bool isApart = plan.Hosts.IsNone
            ? !ThisMachine.HasAddress(server)
            : plan.Hosts.ClientHosts.DefaultIfEmpty().Any(clients => clients?.Name != plan.Hosts.ServerHost);
        RunLimit? limit = plan.Limits?.FirstOrDefault(candidate => candidate.Kind is LimitKind.Latency or LimitKind.Age);
        Rule.Check([new(LoadOptions.LimitName, isApart && workload.LatencyKind == LatencyKind.OneWay && limit is not null, () =>
            $"{limit!.Text} requires latencies, and the time of one way is known only if the clients run on the server's machine. Use other limits.")]);
    }

    public static void CheckLimitsAreMeasured(RunPlan plan, IWorkload workload) => Rule.Check(
        from limit in plan.Limits ?? []
        let missing = limit.Kind switch
        {
            LimitKind.LateTicks when plan.Tick is null => "ticks",
            LimitKind.Age when workload.InputSchedule(plan) is null => "states",
            _ => null,
        }
        select new Rule(LoadOptions.LimitName, missing is not null, () =>
            $"{limit.Text} is not applicable to -t {plan.Test}, which has no {missing}. Use other limits."));

    public static void CheckWireIsCounted(CliRequest request, RunPlan plan, IWorkload workload)
    {
        RunLimit? limit = plan.Limits?.FirstOrDefault(candidate => candidate.Kind == LimitKind.Wire);
        string? reason = limit is null ? null : PacketCount.FindReason(plan, workload);
        Rule.Check(limit is null ? [] :
        [
            new(LoadOptions.LimitName, request is { Action: not CliAction.Sweep, Launches: null, IsComparison: false }, () =>
                $"{limit.Text} requires --sweep, --launches or several values to compare, because packets are counted in a launch of their own."),
            new(LoadOptions.LimitName, reason is not null, () => $"{limit.Text} cannot be checked. {reason} Use other limits."),
        ]);
    }

    public static void CheckHosts(CliRequest request)
    {
        RunPlan plan = request.Plan;
        string option = OptionOf(plan.Hosts);
        Rule.Check(plan.Hosts.IsNone ? [] :
        [
            new(option, request.Action == CliAction.Regress, () => "regress compares two versions on this machine. Use compare with results of both."),
            new(option, plan.MulticastGroup is not null, () => $"the multicast group {plan.Address} requires one machine. Use an address of one host."),
            new(option, plan.Hosts.ServerHost is null && IsLoopback(plan.Address), () =>
                $"other hosts cannot reach a server at {plan.Address}. Use {HostOptions.ServerHostName}, " +
                    $"or an address of this host ({LoadOptions.AddressName})."),
        ]);
    }

    public static void RequireHosts(HostsPlan hosts, string option) => Rule.Check(
        [Rule.Refuse(option, hosts.IsNone, () => $"requires hosts, such as {HostOptions.ServerHostName} node1 {HostOptions.ClientHostsName} node2,node3.")]);

    public static void CheckBenchmarkPart(CliRequest request)
    {
        IBenchmarkPart part = request.BenchmarkPart;
        Rule.Check(
        [
            Rule.Refuse("--network", request.IsGiven("--network") && !part.HasNetworks, () =>
                $"has no effect with -b{part.Suffix}. Omit it, or use -b=networks."),
            new("--benchmark", !part.HasSlices && request.Action == CliAction.Regress, () =>
                $"regress cannot divide the cases of {part.Name} into slices. Use another part."),
            new(OptionOf(request.Plan.Hosts), !part.HasSlices && !request.Plan.Hosts.IsNone, () =>
                $"-b{part.Suffix} requires both sides on this machine. Use another part."),
        ]);
    }

    private static string OptionOf(HostsPlan hosts) => hosts.ServerHost is null ? HostOptions.ClientHostsName : HostOptions.ServerHostName;

    private static bool IsLoopback(string text) => text == "localhost" || (IPAddress.TryParse(text, out IPAddress? address) && IPAddress.IsLoopback(address));
}
