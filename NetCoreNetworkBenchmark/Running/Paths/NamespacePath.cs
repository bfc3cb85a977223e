using System.Text.RegularExpressions;
using NetCoreNetworkBenchmark.Running.Hosts;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Running.Paths;

/// <summary>Uses TUN devices and nftables, because kernels of containers and small virtual machines often lack netem (tc-netem(8)).</summary>
internal sealed partial class NamespacePath : IAsyncDisposable
{
    public const string ServerAddress = "10.198.0.1";
    public const string ClientAddress = "10.198.0.2";

    private const string Device = "path";
    private const string IPv6Switch = $"/proc/sys/net/ipv6/conf/{Device}/disable_ipv6";
    private const string Table = "netbench";
    private const string Counter = "lost";
    private const int Shares = 1_000_000;

    private readonly string _name;
    private readonly bool _loses;
    private TunDevice? _server;
    private TunDevice? _client;
    private PacketRelay? _relay;

    private NamespacePath(string name, bool loses) => (_name, _loses) = (name, loses);

    public Task<Exception> Broken => _relay!.Broken;
    public HostNamespace Server => HostNamespace.For(ServerHost);
    public HostNamespace Client => HostNamespace.For(ClientHost);
    private string ServerHost => $"{_name}-server";
    private string ClientHost => $"{_name}-client";

    public RunPlan PlanOf(RunPlan plan) => plan with
    {
        Impairment = new ImpairmentPlan(),
        Hosts = new HostsPlan { ServerHost = ServerHost, ClientHosts = [new ClientHost(ClientHost)], Launcher = Launcher.Namespaces },
        Address = ServerAddress,

        // The certificates are those of the plan.
        Tls = plan.Tls with { ServerName = plan.ServerName },
    };

    /// <returns>A clause; null if nothing is known to be missing.</returns>
    public static string? FindMissing(bool loses) =>
        !OperatingSystem.IsLinux() ? "only Linux has network namespaces"
        : !Environment.IsPrivilegedProcess ? "only root can create network namespaces"
        : SystemProgram.Find("ip") is null ? "the program ip (package iproute2) is not installed"
        : loses && SystemProgram.Find("nft") is null ? "the program nft (package nftables) is not installed"
        : !File.Exists(TunDevice.Driver) ? $"there is no {TunDevice.Driver} (modprobe tun)"
        : null;

    /// <param name="cancellationToken">Ends it early. Nothing is left then.</param>
    public static async Task<NamespacePath> OpenAsync(string name, double loss, TimeSpan delay, CancellationToken cancellationToken)
    {
        foreach (HostNamespace abandoned in HostNamespace.Abandoned())
        {
            await abandoned.RemoveAsync().ConfigureAwait(false);
        }

        var path = new NamespacePath(name, loses: loss > 0);
        try
        {
            path._server = await AddEndAsync(path.Server, ServerAddress, loss, cancellationToken).ConfigureAwait(false);
            path._client = await AddEndAsync(path.Client, ClientAddress, loss, cancellationToken).ConfigureAwait(false);
            path._relay = new PacketRelay(path._server, path._client, delay);
            return path;
        }
        catch
        {
            await path.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    public async Task<PathCounts> CountAsync(CancellationToken cancellationToken)
    {
        _relay!.ThrowIfBroken();
        return new PathCounts(
            _relay.FromSecond,
            _loses ? await LostAsync(Server, cancellationToken).ConfigureAwait(false) : 0,
            _relay.FromFirst,
            _loses ? await LostAsync(Client, cancellationToken).ConfigureAwait(false) : 0);
    }

    public async ValueTask DisposeAsync()
    {
        _relay?.Dispose();
        _server?.Dispose();
        _client?.Dispose();
        foreach (HostNamespace end in (HostNamespace[])[Server, Client])
        {
            if (File.Exists(end.File))
            {
                await end.RemoveAsync().ConfigureAwait(false);
            }
        }
    }

    private static async Task<TunDevice> AddEndAsync(HostNamespace end, string address, double loss, CancellationToken cancellationToken)
    {
        await end.AddAsync(cancellationToken).ConfigureAwait(false);
        TunDevice device = await TunDevice.OpenAsync(end, Device).ConfigureAwait(false);
        try
        {
            // No packets but those of the load: IPv6 would announce itself. A queue that is never full: loss is by the rule alone.
            await end.ExecuteAsync("sh", ["-c", $"[ ! -e {IPv6Switch} ] || echo 1 > {IPv6Switch}"], cancellationToken).ConfigureAwait(false);
            await end.SetAsync(["link", "set", Device, "mtu", $"{TunDevice.Mtu}", "txqueuelen", "10000", "up"], cancellationToken).ConfigureAwait(false);
            await end.SetAsync(["address", "add", $"{address}/30", "dev", Device], cancellationToken).ConfigureAwait(false);
            if (loss > 0)
            {
                await end.ExecuteAsync("nft", [RulesFor(loss)], cancellationToken).ConfigureAwait(false);
            }

            return device;
        }
        catch
        {
            device.Dispose();
            throw;
        }
    }

    // The random numbers of the kernel cannot be seeded. The loopback of the namespace loses nothing.
    private static string RulesFor(double loss)
    {
        string share = Invariant($"{Math.Round(loss * Shares):0}");
        return $"add table inet {Table}; add counter inet {Table} {Counter}; " +
            $"add chain inet {Table} input {{ type filter hook input priority 0; policy accept; }}; " +
            $"add rule inet {Table} input iifname {Device} numgen random mod {Shares} < {share} counter name {Counter} drop";
    }

    private static async Task<long> LostAsync(HostNamespace end, CancellationToken cancellationToken)
    {
        string listed = await end.ExecuteAsync("nft", ["list", "counter", "inet", Table, Counter], cancellationToken).ConfigureAwait(false);
        return PacketCount().Match(listed) is { Success: true } match
            ? long.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture)
            : throw new BenchmarkException($"nft did not show how many packets were lost: {listed.Trim()}");
    }

    [GeneratedRegex(@"packets (\d+)")]
    private static partial Regex PacketCount();
}

internal sealed record PathCounts(WireTraffic ToServer, long LostToServer, WireTraffic ToClients, long LostToClients)
{
    public RelayCounts Since(PathCounts earlier, int clients) => new(
        Difference(ToServer, earlier.ToServer, LostToServer - earlier.LostToServer),
        Difference(ToClients, earlier.ToClients, LostToClients - earlier.LostToClients),
        Stalls: 0,
        clients);

    private static RelayDirectionCounts Difference(WireTraffic passed, WireTraffic earlier, long lost)
    {
        var wire = new WireTraffic(passed.Packets - earlier.Packets, passed.Bytes - earlier.Bytes);
        return new(wire.Packets, wire.Packets - lost, lost, 0, 0, 0, 0, Missed: null, Wire: wire);
    }
}
