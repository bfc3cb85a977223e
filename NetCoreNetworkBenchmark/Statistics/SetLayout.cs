using Perfolizer.Mathematics.Functions;

namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>By how much sets differ more than the noise of their slices explains, and the cases whose starts vary, of the cases in every set.</summary>
/// <remarks>
/// Summed over the pairs, the variances are those of the residuals of a two-way layout (Scheffé 1959, The Analysis of Variance, 4.2). The part of a single
/// case in them is the mean over its pairs less half of that over all (Grubbs 1948, On Estimating Precision of Measuring Instruments, JASA 43).
/// </remarks>
internal sealed class SetLayout
{
    // A case beyond this says nothing about the others. Each case by itself would be left out by chance in one layout of a hundred.
    private const double MinChanceToCount = 0.01;

    private readonly Dictionary<int, double> _chances;

    public SetLayout(IReadOnlyList<IReadOnlyList<IReadOnlyList<double?>>> sets)
    {
        int[] whole =
        [
            .. Enumerable.Range(0, sets.Count == 0 ? 0 : sets[0].Count)
                .Where(index => sets.All(set => set[index].Any(figure => figure is not null))),
        ];
        IEnumerable<RoundPair?> pairs = from one in whole from other in whole where other > one select RoundPair.From(sets, one, other);
        RoundPair[] entries = [.. pairs.OfType<RoundPair>().Where(pair => pair.OfSlices is not null && pair.Means.Length == sets.Count)];
        OtherDegrees = sets.Count < 2 || entries.Length == 0 ? 0 : (whole.Length - 2) * (sets.Count - 1);
        _chances = whole.ToDictionary(index => index, index => OtherDegrees == 0 ? 1 : ChanceOf(entries, index, sets.Count - 1));
        RoundPair[] ordinary = [.. entries.Where(entry => _chances[entry.One] >= MinChanceToCount && _chances[entry.Other] >= MinChanceToCount)];
        Inflation = OtherDegrees == 0 ? 1 : InflationOf(ordinary.Length == 0 ? entries : ordinary);
    }

    /// <summary>The factor by which the sets of ordinary cases differ more than the noise of their slices explains, 1 or more.</summary>
    public double Inflation { get; }

    /// <summary>The degrees of freedom with which pairs other than one in question know <see cref="Inflation"/>; 0 if there are none.</summary>
    public int OtherDegrees { get; }

    /// <summary>Returns the p-value of a case's sets if its starts vary like those of the others; null for a case that lacks a set.</summary>
    public double? ChanceOf(int index) => _chances.TryGetValue(index, out double chance) ? chance : null;

    private double ChanceOf(RoundPair[] entries, int index, int degrees)
    {
        RoundPair[] own = [.. entries.Where(entry => entry.One == index || entry.Other == index)];
        RoundPair[] others = [.. entries.Where(entry => entry.One != index && entry.Other != index)];
        if (own.Length == 0 || others.Length == 0)
        {
            return 1;
        }

        double ofSets = own.Average(entry => entry.OfSets) - (entries.Average(entry => entry.OfSets) / 2);
        double ofSlices = own.Average(entry => entry.OfSlices!.Value) - (entries.Average(entry => entry.OfSlices!.Value) / 2);
        return ofSets <= 0 ? 1 : ofSlices <= 0 ? 0 : UpperTailOfF(ofSets / ofSlices / InflationOf(others), degrees, OtherDegrees);
    }

    private static double InflationOf(RoundPair[] entries)
    {
        double ofSlices = entries.Sum(entry => entry.OfSlices!.Value);
        return ofSlices > 0 ? Math.Max(1, entries.Sum(entry => entry.OfSets) / ofSlices) : 1;
    }

    // Abramowitz & Stegun 1964, Handbook of Mathematical Functions, 26.6.2.
    private static double UpperTailOfF(double value, double degrees, double otherDegrees) =>
        BetaFunction.RegularizedIncompleteValue(otherDegrees / 2, degrees / 2, otherDegrees / (otherDegrees + (degrees * value)));
}

/// <summary>The differences of the logarithms of two cases within rounds.</summary>
/// <param name="Means">Their trimmed means in the sets in which both have a figure.</param>
/// <param name="OfSets">The variance of the means; 0 for one set.</param>
/// <param name="OfSlices">The variance of a mean by the differences within the sets; null if no set has two rounds.</param>
internal sealed record RoundPair(int One, int Other, double[] Means, double OfSets, double? OfSlices, int SliceDegrees)
{
    public static RoundPair? From(IReadOnlyList<IReadOnlyList<IReadOnlyList<double?>>> sets, int one, int other)
    {
        TrimmedMean[] trimmed = [.. sets.Select(set => DifferencesOf(set[one], set[other])).Where(set => set.Length > 0).Select(TrimmedMean.From)];
        if (trimmed.Length == 0)
        {
            return null;
        }

        double[] means = [.. trimmed.Select(set => set.Value)];
        int degrees = trimmed.Sum(set => set.Kept - 1);
        return new RoundPair(
            one,
            other,
            means,
            means.Length < 2 ? 0 : TrimmedMean.SquaresOf(means) / (means.Length - 1),
            degrees == 0 ? null : trimmed.Sum(set => set.Squares) / degrees * trimmed.Average(set => 1.0 / set.Kept),
            degrees);
    }

    private static double[] DifferencesOf(IReadOnlyList<double?> one, IReadOnlyList<double?> other) =>
    [
        .. from pair in one.Zip(other)
           let ratio = pair.First / pair.Second
           where ratio is > 0 and < double.PositiveInfinity
           select Math.Log(ratio.Value),
    ];
}

/// <summary>Without the largest and smallest fifth of the values, so that a stall does not move it (Yuen 1974, Biometrika 61).</summary>
/// <param name="Squares">The sum of the squares about their mean of the values of which those fifths are replaced by their neighbours (Winsorized).</param>
/// <param name="Kept">The number of values in the mean. Its variance is <c>Squares / (Kept (Kept - 1))</c>.</param>
internal readonly record struct TrimmedMean(double Value, double Squares, int Kept)
{
    private const double Trimmed = 0.2;

    /// <param name="values">One value or more.</param>
    public static TrimmedMean From(double[] values)
    {
        double[] sorted = [.. values.Order()];
        int cut = (int)(Trimmed * sorted.Length);
        double[] middle = sorted[cut..^cut];
        return new TrimmedMean(middle.Average(), SquaresOf([.. sorted.Select(value => Math.Clamp(value, middle[0], middle[^1]))]), middle.Length);
    }

    public static double SquaresOf(double[] values)
    {
        double mean = values.Average();
        return values.Sum(value => (value - mean) * (value - mean));
    }
}
