using NetCoreNetworkBenchmark.Running.Roles;

namespace NetCoreNetworkBenchmark.Tests.Running.Roles;

public sealed class ActiveTimeTests
{
    private readonly ProcessSnapshot _none = new ProcessMeter().Read();
    private int _seconds;
    private long _received;

    [Fact]
    public void Total_has_the_intervals_with_messages_and_Duration_the_time_between_them()
    {
        ActiveTime active = Start();
        Pass(active, 0, 5, 7, 0, 0, 0, 2, 0, 0);
        active.End();
        Assert.Equal((14, 2 + 1 + 1 + 1), (active.Total!.Counters.ServerReceived, SecondsOf(active.Total)));

        // From the second before the first message to the second in which the last interval ended.
        Assert.Equal(TimeSpan.FromSeconds(7), active.Duration);
    }

    [Fact]
    public void End_counts_what_came_since_the_last_update()
    {
        ActiveTime active = Start();
        Pass(active, 0, 0);
        (_seconds, _received) = (_seconds + 1, 3);
        active.End();
        Assert.Equal((3, 1), (active.Total!.Counters.ServerReceived, SecondsOf(active.Total)));
    }

    [Fact]
    public void Without_messages_there_is_no_total()
    {
        ActiveTime active = Start();
        Pass(active, 0, 0, 0);
        active.End();
        Assert.Equal((null, null), (active.Total, active.Duration));
    }

    private ActiveTime Start() => new(
        () => new ServerSnapshot(_none with { Timestamp = _seconds * Stopwatch.Frequency }, new MessageCounters { ServerReceived = _received }),
        () => _received);

    // One update after each second, in which so many messages came.
    private void Pass(ActiveTime active, params int[] received)
    {
        foreach (int messages in received)
        {
            (_seconds, _received) = (_seconds + 1, _received + messages);
            active.Update();
        }
    }

    private static long SecondsOf(ServerSnapshot mark) => mark.Reading.Timestamp / Stopwatch.Frequency;
}
