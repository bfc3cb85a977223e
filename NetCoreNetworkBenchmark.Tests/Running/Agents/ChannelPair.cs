using System.IO.Pipelines;
using System.Text;
using NetCoreNetworkBenchmark.Running.Agents;

namespace NetCoreNetworkBenchmark.Tests.Running.Agents;

/// <summary>A pair of streams in memory, one in each direction, with a channel at one end. The other end is also a channel, or the plain streams.</summary>
internal sealed class ChannelPair : IAsyncDisposable
{
    public static readonly TimeSpan Deadline = TimeSpan.FromSeconds(60);

    private readonly Pipe _toHere = new();
    private readonly Pipe _toOther = new();
    private FrameChannel? _other;

    public ChannelPair(bool besideLibrary = false) =>
        Here = new FrameChannel("The other", _toHere.Reader.AsStream(), _toOther.Writer.AsStream(), besideLibrary);

    public FrameChannel Here { get; }
    public FrameChannel Other => _other ??= new FrameChannel("This one", OtherInput, OtherOutput);
    public Stream OtherInput => _toOther.Reader.AsStream(leaveOpen: true);
    public Stream OtherOutput => new EndedOutput(_toHere.Writer.AsStream(leaveOpen: true));

    public async Task SayAsync(string text) => await OtherOutput.WriteAsync(Encoding.UTF8.GetBytes(text), TestContext.Current.CancellationToken);

    public ValueTask EndAsync() => _toHere.Writer.CompleteAsync();

    public async ValueTask DisposeAsync()
    {
        await EndAsync();
        await Here.DisposeAsync();
        if (_other is not null)
        {
            await _other.DisposeAsync();
        }
    }

    /// <summary>A stream over a pipe that fails as a closed pipe of the system does.</summary>
    private sealed class EndedOutput(Stream inner) : Stream
    {
        public override bool CanRead => false;
        public override bool CanSeek => false;
        public override bool CanWrite => true;
        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override void Flush()
        {
        }

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count)
        {
            try
            {
                inner.Write(buffer, offset, count);
                inner.Flush();
            }
            catch (InvalidOperationException exception)
            {
                throw new IOException("The pipe has been closed.", exception);
            }
        }
    }
}
