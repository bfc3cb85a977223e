using System.Net;
using System.Net.Sockets;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>
/// A server over TCP that is not part of the program. It sends back what it receives, but holds back the answers from one message on: until another message
/// arrives, or until nothing has arrived for a second. So it does not depend on the speed of the machine which answers are late.
/// </summary>
internal sealed class HoldingEcho : IAsyncDisposable
{
    /// <summary>The time without a message after which answers are no longer held back.</summary>
    public static readonly TimeSpan Quiet = TimeSpan.FromSeconds(1);

    private readonly CancellationTokenSource _stop = new();
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly long _holdFrom;
    private readonly long _holdTo;
    private readonly Task _running;
    private TaskCompletionSource _release = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _bytes;
    private long _releaseCount;

    /// <summary>Starts to listen.</summary>
    /// <param name="holdFrom">The number of bytes after which answers are held back.</param>
    /// <param name="holdTo">The number of bytes after which they are held back no longer.</param>
    public HoldingEcho(long holdFrom, long holdTo)
    {
        (_holdFrom, _holdTo) = (holdFrom, holdTo);
        _listener.Start();
        _running = AcceptAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>The number of times that answers were released because nothing arrived.</summary>
    public long QuietReleases => Interlocked.Read(ref _releaseCount);

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _listener.Dispose();
        _stop.Dispose();
    }

    private async Task AcceptAsync()
    {
        var served = new List<Task> { ReleaseWhenQuietAsync() };
        try
        {
            while (true)
            {
                served.Add(EchoAsync(await _listener.AcceptTcpClientAsync(_stop.Token)));
            }
        }
        finally
        {
            await Task.WhenAll(served);
        }
    }

    private async Task EchoAsync(TcpClient connection)
    {
        using (connection)
        {
            connection.NoDelay = true;
            try
            {
                await using NetworkStream stream = connection.GetStream();
                byte[] buffer = new byte[1 << 16];
                var held = new Queue<byte[]>();
                Task<int> reading = stream.ReadAsync(buffer, _stop.Token).AsTask();
                while (true)
                {
                    Task release = Volatile.Read(ref _release).Task;
                    if (await Task.WhenAny(reading, release) == reading)
                    {
                        int count = await reading;
                        if (count == 0)
                        {
                            return;
                        }

                        held.Enqueue(buffer[..count]);
                        Received(count);
                        reading = stream.ReadAsync(buffer, _stop.Token).AsTask();
                    }

                    while (!IsHolding(release) && held.TryDequeue(out byte[]? answer))
                    {
                        await stream.WriteAsync(answer, _stop.Token);
                    }
                }
            }
            catch (Exception exception) when (exception is IOException or OperationCanceledException)
            {
                // A client has left, or the test has ended.
                return;
            }
        }
    }

    private bool IsHolding(Task release) => !release.IsCompleted && Interlocked.Read(ref _bytes) is var bytes && bytes >= _holdFrom && bytes < _holdTo;

    private void Received(int count)
    {
        if (Interlocked.Add(ref _bytes, count) >= _holdTo)
        {
            Volatile.Read(ref _release).TrySetResult();
        }
    }

    private async Task ReleaseWhenQuietAsync()
    {
        for (long before = -1; true; before = Interlocked.Read(ref _bytes))
        {
            await Task.Delay(Quiet, _stop.Token);
            if (before == Interlocked.Read(ref _bytes) && before >= _holdFrom)
            {
                Interlocked.Increment(ref _releaseCount);
                Volatile.Read(ref _release).TrySetResult();
                Volatile.Write(ref _release, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
            }
        }
    }
}
