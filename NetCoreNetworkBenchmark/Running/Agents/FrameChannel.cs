using System.Collections.Concurrent;
using System.Text.Json;
using System.Threading.Channels;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>
/// Frames in both directions over two streams, a line each. Every frame but an acknowledgement is acknowledged, and every wait has
/// a deadline. What the other side says that is no frame ends the channel. From any thread.
/// </summary>
internal sealed class FrameChannel : IAsyncDisposable
{
    private readonly string _other;
    private readonly Stream _output;
    private readonly LineReader _reader;
    private readonly SemaphoreSlim _writing = new(1);
    private readonly ConcurrentDictionary<long, TaskCompletionSource> _unacknowledged = new();
    private readonly Channel<Frame> _received = Channel.CreateUnbounded<Frame>();
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Task _reading;
    private Exception? _endedBy;
    private long _lastId;

    /// <summary>Begins to read.</summary>
    /// <param name="other">Who is at the other end, for messages: "The server's process".</param>
    /// <param name="input">What the other says.</param>
    /// <param name="output">Where to say something.</param>
    public FrameChannel(string other, Stream input, Stream output)
    {
        _other = other;
        _output = output;
        _reader = new LineReader(input);
        _reading = Task.Run(ReadAllAsync);
    }

    /// <summary>How long the other side has to acknowledge, and the longest it may be silent while a run goes on.</summary>
    public static TimeSpan Patience { get; } = TimeSpan.FromSeconds(5);

    /// <summary>Ends when nothing more will come.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Sends a frame and waits until it has been acknowledged.</summary>
    /// <exception cref="BenchmarkException">It was not, in time.</exception>
    public Task SendAsync(Frame frame, CancellationToken cancellationToken) => SendAsync(frame, Patience, cancellationToken);

    /// <summary>Sends a frame and waits until it has been acknowledged.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="deadline">How long the other side has; longer for one that has only been started.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="BenchmarkException">It was not, in time.</exception>
    public async Task SendAsync(Frame frame, TimeSpan deadline, CancellationToken cancellationToken)
    {
        long id = Interlocked.Increment(ref _lastId);
        var acknowledged = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _unacknowledged[id] = acknowledged;
        try
        {
            await WriteAsync(frame with { Id = id }).ConfigureAwait(false);
            await Task.WhenAny(acknowledged.Task, Ended).WaitAsync(deadline, cancellationToken).ConfigureAwait(false);

            // The last word may be acknowledged and the channel ended before this is noticed.
            if (!acknowledged.Task.IsCompleted)
            {
                throw Gone(_endedBy);
            }
        }
        catch (TimeoutException exception)
        {
            throw new BenchmarkException(FormattableString.Invariant($"{_other} did not answer within {deadline.TotalSeconds:0.#} s."), exception);
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException)
        {
            throw Gone(exception);
        }
        finally
        {
            _unacknowledged.TryRemove(id, out _);
        }
    }

    /// <summary>Waits for the next frame.</summary>
    /// <exception cref="BenchmarkException">None came in time, or none will.</exception>
    public async Task<Frame> ReceiveAsync(TimeSpan deadline, CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        over.CancelAfter(deadline);
        try
        {
            // The token ends the read itself: one that was merely not waited for would take the next frame away from the next call.
            return await _received.Reader.ReadAsync(over.Token).ConfigureAwait(false);
        }
        catch (ChannelClosedException)
        {
            throw Gone(_endedBy);
        }
        catch (OperationCanceledException exception) when (!cancellationToken.IsCancellationRequested)
        {
            throw new BenchmarkException(FormattableString.Invariant($"{_other} has said nothing for {deadline.TotalSeconds:0.#} s."), exception);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _output.DisposeAsync().ConfigureAwait(false);

        // A read of standard input cannot be broken off; it ends with the process.
        await Task.WhenAny(_reading, Task.Delay(TimeSpan.FromMilliseconds(100))).ConfigureAwait(false);
        _ended.TrySetResult();
    }

    private BenchmarkException Gone(Exception? reason) =>
        new(reason is FormatException or JsonException or NotSupportedException ? $"{_other} said something that is no frame." : $"{_other} has gone.", reason);

    private async Task WriteAsync(Frame frame)
    {
        byte[] line = [.. JsonSerializer.SerializeToUtf8Bytes(frame, FrameJson.Default.Frame), (byte)'\n'];
        if (!await _writing.WaitAsync(Patience).ConfigureAwait(false))
        {
            throw new TimeoutException();
        }

        await WriteInTurnAsync(line).WaitAsync(Patience).ConfigureAwait(false);
    }

    // A write that comes to no end keeps its turn: after half a line another one would be no frame.
    private async Task WriteInTurnAsync(byte[] line)
    {
        try
        {
            await _output.WriteAsync(line).ConfigureAwait(false);
            await _output.FlushAsync().ConfigureAwait(false);
        }
        finally
        {
            _writing.Release();
        }
    }

    private async Task ReadAllAsync()
    {
        try
        {
            while (await _reader.ReadAsync().ConfigureAwait(false) is { } line)
            {
                await TakeAsync(line).ConfigureAwait(false);
            }
        }
        catch (Exception exception)
        {
            // The reason reaches whoever waits for a frame, or for an acknowledgement.
            _endedBy = exception;
        }
        finally
        {
            _reader.Dispose();
            _received.Writer.TryComplete();
            _ended.TrySetResult();
        }
    }

    private async Task TakeAsync(byte[] line)
    {
        Frame frame = JsonSerializer.Deserialize(line, FrameJson.Default.Frame) ?? throw new FormatException("A line is not a frame.");
        if (frame is AckFrame ack)
        {
            if (_unacknowledged.TryGetValue(ack.Of, out TaskCompletionSource? waiting))
            {
                waiting.TrySetResult();
            }

            return;
        }

        // Before the frame is told: whoever hears the last word may end the channel at once.
        await AcknowledgeAsync(frame).ConfigureAwait(false);
        _received.Writer.TryWrite(frame);
    }

    private async Task AcknowledgeAsync(Frame frame)
    {
        try
        {
            await WriteAsync(new AckFrame(frame.Id)).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException)
        {
            // Whoever no longer listens may have said more before, such as why; the end of the input tells when that is all.
            return;
        }
    }
}
