using System.Net;
using System.Net.Sockets;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>
/// Stands between the clients and a server of this program that was started by hand over a stream, and records the bytes of its connections. It listens at two
/// neighbouring ports, as the server does: one for the messages, and the next one for greetings, which are not recorded.
/// </summary>
internal sealed class RecordingRelay : IAsyncDisposable
{
    private const int MostBindAttempts = 100;
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(1);

    private readonly CancellationTokenSource _stop = new();
    private readonly TcpListener _messages;
    private readonly TcpListener _greetings;
    private readonly Task[] _accepting;
    private readonly List<Task<RecordedConnection>> _recorded = [];
    private readonly List<Task<RecordedConnection>> _greeted = [];

    /// <summary>Starts to listen.</summary>
    /// <param name="server">The server's port for messages.</param>
    public RecordingRelay(int server)
    {
        (_messages, _greetings) = Bind();
        _accepting = [AcceptAsync(_messages, server, _recorded), AcceptAsync(_greetings, server + 1, _greeted)];
    }

    /// <summary>The port for messages.</summary>
    public int Port => PortOf(_messages);

    /// <summary>Waits for the ends of the connections, and returns the bytes of each.</summary>
    public Task<RecordedConnection[]> EndAsync() => Task.WhenAll(_recorded).WaitAsync(s_deadline, TestContext.Current.CancellationToken);

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await Task.WhenAll([.. _accepting, .. _recorded, .. _greeted]).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _messages.Dispose();
        _greetings.Dispose();
        _stop.Dispose();
    }

    private static (TcpListener Messages, TcpListener Greetings) Bind()
    {
        for (int attempt = 1; ; attempt++)
        {
            var messages = new TcpListener(IPAddress.Loopback, 0);
            messages.Start();
            var greetings = new TcpListener(IPAddress.Loopback, Math.Min(PortOf(messages) + 1, IPEndPoint.MaxPort));
            try
            {
                greetings.Start();
                return (messages, greetings);
            }
            catch (SocketException) when (attempt < MostBindAttempts)
            {
                // The next port is taken.
                messages.Dispose();
                greetings.Dispose();
            }
        }
    }

    private static int PortOf(TcpListener listener) => ((IPEndPoint)listener.LocalEndpoint).Port;

    private async Task AcceptAsync(TcpListener listener, int server, List<Task<RecordedConnection>> connections)
    {
        while (true)
        {
            connections.Add(RecordAsync(await listener.AcceptTcpClientAsync(_stop.Token), server));
        }
    }

    private async Task<RecordedConnection> RecordAsync(TcpClient client, int port)
    {
        using (client)
        {
            using var server = new TcpClient { NoDelay = true };
            await server.ConnectAsync(IPAddress.Loopback, port, _stop.Token);
            client.NoDelay = true;
            Task<byte[]> toServer = ForwardAsync(client.GetStream(), server.GetStream());
            Task<byte[]> toClient = ForwardAsync(server.GetStream(), client.GetStream());
            await Task.WhenAll(toServer, toClient);
            return new RecordedConnection(await toServer, await toClient);
        }
    }

    private async Task<byte[]> ForwardAsync(NetworkStream from, NetworkStream to)
    {
        using var all = new MemoryStream();
        byte[] buffer = new byte[64 * 1024];
        int length;
        try
        {
            while ((length = await from.ReadAsync(buffer, _stop.Token)) > 0)
            {
                all.Write(buffer, 0, length);
                await to.WriteAsync(buffer.AsMemory(0, length), _stop.Token);
            }

            to.Socket.Shutdown(SocketShutdown.Send);
        }
        catch (Exception exception) when (exception is IOException or SocketException)
        {
            // A side that closes while a heartbeat is on its way to it resets the connection. That is its end.
            return all.ToArray();
        }

        return all.ToArray();
    }
}

/// <summary>All bytes of one connection.</summary>
internal sealed record RecordedConnection(byte[] ToServer, byte[] ToClient);
