using System.Net;
using System.Net.Sockets;

namespace NetCoreNetworkBenchmark.Tests.Running.Roles;

/// <summary>A server that is not part of the program. It sends back received bytes over UDP, and optionally over TCP too, as inetd's echo does.</summary>
internal sealed class PlainEcho : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    private readonly TcpListener? _listener;
    private readonly Task _running;

    public PlainEcho(bool overTcpToo)
    {
        _socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        if (overTcpToo)
        {
            _listener = new TcpListener(EndPoint);
            _listener.Start();
        }

        _running = Task.WhenAll(EchoDatagramsAsync(), _listener is null ? Task.CompletedTask : EchoConnectionsAsync(_listener));
    }

    public IPEndPoint EndPoint => (IPEndPoint)_socket.LocalEndPoint!;

    /// <summary>The number of connections over TCP that were accepted.</summary>
    public int Connections { get; private set; }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _listener?.Dispose();
        _socket.Dispose();
        _stop.Dispose();
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
