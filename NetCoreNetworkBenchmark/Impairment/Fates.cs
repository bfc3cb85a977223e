using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>What chance has in store for one datagram.</summary>
internal readonly record struct Fate(bool IsLost, bool IsDuplicated, bool IsReordered, bool IsCorrupted);

/// <summary>Decides the fate of one datagram after the other from a seed: the n-th of a direction always meets the same.</summary>
internal sealed class Fates(ImpairmentPlan plan, int seed)
{
    private readonly Random _random = new(seed);

    // Every share is drawn for, whatever the others say, so that the next datagram's fate does not depend on this one's.
    public Fate Next() => new(Draw(plan.Loss), Draw(plan.Duplicate), Draw(plan.Reorder), Draw(plan.Corrupt));

    /// <summary>Changes one byte to another value.</summary>
    public void Corrupt(Span<byte> bytes) => bytes[_random.Next(bytes.Length)] ^= (byte)_random.Next(1, byte.MaxValue + 1);

    private bool Draw(double share) => share > 0 && _random.NextDouble() < share;
}
