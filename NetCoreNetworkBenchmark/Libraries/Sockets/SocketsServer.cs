using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Libraries.Sockets;

/// <summary>
/// A thread that blocks in one socket's receive call and answers from there: two system calls a message. Overloads with
/// <see cref="SocketAddress"/> allocate nothing.
/// </summary>
internal sealed class SocketsServer : IBenchmarkServer
{
    // Long enough to cost nothing, short enough that a stop without the wake-up datagram is not felt.
    private const int ReceiveTimeoutMilliseconds = 500;

    private readonly ServerSetup _setup;
    private readonly Socket _socket;
    private readonly WorkerStatistics _worker;
    private readonly Dictionary<SocketAddress, Peer> _peers = [];
    private readonly Thread _thread;
    private volatile bool _stopping;

    public SocketsServer(ServerSetup setup)
    {
        _setup = setup;
        _socket = Bind(setup);
        EndPoint = (IPEndPoint)_socket.LocalEndPoint!;
        _worker = setup.Recorder.AddWorker(recordsLatency: false);
        _thread = new Thread(Run) { Name = "Sockets server", IsBackground = true };
        _thread.Start();
    }

    public IPEndPoint EndPoint { get; }

    public async ValueTask DisposeAsync()
    {
        if (!_stopping)
        {
            _stopping = true;
            WakeUp();
        }

        if (!await Task.Run(() => _thread.Join(_setup.Plan.StopDeadline)).ConfigureAwait(false))
        {
            throw new BenchmarkException($"The server's thread did not end within {_setup.Plan.StopDeadline.TotalSeconds:0.#} s.");
        }
    }

    private static Socket Bind(ServerSetup setup) => ServerSocket.Bind(setup, socket =>
    {
        SocketBuffers.Reserve(socket, SocketBuffers.NeededByServer(setup.Plan));
        SocketsBenchmark.IgnoreUnreachable(socket);
        socket.ReceiveTimeout = ReceiveTimeoutMilliseconds;
    });

    private void WakeUp()
    {
        using var socket = new Socket(EndPoint.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        IPAddress any = EndPoint.AddressFamily == AddressFamily.InterNetwork ? IPAddress.Any : IPAddress.IPv6Any;
        IPAddress loopback = EndPoint.AddressFamily == AddressFamily.InterNetwork ? IPAddress.Loopback : IPAddress.IPv6Loopback;
        socket.SendTo(DatagramGreeting.Bye, new IPEndPoint(EndPoint.Address.Equals(any) ? loopback : EndPoint.Address, EndPoint.Port));
    }

    private void Run()
    {
        try
        {
            var buffer = new byte[RunPlan.LargestDatagram];
            var sender = new SocketAddress(EndPoint.AddressFamily);
            while (!_stopping)
            {
                ReceiveOne(buffer, sender);
            }
        }
        catch (Exception exception)
        {
            // A thread of the run must not take the process down: the runner ends the run with this as its reason.
            _setup.Recorder.ReportFault(exception);
        }
        finally
        {
            CloseAll();
        }
    }

    private void ReceiveOne(byte[] buffer, SocketAddress sender)
    {
        try
        {
            int length = _socket.ReceiveFrom(buffer, SocketFlags.None, sender);
            if (DatagramGreeting.Read(buffer.AsSpan(0, length)) is var greeting && greeting != Greeting.None)
            {
                OnGreeting(greeting, sender);
            }
            else if (_peers.TryGetValue(sender, out Peer? peer))
            {
                _setup.Handler.OnMessage(peer, buffer.AsSpan(0, length), _worker);
            }
            else
            {
                _setup.Recorder.CountError("message from a stranger");
            }
        }
        catch (SocketException exception) when (exception.SocketErrorCode is SocketError.TimedOut or SocketError.WouldBlock)
        {
            // Nothing came for a while: look at the stop flag and wait again.
            return;
        }
        catch (SocketException exception)
        {
            _setup.Recorder.CountError($"server {exception.SocketErrorCode}");
        }
    }

    private void OnGreeting(Greeting greeting, SocketAddress sender)
    {
        bool known = _peers.TryGetValue(sender, out Peer? peer);
        if (greeting == Greeting.Hello)
        {
            if (!known)
            {
                peer = new Peer(this, Copy(sender));
                _peers.Add(peer.Address, peer);
                _setup.Handler.OnConnected(peer, _worker);
            }

            peer!.Send(DatagramGreeting.Welcome);
        }
        else if (greeting == Greeting.Bye && known)
        {
            Forget(peer!);
        }
    }

    // The address that is received into changes with every datagram, so it cannot be a key.
    private static SocketAddress Copy(SocketAddress address)
    {
        var copy = new SocketAddress(address.Family, address.Size);
        address.Buffer.Span[..address.Size].CopyTo(copy.Buffer.Span);
        return copy;
    }

    private void Forget(Peer peer)
    {
        if (_peers.Remove(peer.Address))
        {
            _setup.Handler.OnClosed(peer, _worker);
        }
    }

    private void CloseAll()
    {
        foreach (Peer peer in _peers.Values.ToArray())
        {
            peer.Close();
        }

        _socket.Dispose();
    }

    private sealed class Peer(SocketsServer server, SocketAddress address) : IPeer
    {
        public SocketAddress Address { get; } = address;

        public object? State { get; set; }

        public bool Send(ReadOnlySpan<byte> message)
        {
            try
            {
                return server._socket.SendTo(message, SocketFlags.None, Address) == message.Length;
            }
            catch (SocketException exception)
            {
                server._setup.Recorder.CountError($"server {exception.SocketErrorCode}");
                return false;
            }
        }

        public void Close()
        {
            Send(DatagramGreeting.Bye);
            server.Forget(this);
        }
    }
}
