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

    /// <summary>The channel at the other end, created at its first use.</summary>
    public FrameChannel Other => _other ??= new FrameChannel("This one", OtherInput, OtherOutput);

    public Stream OtherInput => _toOther.Reader.AsStream(leaveOpen: true);

    public Stream OtherOutput => _toHere.Writer.AsStream(leaveOpen: true);

    /// <summary>Writes text unchanged at the other end.</summary>
    public async Task SayAsync(string text) =>
        await OtherOutput.WriteAsync(Encoding.UTF8.GetBytes(text), TestContext.Current.CancellationToken);

    /// <summary>Ends the output of the other end.</summary>
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
}
