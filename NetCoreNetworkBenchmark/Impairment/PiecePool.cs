using System.Numerics;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>Pieces that are not in use, by capacity (powers of two). The pool grows to the largest number of pieces that were in use at once.</summary>
internal sealed class PiecePool
{
    private const int SmallestPower = 6;
    private const int LargestPower = 16;
    private readonly Stack<Piece>[] _free = [.. Enumerable.Range(SmallestPower, LargestPower - SmallestPower + 1).Select(_ => new Stack<Piece>())];

    public Piece Rent(Flow flow, Counter? counter, ReadOnlySpan<byte> bytes, long arrived)
    {
        int index = IndexOf(bytes.Length);
        Piece piece = _free[index].TryPop(out Piece? free) ? free : new Piece(1 << (index + SmallestPower));
        piece.Fill(flow, counter, bytes, arrived);
        return piece;
    }

    public void Return(Piece piece) => _free[IndexOf(piece.Capacity)].Push(piece);

    private static int IndexOf(int length) =>
        Math.Max(BitOperations.Log2(BitOperations.RoundUpToPowerOf2((uint)length)), SmallestPower) - SmallestPower;
}
