using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;

namespace NetCoreNetworkBenchmark.Impairment;

// Distinguishes clients by their addresses, and opens a socket to the server for each.
internal sealed class DatagramListener(RelaySetup setup, PollLoop loop, Traffic traffic)
    : DatagramSocket(
        setup.EndPoint.AddressFamily,
        Math.Max(SocketBuffers.NeededByServer(setup.Plan), LeastBuffer),
        socket => socket.Bind(setup.EndPoint)), IRelayListener
{
    // A relay has two hops on one thread. Twice the load of a server can wait for it, and more while a burst leaves.
    private const int LeastBuffer = 8 * 1024 * 1024;

    private readonly SocketAddress _sender = new(setup.EndPoint.AddressFamily);
    private readonly Dictionary<SocketAddress, DatagramClient> _clients = [];

    public IPEndPoint EndPoint => (IPEndPoint)Socket.LocalEndPoint!;

    public int Clients => _clients.Count;

    public long? MissedFromClients => Missed;

    public long? MissedFromServer => _clients.Values.Aggregate((long?)0, (sum, client) => sum + client.Missed);

    public void Begin() => loop.Add(this);

    protected override bool TryReceive()
    {
        if (Receive() is not { } length)
        {
            return false;
        }

        ClientOf(_sender)?.ToServer.Arrive(traffic.Buffer.AsSpan(0, length), Stopwatch.GetTimestamp());

        // The check avoids a receive call that finds nothing: it throws, which costs a hundred times as much.
        return Socket.Available > 0;
    }

    private int? Receive()
    {
        try
        {
            return Socket.ReceiveFrom(traffic.Buffer, SocketFlags.None, _sender);
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
            // The caller counts the datagram. The system has no capacity for it, or the client's network is gone.
            return false;
        }
    }

    // Null if the system has no capacity for one more client. The client's datagrams are lost until it has.
    private DatagramClient? ClientOf(SocketAddress sender) =>
        _clients.TryGetValue(sender, out DatagramClient? client) ? client : TryMeet(sender);

    private DatagramClient? TryMeet(SocketAddress sender)
    {
        try
        {
            SocketAddress address = sender.Copy();
            var client = new DatagramClient(setup, traffic, datagram => TrySend(datagram, address));
            _clients.Add(address, client);
            loop.Add(client);
            return client;
        }
        catch (SocketException exception) when (ResourceShortage.Is(exception))
        {
            setup.Recorder.Remark(ResourceShortage.Remark(exception));
            return null;
        }
    }
}
