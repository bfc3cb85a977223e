using System.Threading.Channels;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>Thread-safe. Reads and writes on threads of its own: the library may keep the pool busy, and a blocked read would take a thread from it.</summary>
internal sealed class FrameChannel : IAsyncDisposable
{
    private static readonly TimeSpan s_lastWrite = TimeSpan.FromSeconds(5);

    private readonly string _peer;
    private readonly Stream _output;
    private readonly LineReader _reader;
    private readonly BlockingCollection<byte[]> _lines = [];
    private readonly Channel<Frame> _received;
    private readonly TaskCompletionSource _ended;
    private readonly TaskCompletionSource _written = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Exception? _endedBy;
    private bool _hasReceived;

    /// <param name="besideLibrary">If a library runs in this process, a waiting caller continues on the reading thread and must not keep it for long.</param>
    public FrameChannel(string peer, Stream input, Stream output, bool besideLibrary = false)
    {
        _peer = peer;
        _output = output;
        _reader = new LineReader(input);
        _received = Channel.CreateUnbounded<Frame>(new UnboundedChannelOptions { AllowSynchronousContinuations = besideLibrary });
        _ended = new TaskCompletionSource(besideLibrary ? TaskCreationOptions.None : TaskCreationOptions.RunContinuationsAsynchronously);
        new Thread(ReadAll) { IsBackground = true, Name = $"Read {peer}" }.Start();
        new Thread(WriteAll) { IsBackground = true, Name = $"Write {peer}" }.Start();
    }

    public static TimeSpan HeartbeatInterval { get; } = TimeSpan.FromSeconds(1);

    /// <summary>Long, because the load may take the CPU time of the coordinator too. The end of a process is known at once.</summary>
    public static TimeSpan MaxSilence { get; } = TimeSpan.FromSeconds(15);

    public Task Ended => _ended.Task;

    /// <summary>Set before a call of <see cref="ReceiveAsync"/> fails because no frame will come.</summary>
    public bool HasNoMore => _received.Reader.Completion.IsCompleted;

    public void Send(Frame frame)
    {
        try
        {
            byte[] line = FrameJson.LineOf(frame);
            _lines.Add(line.Length <= LineReader.Longest ? line : [.. FrameJson.LineOf(new LengthFrame(line.Length)), .. line]);
        }
        catch (InvalidOperationException) when (_lines.IsAddingCompleted)
        {
            // The end of the channel notifies whoever waits.
        }
    }

    public bool HasReceived() => Interlocked.Exchange(ref _hasReceived, false);

    /// <summary>Waits once: an agent that waits while its library is measured does no other work meanwhile.</summary>
    public async Task<Frame> ReceiveAsync(TimeSpan deadline, CancellationToken cancellationToken) =>
        await ReceiveWithinAsync(deadline, cancellationToken) ?? throw Silent(deadline);

    /// <summary>Counts intervals instead of reading the clock: a busy machine delays them as it delays the heartbeats of the peer.</summary>
    public async Task<Frame> ReceiveBesideHeartbeatsAsync(TimeSpan deadline, CancellationToken cancellationToken)
    {
        for (TimeSpan waited = TimeSpan.Zero; waited < deadline; waited += HeartbeatInterval)
        {
            TimeSpan left = deadline - waited;
            if (await ReceiveWithinAsync(left < HeartbeatInterval ? left : HeartbeatInterval, cancellationToken) is { } frame)
            {
                return frame;
            }
        }

        throw Silent(deadline);
    }

    public async ValueTask DisposeAsync()
    {
        // The last frame is still sent. If the peer does not read it, this must not keep waiting.
        _lines.CompleteAdding();
        await Task.WhenAny(_written.Task, Task.Delay(s_lastWrite));
        await _output.DisposeAsync();

        // A read of standard input cannot be cancelled. It ends with the process.
        await Task.WhenAny(Ended, Task.Delay(TimeSpan.FromMilliseconds(100)));
        _ended.TrySetResult();
    }

    private async Task<Frame?> ReceiveWithinAsync(TimeSpan time, CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        over.CancelAfter(time);
        try
        {
            // The token ends the read itself. A read that is merely abandoned would take the next frame away from the next call.
            return await _received.Reader.ReadAsync(over.Token);
        }
        catch (ChannelClosedException)
        {
            throw Gone();
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return null;
        }
    }

    private BenchmarkException Silent(TimeSpan deadline) => new(Invariant($"{_peer} has sent nothing for {deadline.TotalSeconds:0.#} s."));

    private BenchmarkException Gone() =>
        new(_endedBy is FormatException ? $"{_peer} sent a line that is not a frame." : $"{_peer} has ended.", _endedBy);

    private void WriteAll()
    {
        try
        {
            foreach (byte[] line in _lines.GetConsumingEnumerable())
            {
                _output.Write(line);
                _output.Flush();
            }
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException)
        {
            // The peer may have sent more before it stopped reading, such as its reason. The end of the input ends the channel.
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
            // The reason reaches every caller that waits for a frame.
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
        if (frame is LengthFrame { Bytes: var bytes })
        {
            _reader.Announce(bytes);
            return;
        }

        Volatile.Write(ref _hasReceived, true);
        if (frame is ProgressFrame)
        {
            Send(new AckFrame());
        }

        if (frame is not AckFrame)
        {
            _received.Writer.TryWrite(frame);
        }
    }
}

/// <summary>Holds at most the longest allowed line in memory, regardless of the input.</summary>
internal sealed class LineReader(Stream input)
{
    /// <summary>In bytes, for a line that is not announced (<see cref="LengthFrame"/>). A result with its histograms takes some 300 KiB.</summary>
    public const int Longest = 4 * 1024 * 1024;

    private const int BufferSize = 64 * 1024;

    private byte[] _buffer = new byte[BufferSize];
    private int _start;
    private int _end;
    private int _longest = Longest;

    public void Announce(int bytes) => _longest = Math.Max(Longest, bytes);

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
                _longest = Longest;
                return line;
            }

            looked = held.Length;
            if (looked > _longest)
            {
                throw new FormatException($"A line is longer than {_longest} bytes.");
            }

            FreeSpace();
            int read = input.Read(_buffer, _end, _buffer.Length - _end);
            if (read == 0)
            {
                return null;
            }

            _end += read;
        }
    }

    private void FreeSpace()
    {
        _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
        (_start, _end) = (0, _end - _start);
        if (_end == _buffer.Length)
        {
            Array.Resize(ref _buffer, (int)Math.Min(2L * _buffer.Length, Math.Min(Array.MaxLength, (long)_longest + BufferSize)));
        }
    }
}
