namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Polling;

public sealed class TimerHeapTests
{
    [Fact]
    public void Run_calls_what_is_due_in_order_of_time_whatever_the_order_of_setting()
    {
        var random = new Random(7);
        var heap = new TimerHeap();
        List<long> called = [];
        long[] dues = [.. Enumerable.Range(0, 1000).Select(_ => random.NextInt64(500))];
        foreach (long due in dues)
        {
            heap.Set(new LoopTimer(() => called.Add(due)), due);
        }

        heap.Run(249);
        Assert.Equal(dues.Where(due => due <= 249).Order(), called);
        heap.Run(500);
        Assert.Equal(dues.Order(), called);
        Assert.Equal(long.MaxValue, heap.NextDue);
    }

    [Fact]
    public void Setting_again_and_cancelling_keep_the_order()
    {
        var random = new Random(8);
        var heap = new TimerHeap();
        List<long> called = [];
        LoopTimer?[] timers = new LoopTimer?[300];
        for (int index = 0; index < timers.Length; index++)
        {
            LoopTimer timer = null!;
            timer = new LoopTimer(() => called.Add(timer.Due));
            timers[index] = timer;
            heap.Set(timer, random.NextInt64(1000));
        }

        for (int step = 0; step < 2000; step++)
        {
            LoopTimer timer = timers[random.Next(timers.Length)]!;
            if (random.Next(3) == 0)
            {
                heap.Cancel(timer);
                heap.Cancel(timer);
                Assert.False(timer.IsSet);
            }
            else
            {
                heap.Set(timer, random.NextInt64(1000));
                Assert.True(timer.IsSet);
            }

            Assert.Equal(timers.Where(set => set!.IsSet).Min(set => set!.Due), heap.NextDue);
        }

        long[] expected = [.. timers.Where(timer => timer!.IsSet).Select(timer => timer!.Due).Order()];
        heap.Run(1000);
        Assert.Equal(expected, called);
    }

    [Fact]
    public void A_timer_that_sets_itself_for_now_is_called_once_a_run()
    {
        var heap = new TimerHeap();
        int calls = 0;
        LoopTimer timer = null!;
        timer = new LoopTimer(() =>
        {
            calls++;
            heap.Set(timer, 0);
        });
        heap.Set(timer, 0);
        heap.Run(10);
        Assert.Equal(1, calls);
        heap.Run(10);
        Assert.Equal(2, calls);
    }

    [Fact]
    public void A_timer_may_cancel_another_that_is_due()
    {
        var heap = new TimerHeap();
        bool called = false;
        var second = new LoopTimer(() => called = true);
        heap.Set(new LoopTimer(() => heap.Cancel(second)), 1);
        heap.Set(second, 2);
        heap.Run(10);
        Assert.False(called);
        Assert.False(second.IsSet);
    }
}
