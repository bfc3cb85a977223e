using NetCoreNetworkBenchmark.Cli.Progress;
using NetCoreNetworkBenchmark.Running.Searches;

namespace NetCoreNetworkBenchmark.Tests.Cli.Progress;

public sealed class SearchProgressTests
{
    [Theory]
    [InlineData(19, 91, 0, "step 7 of at most 19, at most 1:31 left")]
    [InlineData(19, 0, 0, "step 7 of at most 19")]
    [InlineData(7, 0, 60, "step 7 of 7, at most 1:00 left")]
    [InlineData(7, 0, 0, "step 7 of 7")]
    public void Describe_has_the_steps_and_the_time_that_is_left(int max, int left, int later, string text) =>
        Assert.Equal(text, SearchProgress.Describe(new SearchForecast(7, max, TimeSpan.FromSeconds(left)), TimeSpan.FromSeconds(later)));
}
