namespace NetCoreNetworkBenchmark.Tests.Running.Machine;

public sealed class ClockWatchTests
{
    [Theory, InlineData(0), InlineData(3_600), InlineData(-0.25)]
    public void Step_is_the_time_by_which_the_clock_was_set(double seconds)
    {
        var clocks = new Clocks();
        var watch = new ClockWatch(clocks);
        clocks.Passed = TimeSpan.FromSeconds(10);
        clocks.Set = TimeSpan.FromSeconds(seconds);
        Assert.Equal(clocks.Set, watch.Step);
    }

    private sealed class Clocks : TimeProvider
    {
        public TimeSpan Passed { get; set; }
        public TimeSpan Set { get; set; }

        public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch + Passed + Set;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Passed.Ticks;
    }
}
