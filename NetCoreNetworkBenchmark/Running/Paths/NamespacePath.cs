using NetCoreNetworkBenchmark.Impairment;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Hosts;
using NetCoreNetworkBenchmark.Running.Outcome;

namespace NetCoreNetworkBenchmark.Running.Paths;

/// <summary>Uses TUN devices and a relay in this process, because kernels of containers and small virtual machines often lack netem (tc-netem(8)).</summary>
internal sealed class NamespacePath : IAsyncDisposable
{
    public const string ServerAddress = "10.198.0.1";
    public const string ClientAddress = "10.198.0.2";

    private const string Device = "path";
    private const string IPv6Switch = $"/proc/sys/net/ipv6/conf/{Device}/disable_ipv6";

    private readonly RunRecorder _recorder = new();
    private HostNamespace? _serverSide;
    private HostNamespace? _clientSide;
    private TunDevice? _server;
    private TunDevice? _client;
    private Relay? _relay;

    private NamespacePath()
    {
    }

    public Task<Exception> Broken => _recorder.Fault;
    public Relay Relay => _relay!;
    public HostNamespace Server => _serverSide!;
    public HostNamespace Client => _clientSide!;

    public RunPlan PlanOf(RunPlan plan) => plan with
    {
        Hosts = new HostsPlan
        {
            ServerHost = Server.Host,
            ClientHosts = [new ClientHost(Client.Host)],
            Launcher = Launcher.Namespaces,
        },
        Address = ServerAddress,

        // The certificates are those of the plan.
        Tls = plan.Tls with { ServerName = plan.ServerName },
    };

    /// <returns>A clause; null if nothing is known to be missing.</returns>
    public static string? FindMissing() =>
        !OperatingSystem.IsLinux() ? "only Linux has network namespaces"
        : !Environment.IsPrivilegedProcess ? "only root can create network namespaces"
        : SystemProgram.Find("ip") is null ? "the program ip (package iproute2) is not installed"
        : SystemProgram.Find(HostNamespace.Program) is null ? $"the program {HostNamespace.Program} (package util-linux) is not installed"
        : !File.Exists(TunDevice.Driver) ? $"there is no {TunDevice.Driver} (modprobe tun)"
        : null;

    /// <summary>Whether only such a path can impair the traffic as the plan says.</summary>
    public static bool IsRequired(RunPlan plan) =>
        plan.Impairment.NeighbourBitsPerSecond is not null || (plan.Protocol.IsOverTcp() && plan.Impairment.IsOfPackets);

    /// <param name="cancellationToken">Ends it early. Nothing is left then.</param>
    public static async Task<NamespacePath> OpenAsync(ImpairmentPlan impairment, CancellationToken cancellationToken)
    {
        var path = new NamespacePath();
        try
        {
            path._serverSide = await HostNamespace.CreateAsync("server");
            path._server = await AddDeviceAsync(path.Server, ServerAddress, cancellationToken);
            path._clientSide = await HostNamespace.CreateAsync("clients");
            path._client = await AddDeviceAsync(path.Client, ClientAddress, cancellationToken);
            var server = new IPEndPoint(IPAddress.Parse(ServerAddress), 0);
            var setup = new RelaySetup(server, server, impairment, new RunPlan { Library = string.Empty }, path._recorder);
            path._relay = Relay.Between(path._server, path._client, setup);
            return path;
        }
        catch
        {
            await path.DisposeAsync();
            throw;
        }
    }

    /// <summary>Measures a plan whose impairment is that of the path.</summary>
    /// <param name="create">Creates the run of a plan, whose sides are at the ends of the path, with its participants.</param>
    public async Task<RunResult> MeasureAsync(
        RunPlan plan, LibraryInfo library, IWorkload workload, Func<RunPlan, ParticipantGroup, Run> create, CancellationToken cancellationToken)
    {
        RunPlan here = PlanOf(plan);
        var relay = new PathRelay(this, plan.Clients, waitsForQuiet: false, plan.Impairment.NeighbourBitsPerSecond);
        ParticipantGroup participants = Placement.InFreshProcesses(here, relay: relay);
        RunResult result = await create(here, participants).RunAsync(cancellationToken);
        return result with { Plan = plan, Command = PlanArguments.CommandOf(plan, library, workload) };
    }

    public async ValueTask DisposeAsync()
    {
        if (_relay is not null)
        {
            await _relay.DisposeAsync();
        }

        _server?.Dispose();
        _client?.Dispose();
        _recorder.Dispose();
        _serverSide?.Dispose();
        _clientSide?.Dispose();
    }

    private static async Task<TunDevice> AddDeviceAsync(HostNamespace end, string address, CancellationToken cancellationToken)
    {
        TunDevice device = await TunDevice.OpenAsync(end, Device);
        try
        {
            // No packets but those of the load: IPv6 would announce itself. A queue that is never full: loss is by the relay alone.
            await end.RunAsync("sh", ["-c", $"[ ! -e {IPv6Switch} ] || echo 1 > {IPv6Switch}"], cancellationToken);
            await end.RunAsync("ip", ["link", "set", "lo", "up"], cancellationToken);
            await end.RunAsync("ip", ["link", "set", Device, "mtu", $"{TunDevice.Mtu}", "txqueuelen", "10000", "up"], cancellationToken);
            await end.RunAsync("ip", ["address", "add", $"{address}/30", "dev", Device], cancellationToken);
            return device;
        }
        catch
        {
            device.Dispose();
            throw;
        }
    }
}
