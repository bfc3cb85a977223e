using NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Sockets;

/// <summary>.NET's own sockets, the baseline: over UDP a blocking thread per server socket and polled clients; TCP and TLS on the thread pool.</summary>
public sealed class SocketsBenchmark : INetworkBenchmark
{
    public LibraryInfo Info { get; } = new()
    {
        Name = "Sockets",
        Version = Environment.Version.ToString(),
        Protocols = [Protocol.Udp, Protocol.Tcp, Protocol.Ssl],
        Framings = Enum.GetValues<Framing>(),
        ServerPushTransports = [Protocol.Udp, Protocol.Tcp, Protocol.Ssl],
        OwnThreads = [Protocol.Tcp, Protocol.Ssl],
        Transmissions = [new TransmissionInfo(Transmission.Unreliable, OverheadBytes: 0, RunPlan.LargestDatagram)],
        HasMulticastGroups = !OperatingSystem.IsWindows(),
        MaxServerThreads = SharedPort.IsSupported ? null : 1,
        Settings = [StreamSendSetting.Setting, TlsContextSetting.Setting, CongestionControl.Setting],
        ClientThreadsByPlan = true,
        ClientRank = 1,
        HasPlainDatagrams = true,
        IsBaseline = true,
        FindFault = static (plan, _) => plan.Hosts.IsNone ? CongestionControl.FindFault(plan) : null,
    };

    public IBenchmarkServer StartServer(ServerSetup setup) =>
        setup.Plan.Protocol.IsStream() ? new StreamServer(setup) : ServerGroup.Start(setup, each => new SocketsServer(each));

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        return setup.Plan.Protocol.IsStream()
            ? ConnectStreamsAsync(setup, cancellationToken)
            : PolledClientGroup.ConnectAsync(Info.Name, setup, (loop, observer) => new SocketsClient(setup, loop, observer), cancellationToken);
    }

    private Task<IClientGroup> ConnectStreamsAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        CongestionControl.Require(setup.Plan);
        var side = StreamSide.For(setup);
        DotNetTls? tls = setup.Plan.Protocol == Protocol.Ssl ? DotNetTls.For(setup) : null;
        return CallbackClientGroup.ConnectAsync(Info.Name, setup, observer => new SocketsStreamClient(setup, side, tls, observer), cancellationToken);
    }
}
