using System.Numerics;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>Parcels that are not under way, by the size of their buffers: powers of two. It grows to the most that were under way at once.</summary>
/// <param name="create">Makes one with a buffer of so many bytes.</param>
internal sealed class ParcelPool<T>(Func<int, T> create)
    where T : Parcel
{
    private const int SmallestPower = 6;
    private const int LargestPower = 16;
    private readonly Stack<T>[] _free = [.. Enumerable.Range(SmallestPower, LargestPower - SmallestPower + 1).Select(_ => new Stack<T>())];

    public T Rent(int length)
    {
        int index = IndexOf(length);
        return _free[index].TryPop(out T? parcel) ? parcel : create(1 << (index + SmallestPower));
    }

    public void Return(T parcel) => _free[IndexOf(parcel.Capacity)].Push(parcel);

    private static int IndexOf(int length) =>
        Math.Max(BitOperations.Log2(BitOperations.RoundUpToPowerOf2((uint)length)), SmallestPower) - SmallestPower;
}
