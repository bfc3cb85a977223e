using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Libraries.Sockets;

/// <summary>A client's second socket, which receives the messages of the multicast group.</summary>
internal sealed class SocketsGroupMember : IPollable
{
    private readonly SocketsClient _client;
    private readonly WorkerStatistics _worker;
    private readonly int _receivesATurn;
    private readonly Socket _socket;
    private readonly byte[] _buffer;
    private bool _closed;

    public SocketsGroupMember(ClientSetup setup, SocketsClient client, WorkerStatistics worker, int receivesATurn)
    {
        _client = client;
        _worker = worker;
        _receivesATurn = receivesATurn;
        _buffer = new byte[setup.Plan.MessageSize + 1];
        _socket = MulticastGroup.Join(setup, socket =>
        {
            socket.Blocking = false;
            SocketBuffers.Reserve(socket, SocketBuffers.NeededByClient(setup.Plan));
        });
        SocketHandle = _socket.Handle;
    }

    public nint SocketHandle { get; }

    public void OnReadable()
    {
        for (int turn = 0; turn < _receivesATurn && !_closed; turn++)
        {
            int length = _socket.Receive(_buffer, SocketFlags.None, out SocketError error);
            if (error == SocketError.Success)
            {
                _worker.ReadClock();
                _client.OnGroupMessage(_buffer.AsSpan(0, length));
            }
            else if (error == SocketError.WouldBlock)
            {
                return;
            }
            else
            {
                _client.CountError(error);
            }
        }
    }

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
        if (!_closed)
        {
            _closed = true;
            _socket.Dispose();
        }
    }
}
