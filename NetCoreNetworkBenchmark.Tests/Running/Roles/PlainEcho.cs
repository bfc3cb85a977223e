namespace NetCoreNetworkBenchmark.Tests.Running.Roles;

/// <summary>A server that is not part of the program. It sends back received bytes over UDP, and optionally over TCP too, as inetd's echo does.</summary>
internal sealed class PlainEcho : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly Socket _socket;
    private readonly TcpListener? _listener;
    private readonly Task _running;

    public PlainEcho(bool overTcpToo)
        : this(overTcpToo ? Listen() : (Bind(), null))
    {
    }

    /// <param name="datagrams">The bound socket whose datagrams are sent back.</param>
    public PlainEcho(Socket datagrams)
        : this((datagrams, null))
    {
    }

    private PlainEcho((Socket Datagrams, TcpListener? Listener) sockets)
    {
        (_socket, _listener) = sockets;
        _running = Task.WhenAll(EchoDatagramsAsync(), _listener is null ? Task.CompletedTask : EchoConnectionsAsync(_listener));
    }

    public IPEndPoint EndPoint => (IPEndPoint)_socket.LocalEndPoint!;
    public int Connections { get; private set; }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _listener?.Dispose();
        _socket.Dispose();
        _stop.Dispose();
    }

    /// <summary>Binds a port for datagrams and listens on it over TCP. The port that the system chooses for the one may be in use for the other.</summary>
    public static (Socket Datagrams, TcpListener Listener) Listen()
    {
        const int MostAttempts = 20;
        for (int attempt = 1; ; attempt++)
        {
            Socket datagrams = Bind();
            var listener = new TcpListener((IPEndPoint)datagrams.LocalEndPoint!);
            try
            {
                listener.Start();
                return (datagrams, listener);
            }
            catch (SocketException exception) when (exception.SocketErrorCode == SocketError.AddressAlreadyInUse && attempt < MostAttempts)
            {
                listener.Dispose();
                datagrams.Dispose();
            }
        }
    }

    private static Socket Bind()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return socket;
    }

    private async Task EchoDatagramsAsync()
    {
        byte[] buffer = new byte[65_536];
        while (true)
        {
            SocketReceiveFromResult received = await _socket.ReceiveFromAsync(buffer, SocketFlags.None, new IPEndPoint(IPAddress.Any, 0), _stop.Token);
            await _socket.SendToAsync(buffer.AsMemory(0, received.ReceivedBytes), SocketFlags.None, received.RemoteEndPoint, _stop.Token);
        }
    }

    private async Task EchoConnectionsAsync(TcpListener listener)
    {
        while (true)
        {
            using TcpClient connection = await listener.AcceptTcpClientAsync(_stop.Token);
            Connections++;
            NetworkStream stream = connection.GetStream();
            await stream.CopyToAsync(stream, _stop.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }
}
