using System.Security.Authentication;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>A server over TCP that is not part of the program. It serves each connection until the client leaves or the test ends.</summary>
internal abstract class TcpServer : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private Task _running = Task.CompletedTask;

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    public virtual async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _listener.Dispose();
        _stop.Dispose();
    }

    /// <summary>Starts to listen. The last call of a constructor.</summary>
    /// <param name="besides">Other work, which ends with the test.</param>
    protected void Start(Func<CancellationToken, Task>? besides = null)
    {
        _listener.Start();
        _running = AcceptAsync(besides);
    }

    protected abstract Task ServeAsync(NetworkStream connection, CancellationToken cancellationToken);

    private async Task AcceptAsync(Func<CancellationToken, Task>? besides)
    {
        List<Task> served = besides is null ? [] : [besides(_stop.Token)];
        try
        {
            while (true)
            {
                served.Add(ServeAsync(await _listener.AcceptTcpClientAsync(_stop.Token)));
            }
        }
        finally
        {
            await Task.WhenAll(served);
        }
    }

    private async Task ServeAsync(TcpClient connection)
    {
        using (connection)
        {
            connection.NoDelay = true;
            try
            {
                await using NetworkStream stream = connection.GetStream();
                await ServeAsync(stream, _stop.Token);
            }
            catch (Exception exception) when (exception is IOException or OperationCanceledException or AuthenticationException)
            {
                // A client has left, or the test has ended.
                return;
            }
        }
    }
}
