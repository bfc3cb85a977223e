using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Hosts;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Roles;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running;

internal static class Placement
{
    // A server with ticks is judged by its CPU time, which is that of a process.
    public static bool NeedsProcesses(RunPlan plan) => plan.Tick is not null
        || !plan.Impairment.IsNone || !plan.Pinning.IsNone || !plan.Hosts.IsNone || !plan.Runtime.IsNone
        || plan.HasLimit(LimitKind.ServerCpu) || plan.HasLimit(LimitKind.ServerCores);

    public static ParticipantGroup InThisProcess(
        RunPlan plan, INetworkBenchmark library, IWorkload workload, INetworkBenchmark? clientLibrary = null, IRelayHost? relay = null)
    {
        var meter = new ProcessMeter();
        return new ParticipantGroup
        {
            Server = new LocalServer(plan, library, workload, meter),
            LoadGenerators = [new LocalLoadGenerator(plan, clientLibrary ?? library, workload, meter)],
            Relay = relay,
            IsOneProcess = true,
        };
    }

    /// <param name="pool">The idle processes of earlier runs, to which this run returns its own; null for fresh processes.</param>
    /// <param name="relay">A relay between clients and server; null for that of the plan, if it impairs the traffic.</param>
    public static ParticipantGroup InFreshProcesses(
        RunPlan plan, string? build = null, RunCredentials? credentials = null, AgentPool? pool = null, IRelayHost? relay = null)
    {
        return new ParticipantGroup
        {
            Server = new ServerAgent(plan, StartOn(plan.Hosts.ServerHost, AgentRole.Server, plan, build, pool), credentials),
            LoadGenerators = [.. LoadGeneratorsOf(plan, build, pool)],
            Relay = relay ?? (plan.Impairment.IsNone ? null : new RelayAgent(plan, StartOn(plan.Hosts.ServerHost, AgentRole.Relay, plan))),
        };
    }

    /// <summary>For a server that was started separately, of this or of any other program. It reports no figures.</summary>
    /// <param name="authority">The certificates (PEM) that the clients trust; null for those of the plan.</param>
    public static async Task<ParticipantGroup> AtSeparateServerAsync(
        RunPlan plan,
        INetworkBenchmark library,
        IWorkload workload,
        INetworkBenchmark? clientLibrary,
        CancellationToken cancellationToken,
        string? authority = null)
    {
        IReadOnlyList<IPEndPoint> addresses = await HostNames.ResolveAllAsync(plan, library.Info, Dns.GetHostAddressesAsync, cancellationToken);
        IPEndPoint? answering = addresses.Count > 1
            ? await ServerSearch.FindAsync(plan.Protocol, addresses, cancellationToken)
            : null;
        return new ParticipantGroup
        {
            Server = new RemoteServer(plan, answering is null ? addresses : [answering, .. addresses.Where(address => !address.Equals(answering))])
            {
                Credentials = authority is null ? RunCredentials.ForClientsAlone(plan) : new TlsCredentials { Authority = authority },
            },
            LoadGenerators = [new LocalLoadGenerator(plan, clientLibrary ?? library, workload, new ProcessMeter(), endsWithServer: true)],
        };
    }

    // Each host has its part of clients and rate, and arrivals of its own: random ones add up to a Poisson process, and even ones have different phases.
    private static IEnumerable<LoadGeneratorAgent> LoadGeneratorsOf(RunPlan plan, string? build, AgentPool? pool) => plan.Hosts.ClientHosts.Count == 0
        ? [new LoadGeneratorAgent(plan, StartOn(null, AgentRole.Client, plan, build, pool))]
        : plan.Hosts.PartsOf(plan.Clients).Select((part, index) => new LoadGeneratorAgent(
            PartOf(plan, part.Clients, index), StartOn(part.Host, AgentRole.Client, plan, build)));

    internal static RunPlan PartOf(RunPlan plan, int clients, int host) => plan with
    {
        Clients = clients,
        Rate = plan.Rate * clients / plan.Clients,
        LastRate = plan.LastRate * clients / plan.Clients,
        Seed = ArrivalSequence.SeedOf(plan.Seed, host),
    };

    // What is on another host ends with its run.
    private static AgentSource StartOn(string? host, AgentRole role, RunPlan plan, string? build = null, AgentPool? pool = null)
    {
        IReadOnlyList<int>? cores = CoresOf(role, plan);
        return host is not null
            ? new AgentSource(() => new AgentProcess(role, new RemoteHost(plan.Hosts, host), cores, plan.Runtime))
            : pool?.Of(role, plan, () => new AgentProcess(role, cores, build, plan.Runtime) { StaysAfterRun = true })
                ?? new AgentSource(() => new AgentProcess(role, cores, build, plan.Runtime));
    }

    private static IReadOnlyList<int>? CoresOf(AgentRole role, RunPlan plan) => role switch
    {
        AgentRole.Server => plan.Pinning.ServerCores,
        AgentRole.Client => plan.Pinning.ClientCores,
        _ => null,
    };
}
