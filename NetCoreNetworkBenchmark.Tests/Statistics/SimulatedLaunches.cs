namespace NetCoreNetworkBenchmark.Tests.Statistics;

/// <summary>Launches as observed on real machines: log-normal noise, and a share of launches that are in a slower mode as a whole.</summary>
internal sealed class SimulatedLaunches(int seed)
{
    private const double SlowerMode = 1.6;

    private readonly Random _random = new(seed);

    public double[] Take(int count, double median, double noise, double shareOfSlowerMode = 0) =>
        [.. Enumerable.Range(0, count).Select(_ => Next(median, noise, shareOfSlowerMode))];

    private double Next(double median, double noise, double shareOfSlowerMode)
    {
        double figure = median * Math.Exp(noise * _random.NextNormal());
        return _random.NextDouble() < shareOfSlowerMode ? figure / SlowerMode : figure;
    }
}
