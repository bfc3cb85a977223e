namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>
/// Estimates the ratios of cases in alternating slices, in several fresh sets of processes. It is the one estimator for everything that is compared.
/// </summary>
/// <remarks>
/// <para>
/// With y the logarithm of a figure, two cases are compared by the differences of y within a round, because the speed of a shared machine differs little
/// between neighbouring slices. The mean of the differences of a set contains the noise of its slices and the effect of its start (address layout,
/// compilation); the estimate is the mean over the sets.
/// </para>
/// <para>
/// A few sets alone give a poor estimate of the variance between sets. The slices give a better one, which knows nothing of the starts. So the variance of a
/// pair is moderated between both: var = (d0 F V / n + (S - 1) v) / (d0 + S - 1), where v is the variance of the S means of sets, V that of the differences
/// within the sets, n the number of rounds of a set, and F (<see cref="SetInflation"/>) the factor by which the sets of the benchmark differ more than slices
/// explain. The interval is Student's t interval with d0 + S - 1 degrees of freedom. The form is that of Smyth 2004 (Linear Models and Empirical Bayes
/// Methods for Assessing Differential Expression in Microarray Experiments, Statistical Applications in Genetics and Molecular Biology 3), with the slices as
/// the prior. A pair of four or more sets that fall into modes (<see cref="ModeDetector"/>) has the variance between its sets alone.
/// </para>
/// <para>
/// The weight d0 is that of the other pairs in F, (K - 2)(S - 1) for K cases, and at most 2 (S - 1) and 4. So two cases alone are judged by their sets: F would
/// count the same differences twice. F is that of the benchmark and not pooled over several. Both follow from simulations: F pooled over four loads, of which
/// one has effects of the start, covered that load in 86 to 88 % instead of 95 % of cases, and a weight above 4 covered one uneven case in 88 %.
/// </para>
/// </remarks>
/// <param name="sets">
/// The figures by set, case and round, positive. A figure is null for a slice that is left out. A case that is not in a set has no figures there.
/// </param>
internal sealed class RoundContrasts(IReadOnlyList<IReadOnlyList<IReadOnlyList<double?>>> sets)
{
    private const int MostPriorDegreesPerSet = 2;
    private const int MostPriorDegrees = 4;

    // Any three figures fall into a pair and a single one.
    private const int LeastSetsForModes = 4;

    private readonly (double Factor, int OtherPairs) _inflation = InflationOf(sets);

    /// <summary>The factor by which the sets differ more than the noise of their slices explains, 1 or more.</summary>
    public double SetInflation => _inflation.Factor;

    public bool Has(int index) => sets.Any(set => set[index].Any(figure => figure is not null));

    /// <summary>Estimates the figure of one case divided by that of another.</summary>
    /// <returns>The ratio, with an interval if there are two sets or more; null if the cases have no round in common.</returns>
    public SetRatio? RatioOf(int one, int other)
    {
        if (Pair.Of(sets, one, other) is not { } pair)
        {
            return null;
        }

        double ratio = Math.Exp(pair.Means.Average());
        int count = pair.Means.Length;
        if (one == other || count < 2)
        {
            return new SetRatio(ratio, null, null, null, null);
        }

        if (pair.OfSlices is not { } ofSlices || (count >= LeastSetsForModes && ModeDetector.ModesOf([.. pair.Means.Select(Math.Exp).Order()]).Count > 1))
        {
            return SetRatio.Of(ratio, Math.Sqrt(pair.OfSets / count), count - 1);
        }

        int prior = Math.Min(MostPriorDegrees, Math.Min(MostPriorDegreesPerSet, _inflation.OtherPairs) * (count - 1));
        double variance = ((prior * SetInflation * ofSlices) + ((count - 1) * pair.OfSets)) / (prior + count - 1);
        return SetRatio.Of(ratio, Math.Sqrt(variance / count), prior + count - 1);
    }

    // Summed over the pairs, the variances are those of the residuals of a two-way layout (Scheffé 1959, The Analysis of Variance, 4.2), and a pair uses all
    // rounds that both of its cases have.
    private static (double Factor, int OtherPairs) InflationOf(IReadOnlyList<IReadOnlyList<IReadOnlyList<double?>>> sets)
    {
        int[] whole =
        [
            .. Enumerable.Range(0, sets.Count == 0 ? 0 : sets[0].Count)
                .Where(index => sets.All(set => set[index].Any(figure => figure is not null))),
        ];
        Pair[] pairs =
        [
            .. from one in whole
               from other in whole
               where other > one
               let pair = Pair.Of(sets, one, other)
               where pair is { OfSlices: not null } && pair.Means.Length == sets.Count
               select pair,
        ];
        if (sets.Count < 2 || pairs.Length == 0)
        {
            return (1, 0);
        }

        double ofSlices = pairs.Sum(pair => pair.OfSlices!.Value);
        return (ofSlices > 0 ? Math.Max(1, pairs.Sum(pair => pair.OfSets) / ofSlices) : 1, whole.Length - 2);
    }

    /// <summary>The differences of the logarithms of two cases within rounds.</summary>
    /// <param name="Means">Their means in the sets in which both have a figure.</param>
    /// <param name="OfSets">The variance of the means; 0 for one set.</param>
    /// <param name="OfSlices">The variance of a mean by the differences within the sets; null if no set has two rounds.</param>
    private sealed record Pair(double[] Means, double OfSets, double? OfSlices)
    {
        public static Pair? Of(IReadOnlyList<IReadOnlyList<IReadOnlyList<double?>>> sets, int one, int other)
        {
            double[][] differences = [.. sets.Select(set => DifferencesOf(set[one], set[other])).Where(set => set.Length > 0)];
            if (differences.Length == 0)
            {
                return null;
            }

            double[] means = [.. differences.Select(set => set.Average())];
            int withinDegrees = differences.Sum(set => set.Length - 1);
            return new Pair(
                means,
                means.Length < 2 ? 0 : SquaresOf(means) / (means.Length - 1),
                withinDegrees == 0 ? null : differences.Sum(SquaresOf) / withinDegrees * differences.Average(set => 1.0 / set.Length));
        }

        private static double[] DifferencesOf(IReadOnlyList<double?> one, IReadOnlyList<double?> other) =>
        [
            .. from pair in one.Zip(other)
               let ratio = pair.First / pair.Second
               where ratio is not null
               select Math.Log(ratio.Value),
        ];

        private static double SquaresOf(IReadOnlyCollection<double> values)
        {
            double mean = values.Average();
            return values.Sum(value => (value - mean) * (value - mean));
        }
    }
}

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
    /// Returns the widest half width of the 95 % interval of a pair, on a logarithmic scale; null if a pair has none. A single case is compared with the baseline.
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
