namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>
/// Estimates the ratios of cases that took turns in slices, in several fresh sets of processes. It is the one estimator for everything that is compared.
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

    /// <summary>Returns whether a case has a figure.</summary>
    public bool Has(int index) => sets.Any(set => set[index].Any(figure => figure is not null));

    /// <summary>Estimates the figure of one case divided by that of another.</summary>
    /// <param name="one">The index of the first case.</param>
    /// <param name="other">The index of the second case.</param>
    /// <returns>The ratio, with an interval if there are two sets or more; null if the cases have no round in common.</returns>
    public SetRatio? RatioOf(int one, int other)
    {
        double[][] differences = [.. sets.Select(set => DifferencesOf(set[one], set[other])).Where(found => found.Length > 0)];
        if (differences.Length == 0)
        {
            return null;
        }

        int count = differences.Length;
        double[] means = [.. differences.Select(found => found.Average())];
        double ratio = Math.Exp(means.Average());
        if (one == other || count < 2)
        {
            return new SetRatio(ratio, null, null, null, null);
        }

        double ofSets = SquaresOf(means) / (count - 1);
        int withinDegrees = differences.Sum(found => found.Length - 1);
        if (withinDegrees == 0 || (count >= LeastSetsForModes && ModeDetector.ModesOf([.. means.Select(Math.Exp).Order()]).Count > 1))
        {
            return SetRatio.Of(ratio, Math.Sqrt(ofSets / count), count - 1);
        }

        double ofSlices = SetInflation * differences.Sum(SquaresOf) / withinDegrees * differences.Average(found => 1.0 / found.Length);
        int prior = Math.Min(MostPriorDegrees, Math.Min(MostPriorDegreesPerSet, _inflation.OtherPairs) * (count - 1));
        double variance = ((prior * ofSlices) + ((count - 1) * ofSets)) / (prior + count - 1);
        return SetRatio.Of(ratio, Math.Sqrt(variance / count), prior + count - 1);
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

    // The mean squares of a two-way layout without replication, over the cases that are in every set (Scheffé 1959, The Analysis of Variance, 4.2).
    private static (double Factor, int OtherPairs) InflationOf(IReadOnlyList<IReadOnlyList<IReadOnlyList<double?>>> sets)
    {
        int[] whole =
        [
            .. Enumerable.Range(0, sets.Count == 0 ? 0 : sets[0].Count)
                .Where(index => sets.All(set => set[index].Any(figure => figure is not null))),
        ];
        double[][][] rounds = [.. sets.Select(set => WholeRounds(set, whole))];
        if (whole.Length < 2 || sets.Count < 2 || rounds.Any(set => set.Length < 2))
        {
            return (1, 0);
        }

        double[][] means = [.. rounds.Select(set => whole.Select((_, index) => set.Average(round => round[index])).ToArray())];
        double perSet = 1 / rounds.Average(set => 1.0 / set.Length);
        double setDegrees = (whole.Length - 1) * (sets.Count - 1);
        double ofSets = perSet * ResidualSquares(means) / setDegrees;
        double ofSlices = rounds.Sum(ResidualSquares) / rounds.Sum(set => (whole.Length - 1) * (set.Length - 1));
        return (ofSlices > 0 ? Math.Max(1, ofSets / ofSlices) : 1, whole.Length - 2);
    }

    private static double[][] WholeRounds(IReadOnlyList<IReadOnlyList<double?>> set, int[] cases) =>
    [
        .. from round in Enumerable.Range(0, cases.Length == 0 ? 0 : cases.Min(index => set[index].Count))
           where cases.All(index => set[index][round] is not null)
           select cases.Select(index => Math.Log(set[index][round]!.Value)).ToArray(),
    ];

    // What the means of the rows and of the columns do not explain.
    private static double ResidualSquares(double[][] rows)
    {
        double mean = rows.Average(row => row.Average());
        double[] columns = [.. Enumerable.Range(0, rows[0].Length).Select(column => rows.Average(row => row[column]))];
        return rows.Sum(row => row.Select((value, column) => Math.Pow(value - row.Average() - columns[column] + mean, 2)).Sum());
    }
}
