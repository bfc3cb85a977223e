namespace NetCoreNetworkBenchmark.Libraries.WebSockets;

/// <summary>.NET's WebSockets: servers on Kestrel, clients of <see cref="System.Net.WebSockets.ClientWebSocket"/>, binary messages of RFC 6455.</summary>
public sealed class WebSocketsBenchmark : INetworkBenchmark
{
    private const int Overhead = 2 + 4;

    public string Name => "WebSockets";

    public LibraryInfo Info => field ??= new()
    {
        Name = Name,
        Unavailable = AspNetCoreRuntime.Problem,
        Version = Environment.Version.ToString(),
        Protocols = [Protocol.Tcp, Protocol.Ssl],
        ServerPushTransports = [Protocol.Tcp, Protocol.Ssl],
        Framings = [Framing.Fixed, Framing.Length, Framing.Checked],
        WireFormat = "WebSocket",
        Transmissions =
        [
            new TransmissionInfo(Transmission.Reliable, Overhead, RunPlan.LargestStreamMessage)
            {
                OverheadParts = "2 of the header of a message of up to 125 bytes and 4 of the mask of a client (RFC 6455, section 5.2)",
            },
        ],
    };

    public IBenchmarkServer StartServer(ServerSetup setup) =>
        AspNetCoreRuntime.Problem is { } problem ? throw new BenchmarkException($"{Name} cannot run here: {problem}.") : Start(setup);

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        var side = StreamSide.For(setup);
        DotNetTls? tls = setup.Plan.Protocol == Protocol.Ssl ? DotNetTls.For(setup) : null;
        return CallbackClientGroup.ConnectAsync(Name, setup, observer => new WebSocketClient(setup, side, tls, observer), cancellationToken);
    }

    // A separate method, so that a caller that requests anything else is compiled before these types are resolved.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WebSocketServer Start(ServerSetup setup) => new(setup);
}
