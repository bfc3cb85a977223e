namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Polling;

public sealed class PollLoopTests
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task Post_runs_the_actions_in_their_order_on_one_thread_that_is_not_the_caller()
    {
        using var recorder = new RunRecorder();
        var loop = new PollLoop("test", recorder, servesClients: false);
        var ran = new List<(int Number, int Thread)>();
        var completion = new TaskCompletionSource();
        for (int number = 0; number < 100; number++)
        {
            int current = number;
            loop.Post(() => ran.Add((current, Environment.CurrentManagedThreadId)));
        }

        loop.Post(completion.SetResult);
        await completion.Task.WaitAsync(s_deadline, TestContext.Current.CancellationToken);
        await loop.StopAsync(s_deadline);
        Assert.Equal(Enumerable.Range(0, 100), ran.Select(entry => entry.Number));
        Assert.Single(ran.Select(entry => entry.Thread).Distinct());
        Assert.NotEqual(Environment.CurrentManagedThreadId, ran[0].Thread);
    }

    [Fact]
    public async Task An_action_that_posts_itself_again_and_again_lets_timers_call()
    {
        using var recorder = new RunRecorder();
        var loop = new PollLoop("test", recorder, servesClients: false);
        var called = new TaskCompletionSource();
        var timer = new LoopTimer(called.SetResult);
        void Again()
        {
            if (!called.Task.IsCompleted)
            {
                loop.Post(Again);
            }
        }

        loop.Post(() => loop.Set(timer, Stopwatch.GetTimestamp()));
        loop.Post(Again);
        await called.Task.WaitAsync(s_deadline, TestContext.Current.CancellationToken);
        await loop.StopAsync(s_deadline);
    }

    [Fact]
    public async Task Set_calls_once_on_the_loops_thread_and_never_early_and_Cancel_takes_it_back()
    {
        using var recorder = new RunRecorder();
        var loop = new PollLoop("test", recorder, servesClients: false);
        var called = new TaskCompletionSource<(long Time, int Thread)>();
        int thread = 0;
        int calls = 0;
        bool cancelledOneCalled = false;
        var timer = new LoopTimer(() =>
        {
            calls++;
            called.TrySetResult((Stopwatch.GetTimestamp(), Environment.CurrentManagedThreadId));
        });
        var cancelled = new LoopTimer(() => cancelledOneCalled = true);
        long due = Stopwatch.GetTimestamp() + (Stopwatch.Frequency / 50);
        loop.Post(() =>
        {
            thread = Environment.CurrentManagedThreadId;
            loop.Set(cancelled, due - 1);
            loop.Set(timer, long.MaxValue - 1);
            loop.Set(timer, due);
            loop.Cancel(cancelled);
        });
        (long time, int onThread) = await called.Task.WaitAsync(s_deadline, TestContext.Current.CancellationToken);
        await loop.StopAsync(s_deadline);
        Assert.True(time >= due, $"{due - time} ticks early");
        Assert.Equal((thread, 1, false), (onThread, calls, cancelledOneCalled));
    }

    [Fact]
    public async Task An_exception_becomes_the_fault_of_the_run()
    {
        using var recorder = new RunRecorder();
        var loop = new PollLoop("test", recorder, servesClients: false);
        loop.Post(() => throw new InvalidOperationException("broken"));
        Assert.Equal("broken", (await recorder.Fault.WaitAsync(s_deadline, TestContext.Current.CancellationToken)).Message);
        await loop.StopAsync(s_deadline);
    }

    [Fact]
    public async Task StopAsync_disposes_every_pollable_also_after_one_that_throws_and_reports_the_fault()
    {
        using var recorder = new RunRecorder();
        var loop = new PollLoop("test", recorder, servesClients: false);
        using var first = new Closing(() => throw new InvalidOperationException("broken"));
        using var second = new Closing(() => { });
        loop.Post(() =>
        {
            loop.Add(first);
            loop.Add(second);
        });
        var addition = new TaskCompletionSource();
        loop.Post(addition.SetResult);
        await addition.Task.WaitAsync(s_deadline, TestContext.Current.CancellationToken);
        await loop.StopAsync(s_deadline);
        Assert.True(second.WasDisposed);
        Assert.Equal("broken", (await recorder.Fault.WaitAsync(s_deadline, TestContext.Current.CancellationToken)).Message);
    }

    [Fact]
    public async Task StopAsync_may_be_called_again_and_Post_after_it_does_no_harm()
    {
        using var recorder = new RunRecorder();
        var loop = new PollLoop("test", recorder, servesClients: false);
        await loop.StopAsync(s_deadline);
        await loop.StopAsync(s_deadline);
        loop.Post(() => throw new InvalidOperationException("must not run"));
        Assert.False(recorder.Fault.IsCompleted);
    }

    [Fact]
    public async Task OnReadable_is_the_only_reader_of_the_clock_for_a_datagram()
    {
        using var recorder = new RunRecorder();
        var loop = new PollLoop("test", recorder, servesClients: false);
        using var receiver = new Receiver(loop, datagrams: 10);
        loop.Post(() => loop.Add(receiver));
        using var sender = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        sender.Connect(receiver.EndPoint);
        for (int datagram = 0; datagram < 10; datagram++)
        {
            sender.Send([1]);
        }

        int readings = await receiver.Done.WaitAsync(s_deadline, TestContext.Current.CancellationToken);
        await loop.StopAsync(s_deadline);
        Assert.Equal(0, readings);
    }

    /// <summary>Counts the readings of the clock that the loop made between two datagrams, apart from those of its tick.</summary>
    private sealed class Receiver : IPollable
    {
        private readonly Socket _socket = Setups.BoundUdp();
        private readonly TaskCompletionSource<int> _done = new();
        private readonly PollLoop _loop;
        private long _lastReading;
        private int _left;
        private int _readings;

        public Receiver(PollLoop loop, int datagrams) => (_loop, _left) = (loop, datagrams);

        public EndPoint EndPoint => _socket.LocalEndPoint!;
        public Task<int> Done => _done.Task;
        public nint SocketHandle => _socket.Handle;

        public void OnReadable()
        {
            _readings += _lastReading != 0 && _lastReading != _loop.Worker.Now ? 1 : 0;
            _socket.Receive(new byte[1]);
            _loop.Worker.ReadClock();
            _lastReading = _loop.Worker.Now;
            if (--_left == 0)
            {
                _done.SetResult(_readings);
            }
        }

        public void OnTick() => _lastReading = 0;

        public void Dispose() => _socket.Dispose();
    }

    private sealed class Closing(Action close) : IPollable
    {
        private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);

        public bool WasDisposed { get; private set; }
        public nint SocketHandle => _socket.Handle;

        public void OnReadable() => throw new InvalidOperationException("Nothing comes.");

        public void OnTick() { }

        public void Dispose()
        {
            if (!WasDisposed)
            {
                WasDisposed = true;
                _socket.Dispose();
                close();
            }
        }
    }
}
