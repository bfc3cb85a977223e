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

    private readonly string _name;
    private readonly RunRecorder _recorder = new();
    private TunDevice? _server;
    private TunDevice? _client;
    private Relay? _relay;

    private NamespacePath(string name) => _name = name;

    public Task<Exception> Broken => _recorder.Fault;
    public Relay Relay => _relay!;
    public HostNamespace Server => HostNamespace.For(ServerHost);
    public HostNamespace Client => HostNamespace.For(ClientHost);
    private string ServerHost => $"{_name}-server";
    private string ClientHost => $"{_name}-client";

    public RunPlan PlanOf(RunPlan plan) => plan with
    {
        // The path impairs the traffic. The sides need to know its interruptions alone.
        Impairment = new ImpairmentPlan { Stall = plan.Impairment.Stall, Outage = plan.Impairment.Outage },
        Hosts = new HostsPlan { ServerHost = ServerHost, ClientHosts = [new ClientHost(ClientHost)], Launcher = Launcher.Namespaces },
        Address = ServerAddress,

        // The certificates are those of the plan.
        Tls = plan.Tls with { ServerName = plan.ServerName },
    };

    /// <returns>A clause; null if nothing is known to be missing.</returns>
    public static string? FindMissing() =>
        !OperatingSystem.IsLinux() ? "only Linux has network namespaces"
        : !Environment.IsPrivilegedProcess ? "only root can create network namespaces"
        : SystemProgram.Find("ip") is null ? "the program ip (package iproute2) is not installed"
        : !File.Exists(TunDevice.Driver) ? $"there is no {TunDevice.Driver} (modprobe tun)"
        : null;

    /// <summary>Whether only such a path can impair the traffic as the plan says.</summary>
    public static bool IsRequired(RunPlan plan) => plan.Protocol.IsOverTcp() && plan.Impairment.IsOfPackets;

    /// <param name="cancellationToken">Ends it early. Nothing is left then.</param>
    public static async Task<NamespacePath> OpenAsync(string name, ImpairmentPlan impairment, CancellationToken cancellationToken)
    {
        foreach (HostNamespace abandoned in HostNamespace.Abandoned())
        {
            await abandoned.RemoveAsync().ConfigureAwait(false);
        }

        var path = new NamespacePath(name);
        try
        {
            path._server = await AddEndAsync(path.Server, ServerAddress, cancellationToken).ConfigureAwait(false);
            path._client = await AddEndAsync(path.Client, ClientAddress, cancellationToken).ConfigureAwait(false);
            var server = new IPEndPoint(IPAddress.Parse(ServerAddress), 0);
            path._relay = Relay.Between(path._server, path._client, new RelaySetup
            {
                EndPoint = server,
                Server = server,
                Impairment = impairment,
                Plan = new RunPlan { Library = string.Empty },
                Recorder = path._recorder,
            });
            return path;
        }
        catch
        {
            await path.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Measures a plan whose impairment is that of the path.</summary>
    /// <param name="create">Creates the run of a plan, whose sides are at the ends of the path, with its participants.</param>
    public async Task<RunResult> MeasureAsync(
        RunPlan plan, LibraryInfo library, IWorkload workload, Func<RunPlan, ParticipantGroup, Run> create, CancellationToken cancellationToken)
    {
        RunPlan here = PlanOf(plan);
        ParticipantGroup participants = Placement.InFreshProcesses(here, relay: new PathRelay(this, plan.Clients, waitsForQuiet: false));
        RunResult result = await create(here, participants).RunAsync(cancellationToken).ConfigureAwait(false);
        return result with { Plan = plan, Command = PlanArguments.CommandOf(plan, library, workload) };
    }

    public async ValueTask DisposeAsync()
    {
        if (_relay is not null)
        {
            await _relay.DisposeAsync().ConfigureAwait(false);
        }

        _server?.Dispose();
        _client?.Dispose();
        _recorder.Dispose();
        foreach (HostNamespace end in (HostNamespace[])[Server, Client])
        {
            if (File.Exists(end.File))
            {
                await end.RemoveAsync().ConfigureAwait(false);
            }
        }
    }

    private static async Task<TunDevice> AddEndAsync(HostNamespace end, string address, CancellationToken cancellationToken)
    {
        await end.AddAsync(cancellationToken).ConfigureAwait(false);
        TunDevice device = await TunDevice.OpenAsync(end, Device).ConfigureAwait(false);
        try
        {
            // No packets but those of the load: IPv6 would announce itself. A queue that is never full: loss is by the relay alone.
            await end.ExecuteAsync("sh", ["-c", $"[ ! -e {IPv6Switch} ] || echo 1 > {IPv6Switch}"], cancellationToken).ConfigureAwait(false);
            await end.SetAsync(["link", "set", Device, "mtu", $"{TunDevice.Mtu}", "txqueuelen", "10000", "up"], cancellationToken).ConfigureAwait(false);
            await end.SetAsync(["address", "add", $"{address}/30", "dev", Device], cancellationToken).ConfigureAwait(false);
            return device;
        }
        catch
        {
            device.Dispose();
            throw;
        }
    }
}
