namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>Stands between the clients and a server that was started apart over a stream, and records the bytes of its connections.</summary>
internal sealed class RecordingRelay : IAsyncDisposable
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(1);

    private readonly CancellationTokenSource _stop = new();
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly Task _accepting;
    private readonly List<Task<RecordedConnection>> _recorded = [];

    public RecordingRelay(int server)
    {
        _listener.Start();
        _accepting = AcceptAsync(server);
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>Waits for the ends of the connections, and returns the bytes of each.</summary>
    public Task<RecordedConnection[]> EndAsync() => Task.WhenAll(_recorded).WaitAsync(s_deadline, TestContext.Current.CancellationToken);

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await Task.WhenAll([_accepting, .. _recorded]).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _listener.Dispose();
        _stop.Dispose();
    }

    private async Task AcceptAsync(int server)
    {
        while (true)
        {
            _recorded.Add(RecordAsync(await _listener.AcceptTcpClientAsync(_stop.Token), server));
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

internal sealed record RecordedConnection(byte[] ToServer, byte[] ToClient);
