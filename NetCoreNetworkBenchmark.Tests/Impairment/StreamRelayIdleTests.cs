namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>
/// A connection that only waits does not keep the relay's thread awake. The system reports a socket whose peer is gone again and again,
/// for any events that it is watched for.
/// </summary>
public sealed class StreamRelayIdleTests
{
    // A thread that does not sleep makes a turn within some microseconds; a sleeping thread wakes only for its ticks.
    private const long MostTurns = 1_000;
    private static readonly TimeSpan s_observed = TimeSpan.FromMilliseconds(300);

    [Fact]
    public Task One_that_has_ended_on_one_side() => StaysAsleepAsync(new ImpairmentPlan(), pair =>
    {
        pair.Client.Shutdown(SocketShutdown.Send);
        Assert.Empty(RelayedStreams.Receive(pair.Server, 1));
    });

    [Fact]
    public Task One_whose_receiver_does_not_read() => StaysAsleepAsync(new ImpairmentPlan(), pair => Fill(pair.Client));

    [Fact]
    public Task One_whose_sender_is_gone_and_whose_receiver_does_not_read() => StaysAsleepAsync(new ImpairmentPlan(), pair =>
    {
        EndFromServer(pair);
        Fill(pair.Client);
        pair.Client.Dispose();
    });

    [Fact]
    public Task One_whose_end_is_still_on_its_way() => StaysAsleepAsync(new ImpairmentPlan { Delay = TimeSpan.FromSeconds(1) }, pair =>
    {
        EndFromServer(pair);
        pair.Client.Send(new byte[100]);
        pair.Client.Dispose();
    });

    private static void EndFromServer(StreamPair pair)
    {
        pair.Server.Shutdown(SocketShutdown.Send);
        Assert.Empty(RelayedStreams.Receive(pair.Client, 1));
    }

    // Passes bytes to the system until both the relay and the sockets' buffers are full.
    private static void Fill(Socket socket)
    {
        socket.Blocking = false;
        byte[] piece = new byte[256 * 1024];
        for (bool isTaken = true; isTaken;)
        {
            isTaken = socket.Poll(TimeSpan.FromMilliseconds(200), SelectMode.SelectWrite);
            socket.Send(piece, SocketFlags.None, out _);
        }
    }

    private static async Task StaysAsleepAsync(ImpairmentPlan plan, Action<StreamPair> arrange)
    {
        await using var relay = new StreamRelayLoop(plan);
        var turns = new Turns();
        await relay.OnLoopAsync(() => relay.Loop.Add(turns));
        using StreamPair pair = relay.Connect();
        arrange(pair);
        long before = turns.Count;
        await Task.Delay(s_observed, TestContext.Current.CancellationToken);
        Assert.InRange(turns.Count - before, 0, MostTurns);
    }

    /// <summary>Counts how often a loop checks for due work, which it does before every wait.</summary>
    private sealed class Turns : IDueWork
    {
        private long _count;

        public long Count => Interlocked.Read(ref _count);

        public long NextDue
        {
            get
            {
                Interlocked.Increment(ref _count);
                return long.MaxValue;
            }
        }

        public void OnDue(long now) => throw new UnreachableException();
    }
}
