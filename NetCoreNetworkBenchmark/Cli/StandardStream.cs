using System.Runtime.InteropServices;
using System.Text;
using NetCoreNetworkBenchmark.Cli.Files;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>
/// Standard output or standard error of this process, whose every failure is an <see cref="IOException"/>. .NET's own stream hides that nobody reads a pipe.
/// With a descriptor that was closed when the process started, it fails in the middle of a run, or writes into a pipe that the runtime opened in its place.
/// </summary>
internal sealed class StandardStream : Stream
{
    private const int StandardOutput = 1;
    private const int StandardError = 2;
    private const int GetDescriptorFlags = 1;
    private const int CloseOnExec = 1;
    private const int EINTR = 4;
    private const int EAGAIN = 11;
    private const int ReadAndWrite = 2;
    private const short POLLOUT = 4;

    private readonly int _descriptor;
    private readonly bool _isClosed;

    private StandardStream(int descriptor)
    {
        _descriptor = descriptor;

        // A descriptor that is inherited stays open over exec(2), so one that is not was opened by the runtime.
        _isClosed = SysFile.fcntl(descriptor, GetDescriptorFlags) is < 0 or CloseOnExec;
    }

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Opens the writers of standard output and standard error, before anything else opens a file.</summary>
    public static (TextWriter Output, TextWriter Errors) Open()
    {
        if (OperatingSystem.IsWindows())
        {
            return (Console.Out, Console.Error);
        }

        (var output, var errors) = (new StandardStream(StandardOutput), new StandardStream(StandardError));
        FillGaps();
        return (WriterOf(output), WriterOf(errors));
    }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        if (_isClosed)
        {
            throw new IOException("It is closed.");
        }

        while (buffer.Length > 0)
        {
            nint written = SysFile.write(_descriptor, in MemoryMarshal.GetReference(buffer), buffer.Length);
            if (written >= 0)
            {
                buffer = buffer[(int)written..];
                continue;
            }

            int error = Marshal.GetLastPInvokeError();
            if (error == EAGAIN)
            {
                // The other end of a pipe that the shell made may be set to nonblocking by another program.
                var entry = new SysFile.PollEntry { Descriptor = _descriptor, Events = POLLOUT };
                _ = SysFile.poll(ref entry, 1, -1);
            }
            else if (error != EINTR)
            {
                throw new IOException(Marshal.GetPInvokeErrorMessage(error));
            }
        }
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    private static StreamWriter WriterOf(StandardStream stream) => new(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { AutoFlush = true };

    // Otherwise the next file or socket that is opened would be standard input, output or error of a child process.
    private static void FillGaps()
    {
        int descriptor;
        while ((descriptor = SysFile.open("/dev/null", ReadAndWrite)) is >= 0 and <= StandardError)
        {
        }

        _ = SysFile.close(descriptor);
    }
}
