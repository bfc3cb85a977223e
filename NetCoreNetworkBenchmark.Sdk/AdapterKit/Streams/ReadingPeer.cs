using System.Buffers;
using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>A connection whose bytes pass through a <see cref="Stream"/>. One loop receives on the thread pool, and messages are sent from within it.</summary>
public abstract class ReadingPeer(StreamSide side, IConnectObserver? observer) : StreamPeer(side, observer)
{
    private const int FirstBuffer = 4 * 1024;
    private const int LargestBuffer = 64 * 1024;

    // Receives that complete at once keep the thread. After this many, other work that waits for a thread runs first.
    private const int MaxReceivesInARow = 32;

    private static readonly TaskCompletionSource s_released = Released();

    // Null until someone waits for the release, which few transports need.
    private TaskCompletionSource? _release;
    private Stream? _stream;

    /// <summary>Establishes the connection, and serves it until it ends. A failure ends this connection and no other.</summary>
    public async Task RunAsync()
    {
        try
        {
            _stream = await EstablishAsync().ConfigureAwait(false);
            if (_stream is not null)
            {
                Open();
                Observer?.Connected();
                await ServeAsync().ConfigureAwait(false);
            }
        }
        catch (Exception exception)
        {
            Side.Recorder.ReportFault(exception);
        }
        finally
        {
            await EndAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Closes a connection that is not served.</summary>
    public Task RefuseAsync() => EndAsync();

    /// <summary>Reports why a client cannot connect. The code that closed the client needs no report.</summary>
    protected void Refuse(string reason)
    {
        if (!IsClosed)
        {
            Observer!.Refused(reason);
        }
    }

    /// <summary>Establishes the connection, and returns the stream that carries the messages; null if there is none.</summary>
    protected abstract Task<Stream?> EstablishAsync();

    /// <summary>Closes what the connection consists of. It is called once, when no thread receives any more.</summary>
    protected abstract ValueTask ReleaseAsync();

    /// <summary>Aborts a connection whose other side does not answer a close, because it is frozen or gone.</summary>
    protected async Task AbortUnlessReleasedAsync(TimeSpan deadline, Action abort)
    {
        try
        {
            var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            await (Interlocked.CompareExchange(ref _release, release, null) ?? release).Task.WaitAsync(deadline).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            abort();
        }
    }

    /// <summary>Determines whether a failed receive is the way in which the transport reports that the other side has closed the connection.</summary>
    protected virtual bool IsClose(Exception exception) => false;

    /// <inheritdoc/>
    protected override ValueTask WriteAsync(ReadOnlyMemory<byte> bytes) => _stream!.WriteAsync(bytes);

    private static TaskCompletionSource Released()
    {
        var released = new TaskCompletionSource();
        released.SetResult();
        return released;
    }

    private async Task EndAsync()
    {
        await ReleaseAsync().ConfigureAwait(false);
        Interlocked.Exchange(ref _release, s_released)?.TrySetResult();
    }

    private async Task ServeAsync()
    {
        bool isReceiving = false;
        try
        {
            byte[] buffer = BufferOf(FirstBuffer);
            int inARow = 0;
            while (!IsClosed)
            {
                isReceiving = true;
                ValueTask<int> receiving = _stream!.ReadAsync(buffer);
                inARow = receiving.IsCompleted ? inARow + 1 : 0;
                int length = await receiving.ConfigureAwait(false);
                isReceiving = false;
                if (length == 0)
                {
                    OnEndOfStream(exception: null);
                    return;
                }

                if (!Receive(new ReadOnlySequence<byte>(buffer, 0, length)))
                {
                    await WaitForCapacityAsync().ConfigureAwait(false);
                }

                if (length == buffer.Length && length < LargestBuffer)
                {
                    // More bytes wait than the buffer holds. Of many connections, most never need more than the first buffer.
                    buffer = BufferOf(2 * length);
                }

                if (inARow == MaxReceivesInARow)
                {
                    inARow = 0;
                    await Task.Yield();
                }
            }
        }
        catch (Exception exception) when (isReceiving && StreamFailure.IsOne(exception))
        {
            OnEndOfStream(IsClose(exception) ? null : exception);
        }
    }

    // The kernel writes into the buffer for the lifetime of the connection, so the buffer need not be moved.
    private static byte[] BufferOf(int size) => GC.AllocateUninitializedArray<byte>(size, pinned: true);
}
