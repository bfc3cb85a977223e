using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;

namespace NetCoreNetworkBenchmark.Libraries.Sockets;

internal sealed class SocketsGroupMember : IPollable
{
    private readonly SocketsClient _client;
    private readonly Socket _socket;
    private bool _closed;

    public SocketsGroupMember(ClientSetup setup, SocketsClient client)
    {
        _client = client;
        _socket = MulticastGroup.Join(setup, socket =>
        {
            socket.Blocking = false;
            SocketBuffers.Reserve(socket, SocketBuffers.NeededByClient(setup.Plan));
        });
        SocketHandle = _socket.Handle;
    }

    public nint SocketHandle { get; }

    public void OnReadable() => _client.Receive(_socket, isGroup: true);

    /// <summary>Closes the socket, unless the loop has already closed it.</summary>
    public void Leave(PollLoop loop)
    {
        if (!_closed)
        {
            loop.Remove(this);
            Dispose();
        }
    }

    public void Dispose()
    {
        _closed = true;
        _socket.Dispose();
    }
}
