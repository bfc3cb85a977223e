using System.Text;
using NetCoreNetworkBenchmark.Cli.Files;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>
/// A standard stream, or a file in its place, whose failure must not end the program: text is dropped after it. .NET's own stream hides that nobody reads a
/// pipe. With a descriptor that was closed when the process started, it fails in the middle of a run or writes into a pipe of the runtime.
/// </summary>
/// <param name="inner">The stream that the text is written to; null for the descriptor.</param>
internal sealed class StandardStream(int descriptor, Stream? inner = null) : Stream
{
    private const int StandardInput = 0;
    private const int StandardOutput = 1;
    private const int StandardError = 2;
    private const int GetDescriptorFlags = 1;
    private const int CloseOnExec = 1;
    private const int EINTR = 4;
    private const int EPIPE = 32;
    private const int ReadAndWrite = 2;
    private const short POLLOUT = 4;
    private const int MaxQueuedBytes = 1 << 20;
    private static readonly TimeSpan s_maxStall = TimeSpan.FromSeconds(1);

    // errno.h of Linux, and that of macOS.
    private static readonly int s_eagain = OperatingSystem.IsLinux() ? 11 : 35;

    // A descriptor that is inherited stays open over exec(2), so one that is not was opened by the runtime.
    private readonly bool _isClosed = inner is null && SysFile.fcntl(descriptor, GetDescriptorFlags) is < 0 or CloseOnExec;

    // The text that a thread of its own writes; null if the caller writes. Also the lock of the following three.
    private Queue<byte[]>? _queue;
    private int _queuedBytes;
    private bool _isWriting;
    private bool _isStalled;

    /// <summary>The stream whose queued text comes before the text of this one.</summary>
    public StandardStream? After { get; init; }

    public IOException? Failure { get; private set; }

    /// <summary>Whether the reader of a pipe has ended, such as <c>head</c>, which needs no explanation.</summary>
    public bool IsReaderGone => Failure?.HResult == EPIPE;

    public override bool CanRead => false;
    public override bool CanSeek => false;
    public override bool CanWrite => true;
    public override long Length => throw new NotSupportedException();
    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public static (StandardStream Output, StandardStream Errors) Open()
    {
        if (OperatingSystem.IsWindows())
        {
            var console = new StandardStream(StandardError, Console.OpenStandardError());
            console.WriteInBackground();
            return (new StandardStream(StandardOutput, Console.OpenStandardOutput()) { After = console }, console);
        }

        var errors = new StandardStream(StandardError);
        var output = new StandardStream(StandardOutput) { After = errors };

        // Otherwise the next file or socket that is opened would be standard input, output or error of a child process.
        int descriptor;
        while ((descriptor = SysFile.open("/dev/null", ReadAndWrite)) is >= 0 and <= StandardError)
        {
        }

        _ = SysFile.close(descriptor);
        errors.WriteInBackground();
        return (output, errors);
    }

    /// <summary>Reserves standard input and output for frames: native libraries and child processes print to standard error, and read nothing.</summary>
    public static (Stream Input, Stream Output) TakeForFrames()
    {
        // On Unix, .NET's streams have descriptors of their own, which no child process inherits.
        (Stream input, Stream output) = (Console.OpenStandardInput(), Console.OpenStandardOutput());
        if (!OperatingSystem.IsWindows())
        {
            int nothing = SysFile.open("/dev/null", ReadAndWrite);
            _ = SysFile.dup2(nothing, StandardInput);
            _ = SysFile.close(nothing);
            _ = SysFile.dup2(StandardError, StandardOutput);
        }

        return (input, output);
    }

    /// <summary>Writes on another thread: a reader that pauses, such as <c>less</c>, must not stop the slices. A full queue drops its oldest text.</summary>
    public void WriteInBackground()
    {
        var queue = new Queue<byte[]>();
        try
        {
            new Thread(() => WriteAll(queue)) { Name = "Standard stream", IsBackground = true }.Start();
        }
        catch (OutOfMemoryException)
        {
            // No thread can be started. The caller then writes, also the sentence that explains it.
            return;
        }

        _queue = queue;
    }

    public void Drain(TimeSpan maxStall)
    {
        if (_queue is { } queue)
        {
            lock (queue)
            {
                while ((queue.Count > 0 || _isWriting) && Monitor.Wait(queue, maxStall))
                {
                }
            }
        }
    }

    public TextWriter CreateWriter() => new StreamWriter(this, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { AutoFlush = true };

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        After?.Drain(Timeout.InfiniteTimeSpan);
        if (_queue is { } queue)
        {
            Enqueue(queue, buffer.ToArray());
        }
        else
        {
            WriteNow(buffer);
        }
    }

    private void Enqueue(Queue<byte[]> queue, byte[] text)
    {
        lock (queue)
        {
            // A reader that is only slow loses nothing.
            while (_queuedBytes > MaxQueuedBytes && !_isStalled)
            {
                _isStalled = !Monitor.Wait(queue, s_maxStall);
            }

            while (_queuedBytes > MaxQueuedBytes && queue.TryDequeue(out byte[]? dropped))
            {
                _queuedBytes -= dropped.Length;
            }

            queue.Enqueue(text);
            _queuedBytes += text.Length;
            Monitor.PulseAll(queue);
        }
    }

    private void WriteAll(Queue<byte[]> queue)
    {
        while (true)
        {
            byte[]? text;
            lock (queue)
            {
                while (!queue.TryDequeue(out text))
                {
                    Monitor.Wait(queue);
                }

                _isWriting = true;
            }

            WriteNow(text);
            lock (queue)
            {
                _queuedBytes -= text.Length;
                _isWriting = _isStalled = false;
                Monitor.PulseAll(queue);
            }
        }
    }

    private void WriteNow(ReadOnlySpan<byte> buffer)
    {
        try
        {
            if (Failure is null && inner is not null)
            {
                inner.Write(buffer);
            }
            else if (Failure is null)
            {
                WriteToDescriptor(buffer);
            }
        }
        catch (IOException exception)
        {
            Failure = exception;
        }
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    private void WriteToDescriptor(ReadOnlySpan<byte> buffer)
    {
        if (_isClosed)
        {
            throw new IOException("It is closed.");
        }

        while (buffer.Length > 0)
        {
            nint written = SysFile.write(descriptor, in MemoryMarshal.GetReference(buffer), buffer.Length);
            if (written >= 0)
            {
                buffer = buffer[(int)written..];
                continue;
            }

            int error = Marshal.GetLastPInvokeError();
            if (error == s_eagain)
            {
                // Another program may set the other end of a shell's pipe to nonblocking. A reader such as less may pause for as long as the user does.
                var entry = new SysFile.PollEntry { Descriptor = descriptor, Events = POLLOUT };
                _ = SysFile.poll(ref entry, 1, -1);
            }
            else if (error != EINTR)
            {
                throw new IOException(Marshal.GetPInvokeErrorMessage(error), error);
            }
        }
    }
}
