using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Callbacks;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;

namespace MyLibrary;

// Replace the sockets by the library. The base class divides the stream into messages, keeps the calls serial and gathers what it sends.
internal abstract class StreamConnection(StreamSide side, Socket socket, IConnectObserver? observer) : ReadingPeer(side, observer)
{
    protected Socket Socket => socket;

    protected Stream Stream()
    {
        socket.NoDelay = true;
        return new NetworkStream(socket, ownsSocket: false);
    }

    // A shutdown lets the pending receive end, and the other side gets what was sent.
    protected override void CloseTransport(bool canSend)
    {
        try
        {
            socket.Shutdown(SocketShutdown.Both);
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            // It is not connected, or the other side is gone.
            socket.Dispose();
        }
    }

    protected override ValueTask ReleaseAsync()
    {
        socket.Dispose();
        return ValueTask.CompletedTask;
    }
}

internal sealed class AcceptedConnection(StreamSide side, Socket socket) : StreamConnection(side, socket, observer: null)
{
    protected override Task<Stream?> EstablishAsync() => Task.FromResult<Stream?>(Stream());
}

internal sealed class StreamClient(ClientSetup setup, StreamSide side, IConnectObserver observer)
    : StreamConnection(side, new Socket(setup.EndPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp), observer), ICallbackClient
{
    public void Connect() => _ = Task.Run(RunAsync);

    protected override async Task<Stream?> EstablishAsync()
    {
        try
        {
            await Socket.ConnectAsync(setup.EndPoint);
            SelfConnection.ThrowIf(Socket, setup.EndPoint);
            return Stream();
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            Refuse($"{setup.EndPoint} cannot be reached: {StreamFailure.NameOf(exception)}");
            return null;
        }
    }
}

internal sealed class StreamServer : IBenchmarkServer
{
    private readonly Socket _listener;
    private readonly ReadingConnections _connections;

    public StreamServer(ServerSetup setup)
    {
        var side = StreamSide.For(setup);
        _listener = ServerSocket.Listen(setup);
        EndPoint = (IPEndPoint)_listener.LocalEndPoint!;
        _connections = new ReadingConnections(
            setup, side, async () => new AcceptedConnection(side, await _listener.AcceptAsync()), exception => Failed(side, exception));
    }

    public IPEndPoint EndPoint { get; }

    public async ValueTask DisposeAsync() => await _connections.StopAsync(() =>
    {
        _listener.Dispose();
        return ValueTask.CompletedTask;
    });

    // Without descriptors an accept fails at once, again and again.
    private static Task Failed(StreamSide side, Exception exception)
    {
        side.CountError(StreamFailure.NameOf(exception));
        return Task.Delay(TimeSpan.FromMilliseconds(50));
    }
}
