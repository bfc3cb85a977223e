namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>
/// The places that each of several cases may have: from 1 and one for each case that is surely better, to the number of cases less those that are surely worse.
/// All pairs are judged together (<see cref="HolmProcedure"/>).
/// </summary>
internal sealed class RankRanges
{
    private readonly Dictionary<(int Better, int Worse), SetRatio?> _pairs;
    private readonly IReadOnlyCollection<SetRatio?> _compared;
    private readonly HashSet<(int Better, int Worse)> _decided;

    /// <summary>Ranks cases.</summary>
    /// <param name="contrasts">The figures of the cases.</param>
    /// <param name="ranked">The indices of the cases that are ranked.</param>
    /// <param name="baseline">The index of the case by whose ratios the cases are ordered.</param>
    /// <param name="highestFirst">Whether a higher figure is better.</param>
    public RankRanges(RoundContrasts contrasts, IEnumerable<int> ranked, int baseline, bool highestFirst)
    {
        double sign = highestFirst ? -1 : 1;
        Order = [.. ranked.Where(contrasts.Has).OrderBy(index => sign * contrasts.RatioOf(index, baseline)?.Ratio ?? double.MaxValue)];
        (int Better, int Worse)[] pairs =
        [
            .. from first in Enumerable.Range(0, Order.Count)
               from second in Enumerable.Range(first + 1, Order.Count - first - 1)
               select (Order[first], Order[second]),
        ];
        _pairs = pairs.ToDictionary(pair => pair, pair => contrasts.RatioOf(pair.Worse, pair.Better));
        _compared = Order is [var only] && only != baseline ? [contrasts.RatioOf(only, baseline)] : _pairs.Values;
        IReadOnlyList<bool> decided = HolmProcedure.Decide([.. pairs.Select(pair => _pairs[pair])]);
        _decided = [.. pairs.Where((_, index) => decided[index])];
        Confidence = HolmProcedure.ConfidenceOf(decided);
    }

    /// <summary>The indices of the ranked cases, the best first.</summary>
    public IReadOnlyList<int> Order { get; }

    /// <summary>The confidence of the intervals by which pairs are decided.</summary>
    public double Confidence { get; }

    /// <summary>The number of pairs that are judged together.</summary>
    public int PairCount => _pairs.Count;

    /// <summary>
    /// The widest half width of the 95 % interval of a pair, on a logarithmic scale; null if a pair has none. A single case is compared with the baseline.
    /// </summary>
    public double? WidestHalfWidth => _compared.All(pair => pair?.HalfWidth is not null) ? _compared.Max(pair => pair!.HalfWidth) ?? 0 : null;

    /// <summary>Returns the first and the last place that a case may have; null for a case that is not ranked.</summary>
    public (int First, int Last)? Of(int index) => Order.Contains(index)
        ? (1 + _decided.Count(pair => pair.Worse == index), Order.Count - _decided.Count(pair => pair.Better == index))
        : null;

    /// <summary>Returns the neighbours in the order that are undecided, with the figure of the second divided by that of the first.</summary>
    public IEnumerable<(int First, int Second, SetRatio? Ratio)> Undecided() =>
        from pair in Order.Zip(Order.Skip(1))
        where !_decided.Contains(pair)
        select (pair.First, pair.Second, _pairs[pair]);
}
