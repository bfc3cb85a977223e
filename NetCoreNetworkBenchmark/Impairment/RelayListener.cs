using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>The socket that clients send to. It distinguishes them by their addresses and opens a socket to the server for each one.</summary>
internal sealed class RelayListener : IPollable
{
    // A turn ends after this many datagrams, so that the other sockets get their turns.
    private const int MostReceivesATurn = 64;

    // A relay has two hops on one thread. Twice the load of a server can wait for it, and more while a burst leaves.
    private const int LeastBuffer = 8 * 1024 * 1024;

    private readonly RelaySetup _setup;
    private readonly PollLoop _loop;
    private readonly Traffic _traffic;
    private readonly Socket _socket;
    private readonly byte[] _buffer = new byte[RunPlan.LargestDatagram];
    private readonly SocketAddress _sender;
    private readonly Dictionary<SocketAddress, RelayClient> _clients = [];
    private long? _missed;
    private bool _closed;

    /// <summary>Binds the socket.</summary>
    /// <exception cref="SocketException">The address cannot be bound.</exception>
    public RelayListener(RelaySetup setup, PollLoop loop, Traffic traffic)
    {
        _setup = setup;
        _loop = loop;
        _traffic = traffic;
        _sender = new SocketAddress(setup.EndPoint.AddressFamily);
        _socket = new Socket(setup.EndPoint.AddressFamily, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
        try
        {
            SocketBuffers.Reserve(_socket, Math.Max(SocketBuffers.NeededByServer(setup.Plan), LeastBuffer));
            _socket.Bind(setup.EndPoint);
            EndPoint = (IPEndPoint)_socket.LocalEndPoint!;
            SocketHandle = _socket.Handle;
        }
        catch
        {
            _socket.Dispose();
            throw;
        }
    }

    public IPEndPoint EndPoint { get; }

    public nint SocketHandle { get; }

    public int Clients => _clients.Count;

    /// <summary>The number of datagrams from clients that arrived too fast.</summary>
    public long? Missed => _closed ? _missed : KernelDrops.Of(_socket);

    /// <summary>The number of datagrams from the server that arrived too fast.</summary>
    public long? MissedFromServer => _clients.Values.Aggregate((long?)0, (sum, client) => sum + client.Missed);

    public void OnReadable()
    {
        for (int turn = 0; turn < MostReceivesATurn && TryReceive(out int length); turn++)
        {
            ClientOf(_sender)?.ToServer.Arrive(_buffer.AsSpan(0, length), Stopwatch.GetTimestamp());

            // The check avoids a receive call that finds nothing: it throws, which costs a hundred times as much.
            if (_socket.Available == 0)
            {
                return;
            }
        }
    }

    public void OnTick()
    {
        // Datagrams with a time to leave are in the delay queue.
    }

    public void Dispose()
    {
        if (!_closed)
        {
            _missed = Missed;
            _closed = true;
            _socket.Dispose();
        }
    }

    private bool TryReceive(out int length)
    {
        try
        {
            length = _socket.ReceiveFrom(_buffer, SocketFlags.None, _sender);
            return true;
        }
        catch (SocketException exception) when (RelayClient.IsHarmless(exception.SocketErrorCode))
        {
            length = 0;
            return false;
        }
    }

    private bool TrySend(ReadOnlySpan<byte> datagram, SocketAddress address)
    {
        try
        {
            return _socket.SendTo(datagram, SocketFlags.None, address) == datagram.Length;
        }
        catch (SocketException)
        {
            // The caller counts the datagram. The system has no room for it, or the client's network is gone.
            return false;
        }
    }

    // Null if the system has no room for one more client. The client's datagrams are lost until there is room.
    private RelayClient? ClientOf(SocketAddress sender) =>
        _clients.TryGetValue(sender, out RelayClient? client) ? client : TryMeet(sender);

    private RelayClient? TryMeet(SocketAddress sender)
    {
        try
        {
            return Meet(sender);
        }
        catch (SocketException exception) when (NoRoom.Is(exception))
        {
            _setup.Recorder.Remark(NoRoom.Remark(exception));
            return null;
        }
    }

    private RelayClient Meet(SocketAddress sender)
    {
        // The receive address object changes with every datagram, so it cannot be a key.
        var address = new SocketAddress(sender.Family, sender.Size);
        sender.Buffer.Span[..sender.Size].CopyTo(address.Buffer.Span);
        var client = new RelayClient(_setup, _traffic, datagram => TrySend(datagram, address), _buffer);
        _clients.Add(address, client);
        _loop.Add(client);
        return client;
    }
}
