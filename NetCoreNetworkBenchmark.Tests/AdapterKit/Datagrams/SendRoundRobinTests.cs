namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Datagrams;

public sealed class SendRoundRobinTests : IDisposable
{
    private readonly RunRecorder _recorder = new();
    private readonly ServerActions _handler = new();
    private readonly SendRoundRobin _turns;
    private int _scheduled;

    public SendRoundRobinTests() => _turns = new SendRoundRobin(_handler, () => _scheduled++);

    [Fact]
    public void A_peer_is_congested_when_it_has_sent_its_budget_and_gets_another_turn()
    {
        Assert.Equal((SendRoundRobin.Budget, 1, true, 0), (new TestPeer(_turns).SendAll(), _scheduled, _turns.AreDue, _handler.WritableCalls));
        _handler.Writable = called => Assert.Equal(SendRoundRobin.Budget, ((TestPeer)called).SendAll());
        Assert.Equal((true, true, 1, 2), (Run(), Run(), _scheduled, _handler.WritableCalls));
        _handler.Writable = _ => { };
        Assert.False(Run());
        Assert.False(_turns.AreDue);
    }

    [Fact]
    public void Several_wakes_before_a_turn_are_one_and_a_wake_in_it_is_another()
    {
        var peer = new TestPeer(_turns);
        peer.Wake();
        peer.Wake();
        _handler.Writable = _ => peer.Wake();
        Assert.True(Run());
        _handler.Writable = _ => { };
        Assert.Equal((false, 2, 1), (Run(), _handler.WritableCalls, _scheduled));
        peer.Wake();
        Assert.Equal(2, _scheduled);
    }

    [Fact]
    public void A_closed_peer_gets_no_turn()
    {
        var (before, after) = (new TestPeer(_turns), new TestPeer(_turns));
        before.Wake();
        before.Close();
        after.Close();
        after.Wake();
        Assert.Equal((false, 0), (Run(), _handler.WritableCalls));
    }

    [Fact]
    public void A_run_gives_a_turn_to_some_of_many_so_that_messages_are_looked_for_in_between()
    {
        TestPeer[] peers = [.. Enumerable.Range(0, 100).Select(_ => new TestPeer(_turns))];
        Array.ForEach(peers, peer => peer.Wake());
        Assert.True(Run());
        Assert.InRange(_handler.WritableCalls, 1, 50);
        while (Run())
        {
            Assert.InRange(_handler.WritableCalls, 1, peers.Length);
        }

        Assert.Equal(peers.Length, _handler.WritableCalls);
    }

    [Fact]
    public async Task No_wake_of_another_thread_is_lost()
    {
        const int Wakes = 20_000;
        using var scheduled = new SemaphoreSlim(0);
        var turns = new SendRoundRobin(_handler, () => scheduled.Release());
        var peer = new TestPeer(turns);
        int requested = 0;
        int count = 0;
        _handler.Writable = _ => count = Volatile.Read(ref requested);
        Task waking = Task.Run(
            () =>
            {
                for (int wake = 1; wake <= Wakes; wake++)
                {
                    Volatile.Write(ref requested, wake);
                    peer.Wake();
                }
            },
            TestContext.Current.CancellationToken);
        WorkerStatistics worker = _recorder.AddWorker(recordsLatency: false);
        while (count < Wakes)
        {
            Assert.True(await scheduled.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken), $"the wake after {count} was lost");
            while (turns.Run(worker))
            {
            }
        }

        await waking;
    }

    public void Dispose() => _recorder.Dispose();

    private bool Run() => _turns.Run(_recorder.AddWorker(recordsLatency: false));
}
