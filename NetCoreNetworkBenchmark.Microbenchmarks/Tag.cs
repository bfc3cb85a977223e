namespace NetCoreNetworkBenchmark.Microbenchmarks;

public class Tag
{
    private const int Operations = 256;
    private const uint Client = 7;
    private const int Slot = 3;

    private readonly MessageLayout _layout = new(Sample.Plan);
    private readonly byte[][] _messages = new byte[Operations][];

    public Tag()
    {
        foreach (ref byte[] message in _messages.AsSpan())
        {
            message = _layout.CreateMessage();
        }

        Stamp();
    }

    [Benchmark(OperationsPerInvoke = Operations)]
    public uint Stamp()
    {
        uint sequence = 0;
        foreach (byte[] message in _messages)
        {
            new MessageTag(Client, ++sequence, Slot).WriteTo(message);
        }

        return sequence;
    }

    [Benchmark(OperationsPerInvoke = Operations)]
    public int Check()
    {
        int right = 0;
        foreach (byte[] message in _messages)
        {
            right += _layout.IsIntact(message) && MessageTag.ReadFrom(message) is { Slot: Slot } tag && tag.IsOf(Client) ? 1 : 0;
        }

        return right;
    }
}
