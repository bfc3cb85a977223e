namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>
/// The places that each of several cases may have. First place: 1 plus the cases decided better. Last place: all cases with a place minus those decided worse.
/// All pairs are judged together (<see cref="HolmProcedure.RankingLevel"/>), each by its own ratio. A case without an interval of any of its pairs has no
/// place: without data there is neither a win nor a loss.
/// </summary>
internal sealed class RankRanges
{
    private readonly RoundContrasts _contrasts;
    private readonly Pair[] _pairs;
    private readonly Pair[] _compared;
    private readonly HashSet<int> _placed;

    private RankRanges(RoundContrasts contrasts, Pair[] pairs, Pair[] compared, HashSet<int> placed) =>
        (_contrasts, _pairs, _compared, _placed) = (contrasts, pairs, compared, placed);

    /// <param name="baseline">The index of the case with which a single case is compared.</param>
    public static RankRanges From(RoundContrasts contrasts, IEnumerable<int> ranked, int baseline, bool highestFirst)
    {
        int[] cases = [.. ranked.Where(contrasts.Has)];
        Pair[] all = [.. PairsOf(contrasts, cases, highestFirst)];

        // Whether a pair has an interval does not depend on its outcome, so one that has none takes no part of the level.
        Pair[] withIntervals = [.. all.Where(pair => pair.HasInterval)];
        IReadOnlyList<bool> decided = HolmProcedure.Decide([.. withIntervals.Select(pair => pair.Ratio)], level: HolmProcedure.RankingLevel);
        Pair[] pairs = [.. withIntervals.Zip(decided, (pair, isDecided) => pair with { IsDecided = isDecided }), .. all.Where(pair => !pair.HasInterval)];
        Pair[] compared = cases is [var only] && only != baseline ? [new Pair(baseline, only, contrasts.RatioOf(only, baseline))] : pairs;
        HashSet<int> placed = [.. cases.Where(index => compared.Length == 0 || compared.Any(pair => pair.HasInterval && pair.IsOf(index)))];

        // Without any interval the best figure still gives the others a ratio, but nobody a place.
        double sign = highestFirst ? -1 : 1;
        int best = cases.OrderByDescending(placed.Contains).ThenBy(index => LargestLoss(index, pairs)).FirstOrDefault(-1);
        return new RankRanges(contrasts, pairs, compared, placed)
        {
            Confidence = HolmProcedure.ConfidenceOf(decided, HolmProcedure.RankingLevel),
            LargestConfidence = 1 - (HolmProcedure.RankingLevel / Math.Max(1, withIntervals.Length)),
            Order = [.. cases.OrderByDescending(placed.Contains).ThenBy(index => sign * contrasts.RatioOf(index, best)?.Ratio ?? double.MaxValue)],
            Best = best < 0 ? null : best,
        };
    }

    /// <summary>
    /// The case that no other one surpasses, to which the others are related; one without a place only if none has any. Ratios over different rounds may form
    /// a circle; then that whose largest loss is the smallest. Null if no case has figures.
    /// </summary>
    public int? Best { get; private init; }

    /// <summary>By the ratio to the best one; cases without a place last.</summary>
    public IReadOnlyList<int> Order { get; private init; } = [];

    /// <summary>The confidence at which the interval of a pair excludes 1 exactly if the pair is decided.</summary>
    public double Confidence { get; private init; }

    /// <summary>The confidence of the first step of the procedure, which depends on no outcome: the largest that <see cref="Confidence"/> may be.</summary>
    public double LargestConfidence { get; private init; }

    /// <summary>On a logarithmic scale, at <see cref="LargestConfidence"/>; null if a pair has none. A single case is compared with the baseline.</summary>
    public double? WidestHalfWidth(Func<int, bool> counts)
    {
        double?[] widths =
        [
            .. from pair in _compared
               where counts(pair.Better) && counts(pair.Worse)
               select pair.Ratio?.IntervalAt(LargestConfidence) is { } interval ? Math.Log(interval.Upper / interval.Lower) / 2 : (double?)null,
        ];
        return widths.Contains(null) ? null : widths.Max() ?? 0;
    }

    /// <summary>Null for a case that is not ranked or has no interval.</summary>
    public (int First, int Last)? Of(int index) => _placed.Contains(index)
        ? (1 + _pairs.Count(pair => pair.IsDecided && pair.Worse == index), _placed.Count - _pairs.Count(pair => pair.IsDecided && pair.Better == index))
        : null;

    /// <returns>Null if no case has figures, or the case has no round in common with the best one.</returns>
    public SetRatio? ToBest(int index) => Best is { } best ? _contrasts.RatioOf(index, best) : null;

    /// <summary>The ratio is the figure of the worse neighbour divided by that of the better one.</summary>
    public IEnumerable<(int Better, int Worse, SetRatio? Ratio)> Undecided() =>
        from neighbours in Order.Zip(Order.Skip(1))
        let pair = _pairs.Single(candidate => (candidate.Better, candidate.Worse) == neighbours || (candidate.Worse, candidate.Better) == neighbours)
        where !pair.IsDecided
        select (pair.Better, pair.Worse, pair.Ratio);

    private static IEnumerable<Pair> PairsOf(RoundContrasts contrasts, int[] cases, bool highestFirst) =>
        from first in cases
        from second in cases
        where first < second
        let ratio = contrasts.RatioOf(second, first)
        let isSecondBetter = highestFirst ? ratio?.Ratio > 1 : ratio?.Ratio < 1
        select isSecondBetter ? new Pair(second, first, contrasts.RatioOf(first, second)) : new Pair(first, second, ratio);

    private static double LargestLoss(int index, Pair[] pairs) => pairs
        .Where(pair => pair.Ratio is not null && pair.IsOf(index))
        .Select(pair => pair.Better == index ? 0 : Math.Abs(Math.Log(pair.Ratio!.Ratio)))
        .DefaultIfEmpty(double.MaxValue).Max();

    private sealed record Pair(int Better, int Worse, SetRatio? Ratio)
    {
        public bool IsDecided { get; init; }
        public bool HasInterval => Ratio?.StandardError is not null;

        public bool IsOf(int index) => Better == index || Worse == index;
    }
}
