using System.Numerics;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>Pieces that are not in use, by capacity (powers of two). The pool grows to the largest number of pieces that were in use at once.</summary>
internal sealed class PiecePool
{
    private const int SmallestPower = 6;
    private const int LargestPower = 16;
    private readonly Stack<Piece>[] _free = [.. Enumerable.Range(SmallestPower, LargestPower - SmallestPower + 1).Select(_ => new Stack<Piece>())];

    public Piece Rent(int length)
    {
        int index = IndexOf(length);
        return _free[index].TryPop(out Piece? piece) ? piece : new Piece(1 << (index + SmallestPower));
    }

    public void Return(Piece piece) => _free[IndexOf(piece.Capacity)].Push(piece);

    private static int IndexOf(int length) =>
        Math.Max(BitOperations.Log2(BitOperations.RoundUpToPowerOf2((uint)length)), SmallestPower) - SmallestPower;
}
