using System.IO.Pipelines;
using System.Text;
using NetCoreNetworkBenchmark.Running.Agents;

namespace NetCoreNetworkBenchmark.Tests.Running.Agents;

/// <summary>Two streams each way in memory: a channel at one end, and at the other one too, or the bare streams.</summary>
internal sealed class ChannelPair : IAsyncDisposable
{
    public static readonly TimeSpan Deadline = TimeSpan.FromSeconds(60);

    private readonly Pipe _toHere = new();
    private readonly Pipe _toOther = new();
    private FrameChannel? _other;

    public ChannelPair(bool besideLibrary = false) => Here = new FrameChannel("The other", _toHere.Reader.AsStream(), _toOther.Writer.AsStream(), besideLibrary);

    public FrameChannel Here { get; }

    /// <summary>A channel at the other end, made when it is first asked for.</summary>
    public FrameChannel Other => _other ??= new FrameChannel("This one", OtherInput, OtherOutput);

    public Stream OtherInput => _toOther.Reader.AsStream(leaveOpen: true);

    public Stream OtherOutput => _toHere.Writer.AsStream(leaveOpen: true);

    /// <summary>Says something at the other end as it is.</summary>
    public async Task SayAsync(string text) =>
        await OtherOutput.WriteAsync(Encoding.UTF8.GetBytes(text), TestContext.Current.CancellationToken);

    /// <summary>The other end says nothing more.</summary>
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
