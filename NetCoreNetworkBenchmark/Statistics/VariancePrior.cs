using MathNet.Numerics;
using MathNet.Numerics.RootFinding;

namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>
/// The distribution of the variances of similar cases. A few launches of one case give a poor estimate of its variance; together with the variances of
/// the other cases under the same load they give a good one.
/// </summary>
/// <remarks>
/// It is the empirical Bayes method of Smyth 2004 (Linear Models and Empirical Bayes Methods for Assessing Differential Expression in Microarray
/// Experiments, Statistical Applications in Genetics and Molecular Biology 3), section 6.2, as in the package limma: the inverse of the variances has a
/// scaled chi-square distribution, whose two parameters follow from the mean and the variance of the logarithms of the observed variances.
/// </remarks>
/// <param name="Variance">The typical variance of a case.</param>
/// <param name="Degrees">
/// The weight of the typical variance, in degrees of freedom: the higher, the more the cases are alike. At most as much as all observed variances tell.
/// </param>
/// <param name="MostDegrees">The degrees of freedom of all observed variances together, without the part that they share.</param>
internal sealed record VariancePrior(double Variance, double Degrees, double MostDegrees)
{
    // Fewer variances do not show how much they differ.
    private const int FewestVariances = 3;

    // Half of the variance of each ratio is that of the floor, which is in all of them. So two ratios have a correlation of one half, and their variances one
    // of a quarter. Less is known from n such variances than from n independent ones.
    private const double SharedInformation = 0.25;

    // An observed variance of zero has no logarithm. No real figures have a standard deviation below a millionth.
    private const double LeastVariance = 1e-12;

    /// <summary>Estimates the distribution.</summary>
    /// <param name="variances">The observed variances with their degrees of freedom.</param>
    /// <returns>The distribution; null for fewer than three variances.</returns>
    public static VariancePrior? Of(IReadOnlyList<(double Variance, double Degrees)> variances)
    {
        if (variances.Count < FewestVariances)
        {
            return null;
        }

        double most = variances.Sum(observed => observed.Degrees) / (1 + ((variances.Count - 1) * SharedInformation));
        double[] centred =
        [
            .. variances.Select(observed => Math.Log(Math.Max(observed.Variance, LeastVariance))
                - SpecialFunctions.DiGamma(observed.Degrees / 2) + Math.Log(observed.Degrees / 2)),
        ];
        double mean = centred.Average();
        double spread = centred.Sum(value => Math.Pow(value - mean, 2)) / (centred.Length - 1);
        double excess = spread - variances.Average(observed => TriGamma(observed.Degrees / 2));

        // The cases differ no more than equal variances would by chance.
        double degrees = excess <= TriGamma(most / 2) ? most : 2 * Brent.FindRoot(x => TriGamma(x) - excess, 1e-3, most / 2);
        return new VariancePrior(Math.Exp(mean + SpecialFunctions.DiGamma(degrees / 2) - Math.Log(degrees / 2)), degrees, most);
    }

    /// <summary>Combines a variance with those of the other cases.</summary>
    /// <param name="variance">The observed variance.</param>
    /// <param name="degrees">Its degrees of freedom.</param>
    /// <returns>The mean of both, weighted by the degrees of freedom, and the sum of these up to <see cref="MostDegrees"/>.</returns>
    public (double Variance, double Degrees) Moderate(double variance, double degrees) =>
        (((Degrees * Variance) + (degrees * variance)) / (Degrees + degrees), Math.Max(degrees, Math.Min(Degrees + degrees, MostDegrees)));

    private static double TriGamma(double x) => Differentiate.FirstDerivative(SpecialFunctions.DiGamma, x);
}
