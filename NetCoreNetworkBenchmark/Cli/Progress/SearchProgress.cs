using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Running.Searches;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Cli.Progress;

internal static class SearchProgress
{
    /// <param name="later">The longest time of the searches after this one.</param>
    public static string Describe(SearchForecast forecast, TimeSpan later = default)
    {
        TimeSpan left = forecast.Left + later;
        return Invariant($"step {forecast.Steps} of {(forecast.MaxSteps > forecast.Steps ? "at most " : string.Empty)}{forecast.MaxSteps}") +
            (left > TimeSpan.Zero ? $", at most {Format.Clock(left)} left" : string.Empty);
    }
}
