namespace NetCoreNetworkBenchmark.Tests.Running.Machine;

public sealed class StopDetectorTests
{
    [Theory]
    [InlineData(2_000, 0.0, 0, 2_000)]
    [InlineData(2_000, 300.0, 200, 1_500)]
    [InlineData(100, 0.0, 0, 0)]
    [InlineData(101, 0.0, 0, 101)]
    [InlineData(2_000, 1_950.0, 0, 0)]
    [InlineData(2_000, 0.0, 1_950, 0)]
    [InlineData(1_000, null, 0, 0)]
    [InlineData(2_000, null, 0, 2_000)]
    [InlineData(-15, 0.0, 0, 0)]
    public void StoppedIn_returns_a_long_delay_that_neither_other_threads_nor_the_garbage_collector_explain(
        int late, double? queued, int paused, int stopped) => Assert.Equal(TimeSpan.FromMilliseconds(stopped),
            StopDetector.StoppedIn(
                TimeSpan.FromMilliseconds(late), queued is { } time ? TimeSpan.FromMilliseconds(time) : null, TimeSpan.FromMilliseconds(paused)));
}
