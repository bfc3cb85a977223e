using NetCoreNetworkBenchmark.AdapterKit.Streams;

namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Streams;

/// <summary>When a heartbeat is due and when the other side is gone, by times of the test.</summary>
public sealed class LivenessTests
{
    private const int Misses = 3;
    private static readonly long s_second = Stopwatch.Frequency;

    [Fact]
    public void Of_is_null_without_heartbeats() => Assert.Null(Liveness.Of(new RunPlan { Library = "Epoll" }, now: 0));

    [Fact]
    public void IsDue_is_true_when_nothing_was_sent_for_an_interval()
    {
        Liveness liveness = Create(now: 100);
        Assert.False(liveness.IsDue(100 + s_second - 1));
        Assert.True(liveness.IsDue(100 + s_second));
        liveness.Sent(100 + s_second);
        Assert.False(liveness.IsDue(100 + (2 * s_second) - 1));
        liveness.Received(100 + (2 * s_second));
        Assert.True(liveness.IsDue(100 + (2 * s_second)));
    }

    [Theory, InlineData(false), InlineData(true)]
    public void IsLost_is_true_when_all_heartbeats_were_missed_and_before_the_next_one(bool hasUnsent)
    {
        Liveness liveness = Create(now: 0);
        Assert.False(liveness.IsLost(Misses * s_second, hasUnsent));
        Assert.True(liveness.IsLost((Misses + 1) * s_second, hasUnsent));
    }

    [Fact]
    public void IsLost_is_true_for_a_peer_that_sends_and_accepts_nothing()
    {
        Liveness liveness = Create(now: 0);
        liveness.Received(4 * s_second);
        Assert.False(liveness.IsLost(4 * s_second, hasUnsent: false));
        Assert.True(liveness.IsLost(4 * s_second, hasUnsent: true));
        liveness.Sent(4 * s_second);
        Assert.False(liveness.IsLost(4 * s_second, hasUnsent: true));
    }

    private static Liveness Create(long now) => Liveness.Of(
        new RunPlan { Library = "Epoll", Liveness = new LivenessPlan { Heartbeat = TimeSpan.FromSeconds(1), HeartbeatMisses = Misses } }, now)!;
}
