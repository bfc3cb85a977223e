using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;

namespace MyLibrary;

// Replace the sockets by the library. A loop of netbench calls OnReadable when the socket has data, and all other members on the same thread.
internal sealed class DatagramServer : IPolledServerSocket
{
    private readonly PollLoop _loop;
    private readonly RunRecorder _recorder;
    private readonly Socket _socket;
    private readonly SendRoundRobin _turns;
    private readonly DatagramPeers<SocketAddress> _peers;
    private readonly SocketAddress _sender;
    private readonly byte[] _buffer;

    public DatagramServer(ServerSetup setup, PollLoop loop)
    {
        (_loop, _recorder) = (loop, setup.Recorder);
        _socket = ServerSocket.Bind(setup, socket => SocketBuffers.Reserve(socket, SocketBuffers.NeededByServer(setup.Plan)));
        _socket.Blocking = false;
        _turns = new SendRoundRobin(setup.Handler, () => loop.Post(TakeTurns));
        _peers = new(setup, () => loop.Worker, address => new Peer(this, address), SocketAddressExtensions.Copy);
        _sender = new SocketAddress(setup.EndPoint.AddressFamily);
        _buffer = new byte[Math.Max(setup.Plan.MessageSize + 1, DatagramHandshake.Size)];
    }

    public IPEndPoint EndPoint => (IPEndPoint)_socket.LocalEndPoint!;

    public nint SocketHandle => _socket.Handle;

    public void OnReadable()
    {
        try
        {
            int length = _socket.ReceiveFrom(_buffer, SocketFlags.None, _sender);
            _loop.Worker.ReadClock();
            _peers.OnDatagram(_sender, _peers.Find(_sender), _buffer.AsSpan(0, length), _loop.Worker);
        }
        catch (SocketException exception)
        {
            _recorder.CountError($"server {exception.SocketErrorCode}");
        }
    }

    public void Dispose()
    {
        _peers.CloseAll();
        _socket.Dispose();
    }

    private void TakeTurns()
    {
        if (_turns.Run(_loop.Worker))
        {
            _loop.Post(TakeTurns);
        }
    }

    private sealed class Peer(DatagramServer server, SocketAddress address) : DatagramPeer(server._turns)
    {
        public override bool Send(ReadOnlySpan<byte> message)
        {
            CountSend();
            try
            {
                return server._socket.SendTo(message, SocketFlags.None, address) == message.Length;
            }
            catch (SocketException exception)
            {
                server._recorder.CountError($"server {exception.SocketErrorCode}");
                return false;
            }
        }
    }
}

internal sealed class DatagramClient : IPolledClient, IPeer
{
    private readonly PollLoop _loop;
    private readonly RunRecorder _recorder;
    private readonly DatagramConnection _connection;
    private readonly Socket _socket;
    private readonly byte[] _buffer;

    public DatagramClient(ClientSetup setup, PollLoop loop, IConnectObserver observer)
    {
        (_loop, _recorder) = (loop, setup.Recorder);
        _connection = new DatagramConnection(setup, this, observer, CloseSocket);
        _buffer = new byte[Math.Max(setup.Plan.MessageSize + 1, DatagramHandshake.Size)];
        _socket = new Socket(setup.EndPoint.AddressFamily, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
        SocketBuffers.Reserve(_socket, SocketBuffers.NeededByClient(setup.Plan));
        _socket.Connect(setup.EndPoint);
        _connection.SendHello();
    }

    public nint SocketHandle => _socket.Handle;

    public object? State { get; set; }

    public void Start() => _connection.Start(_loop.Worker);

    public void Due(long due) => _connection.Due(due, _loop.Worker);

    public void OnTick() => _connection.Tick(_loop.Worker);

    public void OnReadable()
    {
        int length = _socket.Receive(_buffer, SocketFlags.None, out SocketError error);
        if (error == SocketError.Success)
        {
            _loop.Worker.ReadClock();
            _connection.OnDatagram(_buffer.AsSpan(0, length), _loop.Worker);
        }
        else if (error != SocketError.WouldBlock)
        {
            CountError(error);
        }
    }

    public bool Send(ReadOnlySpan<byte> message)
    {
        SocketError error = SocketError.NotConnected;
        if (!_connection.IsClosed)
        {
            _socket.Send(message, SocketFlags.None, out error);
        }

        if (error != SocketError.Success)
        {
            CountError(error);
        }

        return error == SocketError.Success;
    }

    public void Close() => _connection.Close(_loop.Worker);

    public void Dispose() => Close();

    // Until it is connected, a client repeats its hello, and the connect deadline reports that no server answers.
    private void CountError(SocketError error)
    {
        if (_connection.IsConnected)
        {
            _recorder.CountError($"client {error}");
        }
    }

    private void CloseSocket()
    {
        _loop.Remove(this);
        _socket.Dispose();
    }
}
