using System.Diagnostics;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>One client as the server sees it: a separate socket that is connected to the server.</summary>
internal sealed class RelayClient : IPollable
{
    private const int MostReceivesATurn = 64;
    private const int LeastBuffer = 1024 * 1024;
    private readonly Socket _socket;
    private readonly Flow _toClient;
    private readonly byte[] _buffer;
    private long? _missed;
    private bool _closed;

    /// <summary>Opens the socket.</summary>
    /// <param name="setup">The setup of the relay, with the address of the server.</param>
    /// <param name="traffic">The impaired traffic of both directions.</param>
    /// <param name="sendToClient">Sends a datagram to the client.</param>
    /// <param name="buffer">The receive buffer. Its content is valid during one call only.</param>
    public RelayClient(RelaySetup setup, Traffic traffic, DatagramSender sendToClient, byte[] buffer)
    {
        _buffer = buffer;
        _toClient = new Flow(traffic.ToClients, sendToClient);
        ToServer = new Flow(traffic.ToServer, TrySend);
        _socket = new Socket(setup.Server.AddressFamily, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
        SocketBuffers.Reserve(_socket, Math.Max(SocketBuffers.NeededByClient(setup.Plan), LeastBuffer));
        _socket.Connect(setup.Server);
        SocketHandle = _socket.Handle;
    }

    public nint SocketHandle { get; }

    public Flow ToServer { get; }

    /// <summary>The number of datagrams from the server that arrived too fast.</summary>
    public long? Missed => _closed ? _missed : KernelDrops.Of(_socket);

    /// <summary>
    /// Whether an error means that no datagram has arrived, or that no socket listened at the target of an earlier datagram. The relay continues,
    /// as a router would.
    /// </summary>
    public static bool IsHarmless(SocketError error) =>
        error is SocketError.WouldBlock or SocketError.ConnectionRefused or SocketError.ConnectionReset;

    public void OnReadable()
    {
        for (int turn = 0; turn < MostReceivesATurn; turn++)
        {
            int length = _socket.Receive(_buffer, SocketFlags.None, out SocketError error);
            if (error == SocketError.Success)
            {
                _toClient.Arrive(_buffer.AsSpan(0, length), Stopwatch.GetTimestamp());
            }
            else if (IsHarmless(error))
            {
                return;
            }
            else
            {
                throw new SocketException((int)error);
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

    private bool TrySend(ReadOnlySpan<byte> datagram)
    {
        _socket.Send(datagram, SocketFlags.None, out SocketError error);
        if (error is SocketError.ConnectionRefused or SocketError.ConnectionReset)
        {
            // The error was the response to an earlier datagram, and this one has not been sent.
            _socket.Send(datagram, SocketFlags.None, out error);
        }

        return error == SocketError.Success;
    }
}
