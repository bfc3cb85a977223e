using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Processes;
using NetCoreNetworkBenchmark.Running.Suites;
using static System.FormattableString;
using static NetCoreNetworkBenchmark.Options.OptionValues;

namespace NetCoreNetworkBenchmark.Cli.Checks;

internal static partial class PlanCheck
{
    private static readonly string[] s_optionsOfClientThreads = [ProcessOptions.ClientThreadsName, ProcessOptions.ClientLoopName];

    public static void CheckSides(CliRequest request, LibraryInfo library)
    {
        RunPlan plan = request.Plan;
        ThrowIf(
            plan.ServerThreads > library.MaxServerThreads ? Rejected(
                ProcessOptions.ServerThreadsName,
                $"{library.Name} supports at most {Plural.Format(library.MaxServerThreads.Value, "server thread")} on this system; " +
                    Invariant($"{plan.ServerThreads:N0} were requested."))
            : !library.ClientThreadsByPlan && s_optionsOfClientThreads.FirstOrDefault(request.IsGiven) is { } option ? Rejected(
                option, $"{library.Name} decides the threads of its clients itself. Omit the option.")
            : null);
        CheckHosts(request);
        CheckCores(plan);
    }

    /// <summary>The cores of other hosts are checked there.</summary>
    public static void CheckCores(RunPlan plan)
    {
        if (!plan.Pinning.IsNone && plan.Hosts.IsNone)
        {
            ThrowIf(CoreAffinity.IsSupported
                ? null
                : Rejected(ProcessOptions.PinName, "only Linux and Windows can bind a process to cores. Omit the option."));
            CheckCores(plan.Pinning, CoreAffinity.OfProcess());
        }
    }

    public static void CheckCores(PinningPlan pinning, IReadOnlyList<int> available)
    {
        int[] others = [.. (pinning.ServerCores ?? []).Concat(pinning.ClientCores ?? []).Distinct().Except(available).Order()];
        ThrowIf(others.Length == 0 ? null : Rejected(
            ProcessOptions.PinName, $"this process may not use core {CoreList.Text(others)}. Use cores of {CoreList.Text(available)}."));
    }

    public static void CheckOneSide(CliRequest request, IWorkload workload)
    {
        bool isServer = request.Action == CliAction.Server;
        RunPlan plan = request.Plan;
        string side = isServer ? "server" : "clients";
        ThrowIf(
            !isServer && plan.Port == 0
                ? Rejected("--port", Invariant($"--role Client requires the port of the server, from 1 to {ushort.MaxValue:N0}."))
            : !isServer && workload.LatencyKind == LatencyKind.OneWay && plan.Rate is not null ? Rejected(
                "--rate", $"the server keeps the schedule of {workload.Name}, so give it to --role Server alone. " +
                    $"{HostOptions.ServerHostName} and {HostOptions.ClientHostsName} measure whether it keeps it.")
            : isServer && request.Live ? Rejected(RunOptions.Live.Name, "--role Server measures no load. Use --role Client, or both sides.")
            : isServer && plan.Limits is not null
                ? Rejected(LoadOptions.LimitName, "--role Server measures no load. Use --role Client, or both sides.")
            : !isServer && (plan.HasLimit(LimitKind.ServerCpu) || plan.HasLimit(LimitKind.ServerCores))
                ? Rejected(LoadOptions.LimitName, "--role Client does not know the server's CPU time. Use other limits, or both sides.")
            : (isServer ? plan.Pinning.ClientCores : plan.Pinning.ServerCores) is not null
                ? Rejected(ProcessOptions.PinName, $"--role {request.Action} is the {side} alone. Use {side}=CORES.")
            : null);
    }

    /// <summary>The latency of one way is known only if both ends read one clock.</summary>
    public static void CheckLatencyIsKnown(RunPlan plan, IWorkload workload, IPAddress server)
    {
        bool isApart = plan.Hosts.IsNone
            ? !ThisMachine.HasAddress(server)
            : plan.Hosts.ClientHosts.DefaultIfEmpty().Any(clients => clients?.Name != plan.Hosts.ServerHost);
        ThrowIf(isApart && workload.LatencyKind == LatencyKind.OneWay
            && plan.Limits?.FirstOrDefault(limit => limit.Kind is LimitKind.Latency or LimitKind.Age) is { } limit
            ? Rejected(LoadOptions.LimitName, $"{limit.Text} requires latencies, and the time of one way is known only if the clients run on the " +
                "server's machine. Use other limits.")
            : null);
    }

    public static void CheckLimitsAreMeasured(RunPlan plan, IWorkload workload)
    {
        string? MissingFor(LimitKind kind) => kind switch
        {
            LimitKind.LateTicks when plan.Tick is null => "has no ticks",
            LimitKind.Age when workload.InputSchedule(plan) is null => "has no states",
            _ => null,
        };
        ThrowIf(plan.Limits?.FirstOrDefault(limit => MissingFor(limit.Kind) is not null) is { } limit
            ? Rejected(LoadOptions.LimitName, $"{limit.Text} is not applicable to -t {plan.Test}, which {MissingFor(limit.Kind)}. Use other limits.")
            : null);
    }

    public static void CheckWireIsCounted(CliRequest request, RunPlan plan, IWorkload workload)
    {
        RunLimit? limit = plan.Limits?.FirstOrDefault(candidate => candidate.Kind == LimitKind.Wire);
        ThrowIf(limit is null ? null
            : request is { Action: not CliAction.Sweep, Launches: null, IsComparison: false } ? Rejected(
                LoadOptions.LimitName, $"{limit.Text} requires {RunOptions.Sweep.Name}, {RunOptions.Launches.Name} or several values to compare, because " +
                    "packets are counted in a launch of their own.")
            : PacketCount.FindReason(plan, workload) is { } reason
                ? Rejected(LoadOptions.LimitName, $"{limit.Text} cannot be checked. {reason} Use other limits.")
            : null);
    }

    /// <summary>A side that was started by hand has the user's certificates, because no key is handed over between hosts.</summary>
    public static void CheckCertificates(CliAction action, TlsPlan tls)
    {
        const string MutualTls = "--mutual-tls";
        string side = action == CliAction.Server ? "server" : "client";
        string role = $"with {RunOptions.Role.Name} {action}";
        string? fault = (IsAlone: action is CliAction.Server or CliAction.Client, tls.Mutual, HasOwn: tls.CertificateFile is not null) switch
        {
            (true, true, false) => $"{MutualTls} {role} requires {StreamOptions.CertificateName} {side}.crt {StreamOptions.CertificateKeyName} {side}.key. " +
                "The command 'certificates' writes both files.",
            (true, false, true) when action == CliAction.Client => $"{StreamOptions.CertificateName} {role} requires {MutualTls}. " +
                $"Use {StreamOptions.AuthorityName} PEM to trust the certificate of the server.",
            (false, true, true) => $"{MutualTls} cannot be combined with {StreamOptions.CertificateName}: " +
                "the authority of this certificate signs none for the clients of a run.",
            _ => null,
        };
        ThrowIf(fault is null ? null : BenchmarkException.BadInput(fault));
    }

    public static void CheckHosts(CliRequest request)
    {
        RunPlan plan = request.Plan;
        string? fault = request switch
        {
            { Plan.Hosts.IsNone: true } => null,
            { Action: CliAction.Regress } => "regress compares two versions on this machine. Use compare with results of both",
            _ when plan.MulticastGroup is not null => $"the multicast group {plan.Address} requires one machine. Use an address of one host",
            _ when plan.Hosts.ServerHost is null && IsLoopback(plan.Address) =>
                $"other hosts cannot reach a server at {plan.Address}. Use {HostOptions.ServerHostName}, " +
                    $"or an address of this host ({LoadOptions.AddressName})",
            _ => null,
        };
        ThrowIf(fault is null ? null : Rejected(OptionOf(plan.Hosts), $"{fault}."));
    }

    public static void RequireHosts(HostsPlan hosts, string option) => ThrowIf(!hosts.IsNone ? null : BenchmarkException.BadInput(
        $"{option} requires hosts, such as {HostOptions.ServerHostName} node1 {HostOptions.ClientHostsName} node2,node3."));

    public static void CheckPart(CliRequest request) => ThrowIf(
        request.IsGiven(ImpairmentOptions.NetworkName) && !request.BenchmarkPart.HasNetworks
            ? BenchmarkException.BadInput($"{ImpairmentOptions.NetworkName} has no effect with -b{request.BenchmarkPart.Suffix}. Omit it, or use -b=networks.")
        : request.BenchmarkPart.HasSlices ? null
        : request.Action == CliAction.Regress
            ? Rejected(RunOptions.Benchmark.Name, $"regress cannot divide the cases of {request.BenchmarkPart.Name} into slices. Use another part.")
        : !request.Plan.Hosts.IsNone ? Rejected(
            OptionOf(request.Plan.Hosts), $"-b{request.BenchmarkPart.Suffix} requires both sides on this machine. Use another part.")
        : null);

    private static string OptionOf(HostsPlan hosts) => hosts.ServerHost is null ? HostOptions.ClientHostsName : HostOptions.ServerHostName;

    private static bool IsLoopback(string text) => text == "localhost" || (IPAddress.TryParse(text, out IPAddress? address) && IPAddress.IsLoopback(address));
}
