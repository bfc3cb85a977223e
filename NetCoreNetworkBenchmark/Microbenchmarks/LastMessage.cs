using NetCoreNetworkBenchmark.Contracts;

namespace NetCoreNetworkBenchmark.Microbenchmarks;

/// <summary>A connection that keeps a copy of the last sent message, which is then used as the answer.</summary>
internal sealed class LastMessage : IPeer
{
    private readonly byte[] _bytes = new byte[Sample.Plan.MessageSize];

    public object? State { get; set; }

    public ReadOnlySpan<byte> Bytes => _bytes;

    public bool Send(ReadOnlySpan<byte> message)
    {
        message.CopyTo(_bytes);
        return true;
    }

    public void Close()
    {
        // There is nothing to close.
    }
}
