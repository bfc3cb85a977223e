using System.Numerics;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>Chunks that are not in use, by capacity (powers of two). The pool grows to the largest number of chunks that were in use at once.</summary>
internal sealed class ChunkPool
{
    private const int SmallestPower = 6;
    private const int LargestPower = 16;
    private readonly Stack<Chunk>[] _free = [.. Enumerable.Range(SmallestPower, LargestPower - SmallestPower + 1).Select(_ => new Stack<Chunk>())];

    public Chunk Rent(Flow flow, Counter? counter, ReadOnlySpan<byte> bytes, long arrived)
    {
        int index = IndexOf(bytes.Length);
        Chunk chunk = _free[index].TryPop(out Chunk? free) ? free : new Chunk(1 << (index + SmallestPower));
        chunk.Fill(flow, counter, bytes, arrived);
        return chunk;
    }

    public void Return(Chunk chunk) => _free[IndexOf(chunk.Capacity)].Push(chunk);

    private static int IndexOf(int length) =>
        Math.Max(BitOperations.Log2(BitOperations.RoundUpToPowerOf2((uint)length)), SmallestPower) - SmallestPower;
}
