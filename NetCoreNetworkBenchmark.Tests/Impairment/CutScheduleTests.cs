namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>The times of the cuts, with a clock that the test sets. All times are in milliseconds.</summary>
public sealed class CutScheduleTests
{
    private const int Length = 20;
    private const int Period = 100;
    private static readonly long s_millisecond = Stopwatch.Frequency / 1_000;
    private readonly SetClock _clock = new();
    private readonly List<(long Start, long End)> _cuts = [];
    private readonly CutSchedule _schedule;
    private long _start;
    private int _resetTakes;

    private long Now
    {
        get => _clock.Time / s_millisecond;
        set => _clock.Time = value * s_millisecond;
    }

    public CutScheduleTests() => _schedule = new CutSchedule(
        new Interruption(TimeSpan.FromMilliseconds(Length), TimeSpan.FromMilliseconds(Period)),
        _clock,
        () =>
        {
            _start = Now;
            Now += _resetTakes;
            return 3;
        },
        () => _cuts.Add((_start, Now)));

    [Fact]
    public void A_cut_comes_at_the_end_of_every_period_and_has_its_length()
    {
        RunUntil(500);
        Begin();
        RunUntil(500 + (11 * Period) - 1);
        Assert.Equal(Enumerable.Range(1, 10).Select(number => (500L + (number * Period), 500L + (number * Period) + Length)), _cuts);
        Assert.Equal((10, 30), (_schedule.Count, _schedule.ResetConnections));
    }

    [Fact]
    public void A_cut_that_starts_late_is_as_long_as_any_other_and_the_next_one_is_in_time()
    {
        Begin();
        Now = Period + 15;
        RunUntil((2 * Period) + Length);
        Assert.Equal([(Period + 15, Period + 15 + Length), (2 * Period, (2 * Period) + Length)], _cuts);
    }

    [Theory]
    [InlineData(30, 2 * Period, Period, Period + 30 + Length)]
    [InlineData(Period, 5 * Period, Period, (2 * Period) + Length, 3 * Period, (4 * Period) + Length)]
    public void The_time_of_the_resets_is_not_part_of_the_length_and_a_cut_before_the_end_of_the_previous_one_is_left_out(
        int resetTakes, int until, params int[] times)
    {
        _resetTakes = resetTakes;
        Begin();
        RunUntil(until);
        Assert.Equal(times.Chunk(2).Select(cut => ((long)cut[0], (long)cut[1])), _cuts);
    }

    [Fact]
    public void Periods_in_which_the_thread_did_not_run_have_no_cuts()
    {
        Begin();
        Now = (3 * Period) + 50;
        RunUntil((4 * Period) + Length);
        Assert.Equal([((3 * Period) + 50, (3 * Period) + 50 + Length), (4 * Period, (4 * Period) + Length)], _cuts);
        Assert.Equal(2, _schedule.Count);
    }

    [Fact]
    public void End_ends_a_cut_at_once_and_no_other_follows()
    {
        Begin();
        RunUntil(Period + 5);
        _schedule.End();
        RunUntil(5 * Period);
        _schedule.End();
        Assert.Equal([(Period, Period + 5)], _cuts);
        Assert.Equal((1, 3), (_schedule.Count, _schedule.ResetConnections));
    }

    [Fact]
    public void Begin_ends_a_cut_and_starts_the_periods_and_the_counts_again()
    {
        Begin();
        RunUntil(Period + 5);
        Begin();
        Assert.Equal((0, 0), (_schedule.Count, _schedule.ResetConnections));
        RunUntil((2 * Period) + 5 + Length);
        Assert.Equal([(Period, Period + 5), ((2 * Period) + 5, (2 * Period) + 5 + Length)], _cuts);
        Assert.Equal((1, 3), (_schedule.Count, _schedule.ResetConnections));
    }

    private void Begin() => _schedule.Begin(_clock.GetTimestamp());

    // As the loop does: the work is called when it is due.
    private void RunUntil(int milliseconds)
    {
        while (Now <= milliseconds)
        {
            if (_schedule.NextDue <= _clock.GetTimestamp())
            {
                _schedule.OnDue(_clock.GetTimestamp());
            }
            else
            {
                Now++;
            }
        }

        Now = milliseconds;
    }
}
