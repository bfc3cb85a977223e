namespace NetCoreNetworkBenchmark.Tests.Workloads;

public sealed class PushSequenceTrackerTests : IDisposable
{
    private readonly RunRecorder _recorder = new();
    private readonly PhaseStatistics _statistics;
    private PushSequenceTracker _tracker = new(startsAnywhere: false);

    public PushSequenceTrackerTests() => _statistics = _recorder.AddWorker(recordsLatency: true).Of(RunPhase.Measure);

    [Fact]
    public void In_order_nothing_is_missing()
    {
        Assert.All(Enumerable.Range(1, 5_000), sequence => Assert.True(Take((uint)sequence)));
        Assert.Equal((0, 0, 0), Found);
    }

    [Fact]
    public void A_gap_is_lost_also_before_the_first_message_and_after_the_last()
    {
        Take(3);
        Assert.Equal(2, Found.Lost);
        Take(10);
        Assert.Equal(8, Found.Lost);
        _tracker.End(12, _statistics);
        Assert.Equal((10, 0, 0), Found);
    }

    [Fact]
    public void A_message_that_comes_after_all_is_reordered_and_no_longer_lost_and_a_second_copy_is_a_duplicate_whenever_it_comes()
    {
        Assert.Equal([true, false, true, true, false], ((uint[])[1, 1, 4, 2, 1]).Select(Take).ToArray());
        Assert.Equal((1, 2, 1), Found);
        Assert.True(Take(3));
        Assert.Equal((0, 2, 2), Found);
    }

    [Theory, InlineData(1_023, true), InlineData(1_024, false), InlineData(1_000_000, false)]
    public void What_is_missing_is_remembered_for_1024_messages(int behind, bool isLate)
    {
        Take(1);
        Take((uint)(2 + behind));
        Assert.Equal(isLate, Take(2));
        Assert.Equal(isLate ? behind - 1 : behind, Found.Lost);
    }

    [Fact]
    public void What_was_seen_in_an_earlier_round_of_its_memory_is_not_taken_for_seen_now()
    {
        Assert.All(Enumerable.Range(1, 2_000), sequence => Take((uint)sequence));
        Take(2_500);
        Assert.True(Take(2_100));
        Assert.False(Take(1_990));
    }

    [Theory, InlineData(0), InlineData(2, 1_000u, 1_002u)]
    public void Losses_of_a_group_count_from_its_first_message_on(int lost, params uint[] sequences)
    {
        _tracker = new PushSequenceTracker(startsAnywhere: true);
        Array.ForEach(sequences, sequence => Take(sequence));
        _tracker.End(1_003, _statistics);
        Assert.Equal((lost, 0, 0), Found);
    }

    [Fact]
    public void The_numbers_go_on_past_their_largest()
    {
        _tracker = new PushSequenceTracker(startsAnywhere: true);
        Assert.Equal([true, true, true, true], ((uint[])[uint.MaxValue - 1, 1, uint.MaxValue, 0]).Select(Take).ToArray());
        Assert.Equal((0, 0, 2), Found);
    }

    public void Dispose() => _recorder.Dispose();

    private (long Lost, long Duplicated, long Reordered) Found => (_statistics.Counters.Lost, _statistics.Counters.Duplicated, _statistics.Counters.Reordered);

    private bool Take(uint sequence) => _tracker.Take(sequence, _statistics);
}
