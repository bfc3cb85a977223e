using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>The socket that clients send to. It distinguishes them by their addresses and opens a socket to the server for each one.</summary>
internal sealed class DatagramListener : DatagramSocket, IRelayListener
{
    // A relay has two hops on one thread. Twice the load of a server can wait for it, and more while a burst leaves.
    private const int LeastBuffer = 8 * 1024 * 1024;

    private readonly RelaySetup _setup;
    private readonly PollLoop _loop;
    private readonly Traffic _traffic;
    private readonly SocketAddress _sender;
    private readonly Dictionary<SocketAddress, DatagramClient> _clients = [];

    /// <summary>Binds the socket.</summary>
    /// <exception cref="SocketException">The address cannot be bound.</exception>
    public DatagramListener(RelaySetup setup, PollLoop loop, Traffic traffic)
        : base(
            setup.EndPoint.AddressFamily,
            Math.Max(SocketBuffers.NeededByServer(setup.Plan), LeastBuffer),
            socket => socket.Bind(setup.EndPoint))
    {
        _setup = setup;
        _loop = loop;
        _traffic = traffic;
        _sender = new SocketAddress(setup.EndPoint.AddressFamily);
        EndPoint = (IPEndPoint)Socket.LocalEndPoint!;
    }

    public IPEndPoint EndPoint { get; }

    public int Clients => _clients.Count;

    public long? MissedFromClients => Missed;

    public long? MissedFromServer => _clients.Values.Aggregate((long?)0, (sum, client) => sum + client.Missed);

    public void Begin() => _loop.Add(this);

    protected override bool TryReceive()
    {
        if (Receive() is not { } length)
        {
            return false;
        }

        ClientOf(_sender)?.ToServer.Arrive(_traffic.Buffer.AsSpan(0, length), Stopwatch.GetTimestamp());

        // The check avoids a receive call that finds nothing: it throws, which costs a hundred times as much.
        return Socket.Available > 0;
    }

    private int? Receive()
    {
        try
        {
            return Socket.ReceiveFrom(_traffic.Buffer, SocketFlags.None, _sender);
        }
        catch (SocketException exception) when (IsHarmless(exception.SocketErrorCode))
        {
            return null;
        }
    }

    private bool TrySend(ReadOnlySpan<byte> datagram, SocketAddress address)
    {
        try
        {
            return Socket.SendTo(datagram, SocketFlags.None, address) == datagram.Length;
        }
        catch (SocketException)
        {
            // The caller counts the datagram. The system has no room for it, or the client's network is gone.
            return false;
        }
    }

    // Null if the system has no room for one more client. The client's datagrams are lost until there is room.
    private DatagramClient? ClientOf(SocketAddress sender) =>
        _clients.TryGetValue(sender, out DatagramClient? client) ? client : TryMeet(sender);

    private DatagramClient? TryMeet(SocketAddress sender)
    {
        try
        {
            SocketAddress address = sender.Copy();
            var client = new DatagramClient(_setup, _traffic, datagram => TrySend(datagram, address));
            _clients.Add(address, client);
            _loop.Add(client);
            return client;
        }
        catch (SocketException exception) when (NoRoom.Is(exception))
        {
            _setup.Recorder.Remark(NoRoom.Remark(exception));
            return null;
        }
    }
}
