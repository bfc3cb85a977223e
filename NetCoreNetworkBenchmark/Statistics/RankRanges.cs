namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>
/// The places that each of several cases may have. First place: 1 plus the cases decided better. Last place: all cases minus those decided worse. All pairs are
/// judged together (<see cref="HolmProcedure"/>), each by its own ratio.
/// </summary>
internal sealed class RankRanges
{
    private readonly Pair[] _pairs;
    private readonly Pair[] _compared;

    /// <param name="ranked">The indices of the cases that are ranked.</param>
    /// <param name="baseline">The index of the case with which a single case is compared.</param>
    /// <param name="highestFirst">Whether a higher figure is better.</param>
    public RankRanges(RoundContrasts contrasts, IEnumerable<int> ranked, int baseline, bool highestFirst)
    {
        int[] cases = [.. ranked.Where(contrasts.Has)];
        Pair[] pairs =
        [
            .. from first in cases
               from second in cases
               where first < second
               let ratio = contrasts.RatioOf(second, first)
               let isSecondBetter = highestFirst ? ratio?.Ratio > 1 : ratio?.Ratio < 1
               select isSecondBetter ? new Pair(second, first, contrasts.RatioOf(first, second)) : new Pair(first, second, ratio),
        ];
        IReadOnlyList<bool> decided = HolmProcedure.Decide([.. pairs.Select(pair => pair.Ratio)]);
        _pairs = [.. pairs.Select((pair, index) => pair with { IsDecided = decided[index] })];
        _compared = cases is [var only] && only != baseline ? [new Pair(baseline, only, contrasts.RatioOf(only, baseline))] : _pairs;
        Confidence = HolmProcedure.ConfidenceOf(decided);
        double sign = highestFirst ? -1 : 1;
        int best = cases.OrderBy(LargestLoss).FirstOrDefault(-1);
        Order = [.. cases.OrderBy(index => sign * contrasts.RatioOf(index, best)?.Ratio ?? double.MaxValue)];
        Best = best < 0 ? null : best;
    }

    /// <summary>
    /// The case that no other one surpasses, to which the others are related. Ratios over different rounds may form a circle; then that whose largest loss is
    /// the smallest. Null if no case has figures.
    /// </summary>
    public int? Best { get; }

    /// <summary>The cases by their ratio to the best one.</summary>
    public IReadOnlyList<int> Order { get; }

    /// <summary>The confidence of the intervals by which pairs are decided.</summary>
    public double Confidence { get; }
    public int PairCount => _pairs.Length;

    /// <summary>
    /// Returns the widest half width of the 95 % interval of a pair, on a logarithmic scale; null if a pair has none. A single case is compared with the
    /// baseline.
    /// </summary>
    /// <param name="counts">Whether a case counts.</param>
    public double? WidestHalfWidth(Func<int, bool> counts)
    {
        double?[] widths = [.. _compared.Where(pair => counts(pair.Better) && counts(pair.Worse)).Select(pair => pair.Ratio?.HalfWidth)];
        return widths.Contains(null) ? null : widths.Max() ?? 0;
    }

    /// <summary>Returns the first and the last place that a case may have; null for a case that is not ranked.</summary>
    public (int First, int Last)? Of(int index) => Order.Contains(index)
        ? (1 + _pairs.Count(pair => pair.IsDecided && pair.Worse == index), Order.Count - _pairs.Count(pair => pair.IsDecided && pair.Better == index))
        : null;

    /// <summary>Returns the neighbours in the order that are undecided, with the figure of the worse one divided by that of the better one.</summary>
    public IEnumerable<(int Better, int Worse, SetRatio? Ratio)> Undecided() =>
        from neighbours in Order.Zip(Order.Skip(1))
        let pair = _pairs.Single(candidate => (candidate.Better, candidate.Worse) == neighbours || (candidate.Worse, candidate.Better) == neighbours)
        where !pair.IsDecided
        select (pair.Better, pair.Worse, pair.Ratio);

    private double LargestLoss(int index) => _pairs
        .Where(pair => pair.Ratio is not null && (pair.Better == index || pair.Worse == index))
        .Select(pair => pair.Better == index ? 0 : Math.Abs(Math.Log(pair.Ratio!.Ratio)))
        .DefaultIfEmpty(double.MaxValue).Max();

    private sealed record Pair(int Better, int Worse, SetRatio? Ratio)
    {
        public bool IsDecided { get; init; }
    }
}
