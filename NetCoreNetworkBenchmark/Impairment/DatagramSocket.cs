using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;

namespace NetCoreNetworkBenchmark.Impairment;

internal abstract class DatagramSocket : IPollable
{
    // A turn ends after this many datagrams, so that the other sockets get their turns.
    private const int MostReceivesPerTurn = 64;
    private long? _missed;
    private bool _closed;

    protected DatagramSocket(AddressFamily family, int receiveBuffer, Action<Socket> attach)
    {
        Socket = new Socket(family, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
        try
        {
            SocketBuffers.Reserve(Socket, receiveBuffer);
            attach(Socket);
            SocketHandle = Socket.Handle;
        }
        catch
        {
            Socket.Dispose();
            throw;
        }
    }

    public nint SocketHandle { get; }

    /// <summary>The number of datagrams that arrived too fast; null if the system does not report it.</summary>
    public long? Missed => _closed ? _missed : KernelDrops.Of(Socket);

    protected Socket Socket { get; }

    public void OnReadable()
    {
        for (int turn = 0; turn < MostReceivesPerTurn && TryReceive(); turn++)
        {
            // Each call handles one datagram.
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
            Socket.Dispose();
        }
    }

    // No datagram has arrived, or no socket listened at the target of an earlier datagram. The relay continues, as a router would.
    protected static bool IsHarmless(SocketError error) =>
        error is SocketError.WouldBlock or SocketError.ConnectionRefused or SocketError.ConnectionReset;

    // True if there may be another.
    protected abstract bool TryReceive();
}
