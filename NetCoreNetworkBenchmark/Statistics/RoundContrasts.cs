using NetCoreNetworkBenchmark.Results;

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
/// within the sets, n the number of rounds of a set, d0 = 2 (S - 1), and F (<see cref="SetInflation"/>) the factor by which sets differ more than slices
/// explain. The interval is Student's t interval with d0 + S - 1 degrees of freedom. The form is that of Smyth 2004 (Linear Models and Empirical Bayes
/// Methods for Assessing Differential Expression in Microarray Experiments, Statistical Applications in Genetics and Molecular Biology 3), with the slices as
/// the prior. A pair whose sets fall into modes (<see cref="ModeDetector"/>) has the variance between its sets alone.
/// </para>
/// </remarks>
/// <param name="sets">
/// The figures by set, case and round, positive. A figure is null for a slice that is left out. A case that is not in a set has no figures there.
/// </param>
internal sealed class RoundContrasts(IReadOnlyList<IReadOnlyList<IReadOnlyList<double?>>> sets)
{
    private const int PriorDegreesPerSet = 2;

    /// <summary>
    /// Returns the factor by which the sets of several benchmarks differ more than the noise of their slices explains, 1 or more: the ratio of the mean squares
    /// of case and set, and of case and round within the set, pooled over the benchmarks by their degrees of freedom.
    /// </summary>
    public static double SetInflation(IEnumerable<RoundContrasts> benchmarks)
    {
        (double Factor, double Degrees)[] found = [.. benchmarks.Select(benchmark => benchmark.OwnInflation()).OfType<(double, double)>()];
        double degrees = found.Sum(one => one.Degrees);
        return degrees > 0 ? Math.Max(1, found.Sum(one => one.Factor * one.Degrees) / degrees) : 1;
    }

    /// <summary>Returns whether a case has a figure.</summary>
    public bool Has(int index) => sets.Any(set => set[index].Any(figure => figure is not null));

    /// <summary>Estimates the figure of one case divided by that of another.</summary>
    /// <param name="one">The index of the first case.</param>
    /// <param name="other">The index of the second case.</param>
    /// <param name="inflation">The factor of <see cref="SetInflation"/>.</param>
    /// <returns>The ratio, with an interval if there are two sets or more; null if the cases have no round in common.</returns>
    public SetRatio? RatioOf(int one, int other, double inflation)
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
        if (withinDegrees == 0 || ModeDetector.ModesOf([.. means.Select(Math.Exp).Order()]).Count > 1)
        {
            return SetRatio.Of(ratio, Math.Sqrt(ofSets / count), count - 1);
        }

        double ofSlices = inflation * differences.Sum(SquaresOf) / withinDegrees * differences.Average(found => 1.0 / found.Length);
        int prior = PriorDegreesPerSet * (count - 1);
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
    private (double Factor, double Degrees)? OwnInflation()
    {
        int[] whole =
        [
            .. Enumerable.Range(0, sets.Count == 0 ? 0 : sets[0].Count)
                .Where(index => sets.All(set => set[index].Any(figure => figure is not null))),
        ];
        double[][][] rounds = [.. sets.Select(set => WholeRounds(set, whole))];
        if (whole.Length < 2 || sets.Count < 2 || rounds.Any(set => set.Length < 2))
        {
            return null;
        }

        double[][] means = [.. rounds.Select(set => whole.Select((_, index) => set.Average(round => round[index])).ToArray())];
        double perSet = 1 / rounds.Average(set => 1.0 / set.Length);
        double setDegrees = (whole.Length - 1) * (sets.Count - 1);
        double ofSets = perSet * ResidualSquares(means) / setDegrees;
        double ofSlices = rounds.Sum(ResidualSquares) / rounds.Sum(set => (whole.Length - 1) * (set.Length - 1));
        return ofSlices > 0 ? (ofSets / ofSlices, setDegrees) : null;
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
