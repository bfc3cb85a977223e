namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>
/// Estimates the ratios of cases in alternating slices, in several fresh sets of processes. It is the one estimator for everything that is compared.
/// </summary>
/// <remarks>
/// Two cases are compared by the differences of the logarithm of a figure within a round, because the speed of a shared machine differs little between
/// neighbouring slices. The estimate is the mean over the sets. Its variance is that between the sets, moderated by that of the slices: a few sets alone give a
/// poor estimate. A pair of four or more sets that fall into modes (<see cref="ModeDetector"/>) has the variance between its sets alone.
/// Docs/methodology.md has the formula and the simulations.
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
