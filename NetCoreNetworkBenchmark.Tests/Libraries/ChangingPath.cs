using System.Threading.Channels;

namespace NetCoreNetworkBenchmark.Tests.Libraries;

/// <summary>The path of one client over UDP, of which the delay to the server and the address at the server can change.</summary>
internal sealed class ChangingPath : IAsyncDisposable
{
    private static readonly IPEndPoint s_any = new(IPAddress.Loopback, 0);

    private readonly IPEndPoint _server;
    private readonly CancellationTokenSource _end = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
    private readonly Channel<(long Received, byte[] Datagram)> _delayed = Channel.CreateUnbounded<(long, byte[])>();
    private readonly ConcurrentQueue<Socket> _sockets = [];
    private readonly ConcurrentQueue<Task> _tasks = [];
    private readonly Socket _ofClient;
    private volatile Socket _ofServer;
    private volatile EndPoint _client = s_any;
    private volatile int _delayMilliseconds;

    public ChangingPath(IPEndPoint server)
    {
        (_server, _ofClient, _ofServer) = (server, Open(), Open());
        _tasks.Enqueue(ReceiveFromClientAsync());
        _tasks.Enqueue(SendToServerAsync());
        _tasks.Enqueue(ReturnAsync(_ofServer));
    }

    /// <summary>The address at which the client reaches the server.</summary>
    public IPEndPoint EndPoint => (IPEndPoint)_ofClient.LocalEndPoint!;

    /// <summary>The delay of datagrams to the server. The way back has none.</summary>
    public int DelayMilliseconds { get => _delayMilliseconds; set => _delayMilliseconds = value; }

    /// <summary>Gives the client a new address at the server. What the server sends to the former one is lost.</summary>
    public void ChangeAddress()
    {
        _ofServer = Open();
        _tasks.Enqueue(ReturnAsync(_ofServer));
    }

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Task.WhenAll(_tasks));
        foreach (Socket socket in _sockets)
        {
            socket.Dispose();
        }

        _end.Dispose();
    }

    private Socket Open()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        _sockets.Enqueue(socket);
        PortUnreachable.Ignore(socket);
        socket.Bind(s_any);
        return socket;
    }

    private async Task ReceiveFromClientAsync()
    {
        var buffer = new byte[RunPlan.LargestDatagram];
        while (true)
        {
            SocketReceiveFromResult result = await _ofClient.ReceiveFromAsync(buffer, s_any, _end.Token);
            _client = result.RemoteEndPoint;
            _delayed.Writer.TryWrite((Stopwatch.GetTimestamp(), buffer[..result.ReceivedBytes]));
        }
    }

    private async Task SendToServerAsync()
    {
        await foreach ((long received, byte[] datagram) in _delayed.Reader.ReadAllAsync(_end.Token))
        {
            TimeSpan rest = TimeSpan.FromMilliseconds(DelayMilliseconds) - Stopwatch.GetElapsedTime(received);
            if (rest > TimeSpan.Zero)
            {
                await Task.Delay(rest, _end.Token);
            }

            await _ofServer.SendToAsync(datagram, _server, _end.Token);
        }
    }

    private async Task ReturnAsync(Socket socket)
    {
        var buffer = new byte[RunPlan.LargestDatagram];
        while (true)
        {
            SocketReceiveFromResult result = await socket.ReceiveFromAsync(buffer, s_any, _end.Token);
            if (socket == _ofServer)
            {
                await _ofClient.SendToAsync(buffer.AsMemory(0, result.ReceivedBytes), _client, _end.Token);
            }
        }
    }
}
