using System.Collections.Concurrent;
using System.Text.Json;
using System.Threading.Channels;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>
/// Frames in both directions over two streams, a line each. Every frame except an acknowledgement is acknowledged, and every wait has
/// a deadline. Input that is not a frame ends the channel. Can be used from any thread.
/// <para>
/// The channel reads and writes on two threads of its own. A library may keep the thread pool so busy that no other work is scheduled there
/// for seconds. A channel that only blocked in a read would take a thread of the pool away from the library.
/// </para>
/// </summary>
internal sealed class FrameChannel : IAsyncDisposable
{
    private static readonly TimeSpan s_afterSuspension = TimeSpan.FromSeconds(0.5);
    private readonly string _peer;
    private readonly Stream _output;
    private readonly LineReader _reader;
    private readonly TaskCreationOptions _continuations;
    private readonly BlockingCollection<(byte[] Line, TaskCompletionSource? Acknowledged)> _lines = [];
    private readonly ConcurrentDictionary<long, TaskCompletionSource> _unacknowledged = new();
    private readonly Channel<Frame> _received;
    private readonly TaskCompletionSource _ended;
    private readonly TaskCompletionSource _written = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Exception? _endedBy;
    private long _lastId;

    /// <param name="peer">The name of the peer, for messages: "The server's process".</param>
    /// <param name="besideLibrary">
    /// Whether a library runs in this process. A caller that waits for a frame then continues on the thread that reads, not on the pool, and must
    /// not keep that thread for long.
    /// </param>
    public FrameChannel(string peer, Stream input, Stream output, bool besideLibrary = false)
    {
        _peer = peer;
        _output = output;
        _reader = new LineReader(input);
        _continuations = besideLibrary ? TaskCreationOptions.None : TaskCreationOptions.RunContinuationsAsynchronously;
        _received = Channel.CreateUnbounded<Frame>(new UnboundedChannelOptions { AllowSynchronousContinuations = besideLibrary });
        _ended = new TaskCompletionSource(_continuations);
        new Thread(ReadAll) { IsBackground = true, Name = $"Read {peer}" }.Start();
        new Thread(WriteAll) { IsBackground = true, Name = $"Write {peer}" }.Start();
    }

    /// <summary>The deadline of the peer for an acknowledgement, and the longest time that it may be silent during a run.</summary>
    public static TimeSpan Patience { get; } = TimeSpan.FromSeconds(5);

    /// <summary>Ends when no more frames will come.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Whether every frame was received and none will come. It is set before a call of <see cref="ReceiveAsync"/> fails for that reason.</summary>
    public bool HasNoMore => _received.Reader.Completion.IsCompleted;

    /// <summary>Sends a frame and waits until it has been acknowledged.</summary>
    public Task SendAsync(Frame frame, CancellationToken cancellationToken) => SendAsync(frame, Patience, cancellationToken);

    /// <param name="deadline">The deadline of the peer; longer for a process that has only been started.</param>
    public async Task SendAsync(Frame frame, TimeSpan deadline, CancellationToken cancellationToken)
    {
        long id = Interlocked.Increment(ref _lastId);
        var acknowledged = new TaskCompletionSource(_continuations);
        _unacknowledged[id] = acknowledged;
        try
        {
            Write(frame with { Id = id }, acknowledged);
            await WaitAsync(Task.WhenAny(acknowledged.Task, Ended), deadline, cancellationToken).ConfigureAwait(false);

            // The last frame may be acknowledged and the channel ended before this is noticed.
            if (!acknowledged.Task.IsCompleted)
            {
                throw Gone(_endedBy);
            }

            await acknowledged.Task.ConfigureAwait(false);
        }
        catch (TimeoutException exception)
        {
            throw new BenchmarkException(FormattableString.Invariant($"{_peer} did not answer within {deadline.TotalSeconds:0.#} s."), exception);
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

    public async Task<Frame> ReceiveAsync(TimeSpan deadline, CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        over.CancelAfter(deadline);
        try
        {
            // The token ends the read itself. A read that is merely abandoned would take the next frame away from the next call.
            return await _received.Reader.ReadAsync(over.Token).ConfigureAwait(false);
        }
        catch (ChannelClosedException)
        {
            throw Gone(_endedBy);
        }
        catch (OperationCanceledException exception) when (!cancellationToken.IsCancellationRequested)
        {
            throw new BenchmarkException(FormattableString.Invariant($"{_peer} has sent nothing for {deadline.TotalSeconds:0.#} s."), exception);
        }
    }

    public async ValueTask DisposeAsync()
    {
        // The last acknowledgement is still sent. If the peer does not read it, this must not keep waiting.
        _lines.CompleteAdding();
        await Task.WhenAny(_written.Task, Task.Delay(Patience)).ConfigureAwait(false);
        await _output.DisposeAsync().ConfigureAwait(false);

        // A read of standard input cannot be cancelled. It ends with the process.
        await Task.WhenAny(Ended, Task.Delay(TimeSpan.FromMilliseconds(100))).ConfigureAwait(false);
        _ended.TrySetResult();
    }

    // A process that was suspended reads an acknowledgement that came meanwhile at once, but its deadline may pass first.
    private static async Task WaitAsync(Task awaited, TimeSpan deadline, CancellationToken cancellationToken)
    {
        try
        {
            await awaited.WaitAsync(deadline, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            await awaited.WaitAsync(s_afterSuspension, cancellationToken).ConfigureAwait(false);
        }
    }

    private BenchmarkException Gone(Exception? reason) => new(
        reason switch
        {
            FormatException => $"{_peer} sent a line that is not a frame.",
            _ => $"{_peer} has ended.",
        },
        reason);

    private void Write(Frame frame, TaskCompletionSource? acknowledged)
    {
        byte[] line = [.. JsonSerializer.SerializeToUtf8Bytes(frame, FrameJson.Default.Frame), (byte)'\n'];
        try
        {
            _lines.Add((line, acknowledged));
        }
        catch (InvalidOperationException exception)
        {
            throw new ObjectDisposedException("The channel has been closed.", exception);
        }
    }

    private void WriteAll()
    {
        Exception? broken = null;
        foreach ((byte[] line, TaskCompletionSource? acknowledged) in _lines.GetConsumingEnumerable())
        {
            try
            {
                if (broken is null)
                {
                    _output.Write(line);
                    _output.Flush();
                    continue;
                }
            }
            catch (Exception exception) when (exception is IOException or ObjectDisposedException)
            {
                // The peer may have sent more before it stopped reading, such as its reason. The end of the input ends the channel.
                broken = exception;
            }

            acknowledged?.TrySetException(broken!);
        }

        _written.TrySetResult();
    }

    private void ReadAll()
    {
        try
        {
            while (_reader.Read() is { } line)
            {
                Take(line);
            }
        }
        catch (Exception exception)
        {
            // The reason reaches every caller that waits for a frame or for an acknowledgement.
            _endedBy = exception;
        }
        finally
        {
            _received.Writer.TryComplete();
            _ended.TrySetResult();
        }
    }

    private void Take(byte[] line)
    {
        Frame frame = FrameJson.Read(line);
        if (frame is AckFrame ack)
        {
            if (_unacknowledged.TryGetValue(ack.Of, out TaskCompletionSource? waiting))
            {
                waiting.TrySetResult();
            }

            return;
        }

        // Sent before the frame is passed on: the receiver of the last frame may end the channel at once.
        Write(new AckFrame(frame.Id), acknowledged: null);
        _received.Writer.TryWrite(frame);
    }
}

/// <summary>
/// Reads the lines of a stream and blocks the calling thread. Regardless of the length of a line, no more than the longest allowed is held in memory.
/// </summary>
internal sealed class LineReader(Stream input)
{
    /// <summary>
    /// The longest line in bytes. A result with its histograms takes some 300 KiB, and some 1 MiB with ten thousand iterations. A much longer line is not
    /// from this program.
    /// </summary>
    public const int Longest = 4 * 1024 * 1024;

    private const int BufferSize = 64 * 1024;

    private byte[] _buffer = new byte[BufferSize];
    private int _start;
    private int _end;

    /// <returns>The line without its end; null at the end of the input. Input without a line end is not a line: its sender broke off.</returns>
    public byte[]? Read()
    {
        int looked = 0;
        while (true)
        {
            ReadOnlySpan<byte> held = _buffer.AsSpan(_start, _end - _start);
            int length = held[looked..].IndexOf((byte)'\n');
            if (length >= 0)
            {
                byte[] line = held[..(looked + length)].ToArray();
                _start += line.Length + 1;
                return line;
            }

            looked = held.Length;
            if (looked > Longest)
            {
                throw new FormatException($"A line is longer than {Longest} bytes.");
            }

            MakeRoom();
            int read = input.Read(_buffer, _end, _buffer.Length - _end);
            if (read == 0)
            {
                return null;
            }

            _end += read;
        }
    }

    private void MakeRoom()
    {
        _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
        (_start, _end) = (0, _end - _start);
        if (_end == _buffer.Length)
        {
            Array.Resize(ref _buffer, Math.Min(2 * _buffer.Length, Longest + BufferSize));
        }
    }
}
