namespace NetCoreNetworkBenchmark.Libraries.WebSockets;

/// <summary>
/// .NET's WebSockets (System.Net.WebSockets): servers on ASP.NET Core's Kestrel, and clients of <see cref="System.Net.WebSockets.ClientWebSocket"/>. Each
/// message is one binary message of RFC 6455.
/// </summary>
public sealed class WebSocketsBenchmark : INetworkBenchmark
{
    // The header of a message of up to 125 bytes, and the key of a client's mask: RFC 6455, section 5.2.
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
        Transmissions = [new TransmissionInfo(Transmission.Reliable, Overhead, RunPlan.LargestStreamMessage)],
    };

    public IBenchmarkServer StartServer(ServerSetup setup) =>
        AspNetCoreRuntime.Problem is { } problem ? throw new BenchmarkException($"{Name} cannot run here: {problem}.") : Start(setup);

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        var side = StreamSide.Of(setup);
        DotNetTls? tls = setup.Plan.Protocol == Protocol.Ssl ? DotNetTls.Of(setup) : null;
        return CallbackClientGroup.ConnectAsync(Name, setup, observer => new WebSocketClient(setup, side, tls, observer), cancellationToken);
    }

    // A separate method, so that a caller that requests anything else is compiled before these types are resolved.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WebSocketServer Start(ServerSetup setup) => new(setup);
}
