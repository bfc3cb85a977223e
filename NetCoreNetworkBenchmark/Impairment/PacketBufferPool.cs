using System.Numerics;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>
/// Packet buffers that are not in use, by capacity (powers of two). The pool grows to the largest number of buffers that were in use at once.
/// </summary>
/// <param name="create">Creates a packet buffer with the given capacity in bytes.</param>
internal sealed class PacketBufferPool<T>(Func<int, T> create)
    where T : PacketBuffer
{
    private const int SmallestPower = 6;
    private const int LargestPower = 16;
    private readonly Stack<T>[] _free = [.. Enumerable.Range(SmallestPower, LargestPower - SmallestPower + 1).Select(_ => new Stack<T>())];

    public T Rent(int length)
    {
        int index = IndexOf(length);
        return _free[index].TryPop(out T? packet) ? packet : create(1 << (index + SmallestPower));
    }

    public void Return(T packet) => _free[IndexOf(packet.Capacity)].Push(packet);

    private static int IndexOf(int length) =>
        Math.Max(BitOperations.Log2(BitOperations.RoundUpToPowerOf2((uint)length)), SmallestPower) - SmallestPower;
}
