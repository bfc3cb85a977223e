using NetCoreNetworkBenchmark.AdapterKit.Sockets;

namespace NetCoreNetworkBenchmark.Impairment;

internal sealed class DatagramClient : DatagramSocket
{
    private const int LeastBuffer = 1024 * 1024;
    private readonly DatagramFlow _toClient;
    private readonly byte[] _buffer;

    public DatagramClient(RelaySetup setup, Traffic traffic, DatagramSender sendToClient)
        : base(
            setup.Server.AddressFamily,
            Math.Max(SocketBuffers.NeededByClient(setup.Plan), LeastBuffer),
            socket => socket.Connect(setup.Server))
    {
        _buffer = traffic.Buffer;
        _toClient = new DatagramFlow(traffic.ToClients, sendToClient);
        ToServer = new DatagramFlow(traffic.ToServer, TrySend);
    }

    public DatagramFlow ToServer { get; }

    protected override bool TryReceive()
    {
        int length = Socket.Receive(_buffer, SocketFlags.None, out SocketError error);
        if (error == SocketError.Success)
        {
            _toClient.Arrive(_buffer.AsSpan(0, length), Stopwatch.GetTimestamp());
            return true;
        }

        return IsHarmless(error) ? false : throw new SocketException((int)error);
    }

    private bool TrySend(ReadOnlySpan<byte> datagram)
    {
        Socket.Send(datagram, SocketFlags.None, out SocketError error);
        if (error is SocketError.ConnectionRefused or SocketError.ConnectionReset)
        {
            // The error was the response to an earlier datagram, and this one has not been sent.
            Socket.Send(datagram, SocketFlags.None, out error);
        }

        return error == SocketError.Success;
    }
}
