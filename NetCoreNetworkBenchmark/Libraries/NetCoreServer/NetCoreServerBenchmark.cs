using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>
/// NetCoreServer's UDP server and client, which call back from the thread pool. The library adds no protocol to UDP, so the greeting
/// of the harness makes the connections.
/// </summary>
public sealed class NetCoreServerBenchmark : INetworkBenchmark
{
    /// <inheritdoc/>
    public string Name => "NetCoreServer";

    /// <inheritdoc/>
    public LibraryInfo Info => field ??= new()
    {
        Name = Name,
        Version = typeof(global::NetCoreServer.UdpServer).Assembly.GetName().Version!.ToString(3),
        Protocols = [Protocol.Udp],
        Transmissions = [new TransmissionInfo(Transmission.Unreliable, OverheadBytes: 0, RunPlan.LargestDatagram)],
    };

    /// <inheritdoc/>
    public IBenchmarkServer StartServer(ServerSetup setup) => NetCoreUdpServer.Bind(setup);

    /// <inheritdoc/>
    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken) =>
        NetCoreUdpClientGroup.ConnectAsync(setup, cancellationToken);

    // A buffer that no datagram fills: a full one makes the library double it in the middle of the run.
    internal static int BufferSize(RunPlan plan) => Math.Max(plan.MessageSize, DatagramGreeting.Size) + 1;

    // The library's own examples receive again through the thread pool: a receive that completes at once calls back within the
    // call, and a chain of such calls overflows the stack.
    internal static void ReceiveAgain<T>(T endpoint, Action<T> receive) =>
        ThreadPool.UnsafeQueueUserWorkItem(receive, endpoint, preferLocal: true);
}
