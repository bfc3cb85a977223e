namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>
/// A server that sends back what it receives, but holds back the answers from one message on: until another message arrives, or until nothing has arrived for
/// a second. So it does not depend on the speed of the machine which answers are late.
/// </summary>
internal sealed class HoldingEcho : TcpServer
{
    /// <summary>The time without a message after which answers are no longer held back.</summary>
    public static readonly TimeSpan Quiet = TimeSpan.FromSeconds(1);

    private readonly long _holdFrom;
    private readonly long _holdTo;
    private TaskCompletionSource _release = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _bytes;

    public HoldingEcho(long holdFrom, long holdTo)
    {
        (_holdFrom, _holdTo) = (holdFrom, holdTo);
        Start(ReleaseWhenQuietAsync);
    }

    protected override async Task ServeAsync(NetworkStream connection, CancellationToken cancellationToken)
    {
        byte[] buffer = new byte[1 << 16];
        var held = new Queue<byte[]>();
        Task<int> reading = connection.ReadAsync(buffer, cancellationToken).AsTask();
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
                reading = connection.ReadAsync(buffer, cancellationToken).AsTask();
            }

            while (!IsHolding(release) && held.TryDequeue(out byte[]? answer))
            {
                await connection.WriteAsync(answer, cancellationToken);
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

    private async Task ReleaseWhenQuietAsync(CancellationToken cancellationToken)
    {
        for (long before = -1; true; before = Interlocked.Read(ref _bytes))
        {
            await Task.Delay(Quiet, cancellationToken);
            if (before == Interlocked.Read(ref _bytes) && before >= _holdFrom)
            {
                Volatile.Read(ref _release).TrySetResult();
                Volatile.Write(ref _release, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
            }
        }
    }
}
