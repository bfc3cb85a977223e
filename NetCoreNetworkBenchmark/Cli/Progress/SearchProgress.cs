using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Running.Searches;

namespace NetCoreNetworkBenchmark.Cli.Progress;

internal static class SearchProgress
{
    public static string Describe(SearchForecast forecast, TimeSpan maxTimeAfter = default)
    {
        TimeSpan left = forecast.Left + maxTimeAfter;
        return Invariant($"step {forecast.Steps} of {(forecast.MaxSteps > forecast.Steps ? "at most " : string.Empty)}{forecast.MaxSteps}") +
            (left > TimeSpan.Zero ? $", at most {Format.Clock(left)} left" : string.Empty);
    }
}
