namespace NetCoreNetworkBenchmark.Tests.Statistics;

internal static class NormalRandom
{
    /// <summary>Box and Muller 1958.</summary>
    public static double NextNormal(this Random random) => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}
