using NetCoreNetworkBenchmark.Workloads.InFlight;

namespace NetCoreNetworkBenchmark.Tests.Workloads;

public sealed class AnswerSequenceTrackerTests
{
    private const int PerSecond = 10;
    private static readonly int s_remembered = PerSecond * (int)GivenUpMessages.Remembered.TotalSeconds;

    [Fact]
    public void GivenUpMessages_keep_those_of_some_minutes_however_long_messages_are_lost()
    {
        var messages = new GivenUpMessages(TimeOf(0));
        for (uint sequence = 0; sequence < 20 * s_remembered; sequence++)
        {
            messages.Add(sequence, TimeOf(sequence));
            Assert.InRange(messages.Count, Math.Min(sequence + 1, s_remembered), 2 * (s_remembered + 1));
        }
    }

    [Fact]
    public void TakeGivenUp_finds_each_message_of_the_last_minutes_once_and_none_from_long_before()
    {
        AnswerSequenceTracker tracker = default;
        uint last = 4 * (uint)s_remembered;
        for (uint sequence = 0; sequence <= last; sequence++)
        {
            tracker.GiveUp(sequence, TimeOf(sequence));
        }

        for (uint sequence = last - (uint)s_remembered; sequence <= last; sequence++)
        {
            Assert.True(tracker.TakeGivenUp(sequence, out long since));
            Assert.Equal(TimeOf(sequence), since);
            Assert.False(tracker.TakeGivenUp(sequence, out _));
        }

        Assert.False(tracker.TakeGivenUp(0, out _));
    }

    private static long TimeOf(uint sequence) => sequence * Stopwatch.Frequency / PerSecond;
}
