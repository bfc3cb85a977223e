namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>Estimates the ratios of cases in alternating slices. It is the one estimator for all that is measured in slices.</summary>
/// <remarks>
/// Two cases are compared by the differences of the logarithm of a figure within a round, because the speed of a shared machine differs little between
/// neighbouring slices. The estimate is the mean over the sets. Its variance is that of the slices times the factor by which the sets of all cases differ more
/// than slices explain (<see cref="SetLayout"/>), or if it is larger, the mean of that and the variance between the pair's own sets, weighted with their
/// degrees of freedom. The weight of the slices falls with the chance of a case's spread between its sets, so that a case whose starts vary is judged by its
/// sets. So is a pair of four or more sets that fall into modes (<see cref="ModeDetector"/>). Docs/methodology.md has the formula and the simulations.
/// </remarks>
/// <param name="sets">By set, case and round, positive; null for a slice that is left out. A case that is not in a set has no figures there.</param>
internal sealed class RoundContrasts(IReadOnlyList<IReadOnlyList<IReadOnlyList<double?>>> sets)
{
    // Below this chance of a case's spread between sets the weight of its slices falls, with the square of the chance (found by simulation). Three sets show
    // an effect of the start so rarely at the usual 5 % that a quarter of ordinary cases has to be doubted a little.
    private const double ChanceOfDoubt = 0.25;

    // Any three figures fall into a pair and a single one.
    private const int MinSetsForModes = 4;

    private readonly SetLayout _layout = new(sets);
    private readonly Dictionary<int, double> _chances = [];

    public double SetInflation => _layout.Inflation;

    public bool Has(int index) => sets.Any(set => set[index].Any(figure => figure is not null));

    /// <returns>The ratio, with an interval if there are two sets or more; null if the cases have no round in common.</returns>
    public SetRatio? RatioOf(int one, int other)
    {
        if (RoundPair.From(sets, one, other) is not { } pair)
        {
            return null;
        }

        double ratio = Math.Exp(pair.Means.Average());
        int count = pair.Means.Length;
        if (one == other || count < 2)
        {
            return new SetRatio(ratio, null, null, null, null);
        }

        int own = count - 1;
        if (pair.OfSlices is not { } ofSlices || _layout.OtherDegrees == 0
            || (count >= MinSetsForModes && ModeDetector.ModesOf([.. pair.Means.Select(Math.Exp).Order()]).Count > 1))
        {
            return SetRatio.From(ratio, Math.Sqrt(pair.OfSets / count), own);
        }

        // The degrees of a product of two estimates (Satterthwaite 1946, Biometrics Bulletin 2).
        double prior = WeightOf(one, other) / ((1.0 / _layout.OtherDegrees) + (1.0 / pair.SliceDegrees));
        double expected = SetInflation * ofSlices;
        double variance = Math.Max(expected, ((prior * expected) + (own * pair.OfSets)) / (prior + own));
        return SetRatio.From(ratio, Math.Sqrt(variance / count), prior + own);
    }

    private double WeightOf(int one, int other) => Math.Pow(Math.Min(1, Math.Min(ChanceOf(one), ChanceOf(other)) / ChanceOfDoubt), 2);

    // A case that lacks sets is judged among those that it has.
    private double ChanceOf(int index)
    {
        if (!_chances.TryGetValue(index, out double chance))
        {
            chance = _layout.ChanceOf(index)
                ?? new SetLayout([.. sets.Where(set => set[index].Any(figure => figure is not null))]).ChanceOf(index) ?? 1;
            _chances.Add(index, chance);
        }

        return chance;
    }
}
