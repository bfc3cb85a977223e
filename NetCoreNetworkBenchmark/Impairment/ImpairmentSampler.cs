namespace NetCoreNetworkBenchmark.Impairment;

internal readonly record struct SampledImpairments(bool IsLost, bool IsDuplicated, bool IsReordered, bool IsCorrupted);

// The n-th datagram of a direction always gets the same impairments.
internal sealed class ImpairmentSampler(ImpairmentPlan plan, int seed)
{
    private readonly Random _random = new(seed);

    // A number is drawn for every share, independent of the other results. The next datagram's impairments do not depend on this one's.
    public SampledImpairments Next() => new(Draw(plan.Loss), Draw(plan.Duplicate), Draw(plan.Reorder), Draw(plan.Corrupt));

    public void Corrupt(Span<byte> bytes) => bytes[_random.Next(bytes.Length)] ^= (byte)_random.Next(1, byte.MaxValue + 1);

    private bool Draw(double share) => share > 0 && _random.NextDouble() < share;
}
