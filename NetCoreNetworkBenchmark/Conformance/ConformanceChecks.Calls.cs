namespace NetCoreNetworkBenchmark.Conformance;

internal static partial class ConformanceChecks
{
    private static readonly TimeSpan s_maxLate = TimeSpan.FromMilliseconds(20);

    // Each call is held for so long that a second one for the same peer would begin before its end.
    private static async Task SerialCallsAsync(CheckSession session)
    {
        var (atServer, atClients) = (new Tally(), new Tally());
        session.Server.Message = Held(SendAgain, atServer);
        session.Client.Started = peer =>
        {
            for (int number = 0; number < session.Plan.ParallelMessages; number++)
            {
                SendSmall(peer);
            }
        };
        session.Client.Message = Held((_, _) => { }, atClients);
        await session.LoadAsync();
        Task all = session.ReachesAsync(session.Client.Answers, session.Plan.Clients * session.Plan.ParallelMessages, "answers arrived");
        await Task.WhenAny(all, atServer.ReachAsync(1, session.Plan.ConnectDeadline), atClients.ReachAsync(1, session.Plan.ConnectDeadline));
        session.Require(atServer.Count == 0, "OnMessage was called for one peer by two threads at the same time.");
        session.Require(atClients.Count == 0, "OnMessage was called for one client by two threads at the same time.");
        await all;
    }

    private static Action<IPeer, byte[]> Held(Action<IPeer, byte[]> message, Tally together)
    {
        var calls = new ConcurrentDictionary<IPeer, int>();
        return (peer, content) =>
        {
            if (calls.AddOrUpdate(peer, 1, (_, inside) => inside + 1) > 1)
            {
                together.Add();
            }

            SpinWait.SpinUntil(() => calls[peer] > 1, TimeSpan.FromMilliseconds(1));
            calls.AddOrUpdate(peer, 0, (_, inside) => inside - 1);
            message(peer, content);
        };
    }

    private static async Task TicksAsync(CheckSession session)
    {
        const int Calls = 3;
        var (calls, ticked) = (new ConcurrentDictionary<IPeer, int>(), new Tally());
        session.Client.Tick = peer =>
        {
            if (calls.AddOrUpdate(peer, 1, (_, before) => before + 1) == Calls)
            {
                ticked.Add();
            }
        };
        await session.StartAsync();
        await session.ReachesAsync(ticked, session.Plan.Clients, $"idle clients had {Calls} calls of OnTick");
    }

    // A message is sent a while after the answer to the one before it, so that both are not of one update, even if a busy machine makes that long.
    private static async Task UpdatesAsync(CheckSubject subject)
    {
        const int Messages = 4;
        const int Rate = 4;
        await using CheckSession session = (subject with { Plan = subject.Plan with { ServerUpdateRate = Rate } }).Open(clients: 1);
        var (sent, waited) = (0L, TimeSpan.Zero);
        session.Client.Tick = peer =>
        {
            if (session.Recorder.Phase == RunPhase.Measure && sent == 0)
            {
                sent = Stopwatch.GetTimestamp();
                SendSmall(peer);
            }
        };
        session.Client.Message = (_, _) =>
        {
            waited += Stopwatch.GetElapsedTime(sent);
            sent = 0;
        };
        await session.LoadAsync();
        await session.ReachesAsync(session.Client.Answers, Messages, "messages came back");
        session.Require(
            waited > TimeSpan.FromSeconds(1.0 / Rate),
            Invariant($"{Messages} messages came back after {waited.TotalMilliseconds:0} ms in all, although each waits for an update of the server: ") +
                $"{Rate} per second.");
        session.RequireNoErrors();
    }

    // A machine that is busy for a moment delays one attempt, and an adapter with a coarse timer all of them.
    private static async Task PunctualAsync(Func<Task<TimeSpan>> lateness)
    {
        TimeSpan late = TimeSpan.MaxValue;
        for (int attempt = 1; attempt <= 3 && late > s_maxLate; attempt++)
        {
            late = await lateness();
        }

        if (late > s_maxLate)
        {
            throw new BenchmarkException(Invariant(
                $"Half of the calls of OnDue came more than {late.TotalMilliseconds:0} ms after they were due (limit: {s_maxLate.TotalMilliseconds:0} ms)."));
        }
    }

    private static async Task<TimeSpan> MedianLatenessAsync(CheckSubject subject)
    {
        const int Clients = 7;
        const int Rounds = 40;
        const double Rate = 1_000;
        await using CheckSession session = subject.Open(Clients, rate: Rate);
        var (calls, early, done) = (new ConcurrentDictionary<IPeer, List<long>>(), new Tally(), new Tally());
        var late = new ConcurrentBag<long>();
        session.Client.Due = (peer, due, worker) =>
        {
            if (worker.Now < due || worker.Now > Stopwatch.GetTimestamp())
            {
                early.Add();
            }

            late.Add(Stopwatch.GetTimestamp() - due);
            List<long> ofPeer = calls.GetOrAdd(peer, _ => []);
            if (ofPeer.Count < Rounds)
            {
                ofPeer.Add(due);
                done.Add();
                SendSmall(peer);
            }
        };
        await session.StartAsync();
        long before = Stopwatch.GetTimestamp();
        session.Load();
        await session.ReachesAsync(done, Clients * Rounds, "messages became due");
        session.Require(early.Count == 0, $"OnDue came {early.Count} times before its time, or without a reading of the clock.");
        long[] dues = [.. calls.Values.SelectMany(ofPeer => ofPeer).Order()];
        var schedule = new SendSchedule(Rate, Clients);
        session.Require(dues[0] >= before && dues[0] <= Stopwatch.GetTimestamp(), "The schedule did not begin with the call of Start.");
        session.Require(
            dues.SequenceEqual(Enumerable.Range(0, Clients * Rounds).Select(message => schedule.DueAt(dues[0], message / Clients, message % Clients))),
            "The due times are not those of ClientSetup.Schedule.");
        session.Require(
            calls.Values.All(ofPeer => dues.IndexOf(ofPeer[0]) is >= 0 and < Clients and var client
                && ofPeer.SequenceEqual(Enumerable.Range(0, Rounds).Select(round => schedule.DueAt(dues[0], round, client)))),
            "A client had the due times of another.");
        await session.ReachesAsync(session.Client.Answers, Clients * Rounds, "answers to messages that were due arrived");
        session.RequireNoErrors();
        return MedianOf(late);
    }

    // The clients of --think: each sends a message when the call comes that it requested for some time after its last answer.
    private static async Task<TimeSpan> MedianLatenessOfThinkAsync(CheckSubject subject)
    {
        const int Clients = 15;
        const int Rounds = 20;
        await using CheckSession session = (subject with { Plan = subject.Plan with { Think = TimeSpan.FromMilliseconds(10) } }).Open(Clients);
        var (calls, early, late) = (new Tally(), new Tally(), new ConcurrentBag<long>());
        long think = RunRecorder.ToTicks(session.Plan.Think);
        session.Client.Think = (peer, worker) => worker.RequestDue(peer, worker.Now + think);
        session.Client.Due = (peer, due, worker) =>
        {
            if (worker.Now < due)
            {
                early.Add();
            }

            late.Add(Stopwatch.GetTimestamp() - due);
            calls.Add();
            SendSmall(peer);
        };
        await session.LoadAsync();
        await session.ReachesAsync(calls, Clients * Rounds, "calls of OnDue came that clients had requested after an answer");
        session.Require(early.Count == 0, $"OnDue came {early.Count} times before its time, or without a reading of the clock.");
        session.RequireNoErrors();
        return MedianOf(late);
    }

    private static TimeSpan MedianOf(ConcurrentBag<long> ticks)
    {
        long[] sorted = [.. ticks.Order()];
        return Stopwatch.GetElapsedTime(0, sorted[sorted.Length / 2]);
    }
}
