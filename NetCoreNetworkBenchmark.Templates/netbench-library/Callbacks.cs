using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Callbacks;
using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Recording;

namespace MyLibrary;

// Replace the socket by the library, which calls back with whole messages from threads of its own: here with datagrams, from the pool. A library that has
// connections calls OnConnected, OnMessage and OnClosed of setup.Handler itself, without DatagramPeers and DatagramConnection.
internal abstract class CallbackSocket(string side, Socket socket, RunPlan plan, RunRecorder recorder)
{
    private readonly Lock _calls = new();
    private volatile bool _isClosed;

    public IPEndPoint EndPoint { get; } = (IPEndPoint)socket.LocalEndPoint!;

    protected abstract void OnMessage(SocketAddress sender, ReadOnlySpan<byte> message, WorkerStatistics worker);

    // Makes the calls serial, as those for one peer must be, on whichever thread. After the close there are none.
    protected void Call<T>(T argument, Action<T, WorkerStatistics> call)
    {
        lock (_calls)
        {
            if (!_isClosed)
            {
                WorkerStatistics worker = recorder.ForCurrentThread();
                worker.ReadClock();
                call(argument, worker);
            }
        }
    }

    protected async Task ReceiveAsync()
    {
        byte[] buffer = new byte[Math.Max(plan.MessageSize + 1, DatagramHandshake.Size)];
        var sender = new SocketAddress(socket.AddressFamily);
        while (!_isClosed)
        {
            try
            {
                int length = await socket.ReceiveFromAsync(buffer, SocketFlags.None, sender);
                Call((Adapter: this, sender, buffer, length), static (call, worker) =>
                    call.Adapter.OnMessage(call.sender, call.buffer.AsSpan(0, call.length), worker));
            }
            catch (Exception exception) when (_isClosed && exception is SocketException or ObjectDisposedException)
            {
                // The close ended the receive.
                return;
            }
            catch (SocketException exception)
            {
                recorder.CountError($"{side} {exception.SocketErrorCode}");
            }
            catch (Exception exception)
            {
                recorder.ReportFault(exception);
            }
        }
    }

    protected bool Send(ReadOnlySpan<byte> message, SocketAddress receiver)
    {
        try
        {
            return socket.SendTo(message, SocketFlags.None, receiver) == message.Length;
        }
        catch (SocketException exception)
        {
            recorder.CountError($"{side} {exception.SocketErrorCode}");
            return false;
        }
    }

    protected void CloseSocket()
    {
        _isClosed = true;
        socket.Dispose();
    }
}

internal sealed class CallbackServer : CallbackSocket, IBenchmarkServer
{
    private readonly DatagramPeers<SocketAddress> _peers;

    public CallbackServer(ServerSetup setup)
        : base(
            "server", ServerSocket.Bind(setup, socket => SocketBuffers.Reserve(socket, SocketBuffers.NeededByServer(setup.Plan))), setup.Plan, setup.Recorder)
    {
        // Nothing takes turns, as there is no server push (LibraryInfo.ServerPushTransports).
        var turns = new SendRoundRobin(setup.Handler, static () => { });
        _peers = new(setup, setup.Recorder.ForCurrentThread, address => new Peer(this, address, turns), SocketAddressExtensions.Copy);
        _ = Task.Run(ReceiveAsync);
    }

    public ValueTask DisposeAsync()
    {
        Call(this, static (server, _) =>
        {
            server._peers.CloseAll();
            server.CloseSocket();
        });
        return ValueTask.CompletedTask;
    }

    protected override void OnMessage(SocketAddress sender, ReadOnlySpan<byte> message, WorkerStatistics worker) =>
        _peers.OnDatagram(sender, _peers.Find(sender), message, worker);

    private sealed class Peer(CallbackServer server, SocketAddress address, SendRoundRobin turns) : DatagramPeer(turns)
    {
        public override bool Send(ReadOnlySpan<byte> message)
        {
            CountSend();
            return server.Send(message, address);
        }
    }
}

internal sealed class CallbackClient : CallbackSocket, ICallbackClient, IPeer
{
    private readonly SocketAddress _server;
    private readonly DatagramConnection _connection;

    public CallbackClient(ClientSetup setup, IConnectObserver observer)
        : base("client", Open(setup), setup.Plan, setup.Recorder)
    {
        _server = setup.EndPoint.Serialize();
        _connection = new DatagramConnection(setup, this, observer, CloseSocket);
    }

    public object? State { get; set; }

    public void Connect()
    {
        _ = Task.Run(ReceiveAsync);
        Tick();
    }

    public void Start() => Call(_connection, static (connection, worker) => connection.Start(worker));

    public void Due(long due) => Call((_connection, due), static (call, worker) => call._connection.Due(call.due, worker));

    public void Tick() => Call(_connection, static (connection, worker) => connection.Tick(worker));

    public void Close() => Call(_connection, static (connection, worker) => connection.Close(worker));

    public bool Send(ReadOnlySpan<byte> message) => Send(message, _server);

    protected override void OnMessage(SocketAddress sender, ReadOnlySpan<byte> message, WorkerStatistics worker) => _connection.OnDatagram(message, worker);

    // It is not connected: until the server is bound, its port would report errors.
    private static Socket Open(ClientSetup setup) => new Socket(setup.EndPoint.AddressFamily, SocketType.Dgram, ProtocolType.Udp).SetUp(socket =>
    {
        PortUnreachable.Ignore(socket);
        SocketBuffers.Reserve(socket, SocketBuffers.NeededByClient(setup.Plan));
        socket.Bind(new IPEndPoint(setup.EndPoint.AddressFamily == AddressFamily.InterNetwork ? IPAddress.Any : IPAddress.IPv6Any, 0));
    });
}
