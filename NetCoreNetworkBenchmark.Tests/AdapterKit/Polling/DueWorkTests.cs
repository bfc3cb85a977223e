namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Polling;

public sealed class DueWorkTests
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(60);

    [Theory, InlineData(false), InlineData(true)]
    public async Task OnDue_comes_for_every_time_in_order_and_never_early(bool busySocket)
    {
        using var recorder = new RunRecorder();
        var loop = new PollLoop("test", recorder, servesClients: false);
        var schedule = new Schedule(TimesFromNow(count: 2_000, apart: TimeSpan.FromMicroseconds(100)));
        loop.Post(() =>
        {
            if (busySocket)
            {
                loop.Add(new BusySocket());
            }

            loop.Add(schedule);
        });
        await schedule.Done.WaitAsync(s_deadline, TestContext.Current.CancellationToken);
        await loop.StopAsync(s_deadline);
        Assert.Equal(schedule.Times, schedule.Called.Select(call => call.Due));
        Assert.All(schedule.Called, call => Assert.True(call.Now >= call.Due, $"{call.Due - call.Now} ticks early"));
    }

    [Fact]
    public async Task Several_pieces_of_work_have_times_of_their_own()
    {
        using var recorder = new RunRecorder();
        var loop = new PollLoop("test", recorder, servesClients: false);
        Schedule[] schedules = [.. Enumerable.Range(1, 5).Select(index => new Schedule(TimesFromNow(100, TimeSpan.FromMicroseconds(100 * index))))];
        loop.Post(() => Array.ForEach(schedules, loop.Add));
        await Task.WhenAll(schedules.Select(schedule => schedule.Done)).WaitAsync(s_deadline, TestContext.Current.CancellationToken);
        await loop.StopAsync(s_deadline);
        Assert.All(schedules, schedule => Assert.Equal(schedule.Times, schedule.Called.Select(call => call.Due)));
    }

    [Fact]
    public async Task Sockets_and_ticks_get_their_turn_while_work_is_always_due()
    {
        using var recorder = new RunRecorder();
        var loop = new PollLoop("test", recorder, servesClients: false);
        var socket = new BusySocket();
        var work = new AlwaysDue();
        loop.Post(() =>
        {
            loop.Add(work);
            loop.Add(socket);
        });
        await Task.WhenAll(socket.Read, socket.Ticked, work.Called).WaitAsync(s_deadline, TestContext.Current.CancellationToken);
        await loop.StopAsync(s_deadline);
    }

    [Fact]
    public async Task Remove_ends_the_calls()
    {
        using var recorder = new RunRecorder();
        var loop = new PollLoop("test", recorder, servesClients: false);
        var work = new AlwaysDue();
        loop.Post(() => loop.Add(work));
        await work.Called.WaitAsync(s_deadline, TestContext.Current.CancellationToken);
        int calls = 0;
        loop.Post(() =>
        {
            loop.Remove(work);
            loop.Remove(work);
            calls = work.Calls;
        });

        // Waits until the next tick: a loop that still held the work would call it before.
        var socket = new BusySocket();
        loop.Post(() => loop.Add(socket));
        await Task.WhenAll(socket.Read, socket.Ticked).WaitAsync(s_deadline, TestContext.Current.CancellationToken);
        await loop.StopAsync(s_deadline);
        Assert.Equal(calls, work.Calls);
    }

    [Fact]
    public async Task The_timers_of_the_thread_are_sharp_while_it_has_work_and_only_then()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Timer slack is a thing of Linux.");
        using var recorder = new RunRecorder();
        var loop = new PollLoop("test", recorder, servesClients: false);
        var slack = new List<int>();
        var work = new AlwaysDue();
        var completion = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        loop.Post(() =>
        {
            slack.Add(TimerSlack());
            loop.Add(work);
            slack.Add(TimerSlack());
            loop.Remove(work);
            slack.Add(TimerSlack());
            completion.SetResult();
        });
        await completion.Task.WaitAsync(s_deadline, TestContext.Current.CancellationToken);
        await loop.StopAsync(s_deadline);
        Assert.Equal((1, slack[0], true), (slack[1], slack[2], slack[0] > 1));
    }

    // sys/prctl.h: the slack of the calling thread in nanoseconds.
    private static int TimerSlack()
    {
        const int PR_GET_TIMERSLACK = 30;
        return SysPrctl.prctl(PR_GET_TIMERSLACK, 0);
    }

    private static long[] TimesFromNow(int count, TimeSpan apart)
    {
        long start = Stopwatch.GetTimestamp();
        return [.. Enumerable.Range(1, count).Select(index => start + RunRecorder.ToTicks(index * apart))];
    }

    /// <summary>Work with many due times. Each call handles a few of those that are due.</summary>
    private sealed class Schedule(long[] times) : IDueWork
    {
        private const int MaxPerCall = 8;
        private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public long[] Times => times;

        public List<(long Due, long Now)> Called { get; } = [];

        public Task Done => _done.Task;
        public long NextDue => Called.Count < times.Length ? times[Called.Count] : long.MaxValue;

        public void OnDue(long now)
        {
            // The first one is recorded without a check of the clock, so that an early call is detected.
            Called.Add((NextDue, now));
            for (int call = 1; call < MaxPerCall && NextDue <= now; call++)
            {
                Called.Add((NextDue, now));
            }

            if (Called.Count == times.Length)
            {
                _done.TrySetResult();
            }
        }
    }

    private sealed class AlwaysDue : IDueWork
    {
        private readonly TaskCompletionSource _called = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public int Calls { get; private set; }
        public Task Called => _called.Task;
        public long NextDue => 0;

        public void OnDue(long now)
        {
            Calls++;
            _called.TrySetResult();
        }
    }

    /// <summary>A socket that is always readable: it sends to itself the bytes that it has read.</summary>
    private sealed class BusySocket : IPollable
    {
        private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
        private readonly TaskCompletionSource _read = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _ticked = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public BusySocket()
        {
            _socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
            _socket.Connect(_socket.LocalEndPoint!);
            _socket.Send([1]);
        }

        public nint SocketHandle => _socket.Handle;
        public Task Read => _read.Task;
        public Task Ticked => _ticked.Task;

        public void OnReadable()
        {
            Span<byte> buffer = stackalloc byte[1];
            _socket.Receive(buffer);
            _socket.Send(buffer);
            _read.TrySetResult();
        }

        public void OnTick() => _ticked.TrySetResult();

        public void Dispose() => _socket.Dispose();
    }
}

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
        var due = new Dictionary<LoopTimer, long>();
        LoopTimer?[] timers = new LoopTimer?[300];
        for (int index = 0; index < timers.Length; index++)
        {
            LoopTimer timer = null!;
            timer = new LoopTimer(() => called.Add(due[timer]));
            timers[index] = timer;
            heap.Set(timer, due[timer] = random.NextInt64(1000));
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
                heap.Set(timer, due[timer] = random.NextInt64(1000));
                Assert.True(timer.IsSet);
            }

            Assert.Equal(timers.Where(set => set!.IsSet).Min(set => due[set!]), heap.NextDue);
        }

        long[] expected = [.. timers.Where(timer => timer!.IsSet).Select(timer => due[timer!]).Order()];
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
