using System.Diagnostics.CodeAnalysis;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>
/// What BenchmarkDotNet shows as the benchmark, and names its files by; for that it has to be public. The round trips are made by the
/// launches, never by a call of this.
/// </summary>
public sealed class RoundTrips
{
    /// <summary>Stands for one round trip.</summary>
    /// <exception cref="InvalidOperationException">Always: it is not to be called.</exception>
    [SuppressMessage("Performance", "CA1822", Justification = "BenchmarkDotNet's benchmarks are instance methods.")]
    public void RoundTrip() => throw new InvalidOperationException("Launches make the round trips.");
}
