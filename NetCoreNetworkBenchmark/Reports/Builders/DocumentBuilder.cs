using NetCoreNetworkBenchmark.Reports.Documents;

namespace NetCoreNetworkBenchmark.Reports.Builders;

internal static class DocumentBuilder
{
    /// <summary>Builds the report of a result.</summary>
    /// <exception cref="FormatException">The result contains a histogram that cannot be read.</exception>
    public static Document Of(Result result) => result switch
    {
        RunResult run => RunBuilder.Of(run),
        SuiteResult suite => new SuiteBuilder(suite).Build(),
        ComparisonResult comparison => ComparisonBuilder.Of(comparison),
        SweepResult sweep => SearchBuilder.Of(sweep),
        CapacityResult capacity => SearchBuilder.Of(capacity),
        ServerResult server => ServerBuilder.Of(server),
        _ => throw new ArgumentException($"{result.GetType().Name} is not a known result.", nameof(result)),
    };
}
