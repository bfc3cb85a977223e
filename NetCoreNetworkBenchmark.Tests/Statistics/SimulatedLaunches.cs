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
        double figure = median * Math.Exp(noise * Normal());
        return _random.NextDouble() < shareOfSlowerMode ? figure / SlowerMode : figure;
    }

    /// <summary>Box and Muller 1958.</summary>
    private double Normal() =>
        Math.Sqrt(-2 * Math.Log(1 - _random.NextDouble())) * Math.Cos(2 * Math.PI * _random.NextDouble());
}
