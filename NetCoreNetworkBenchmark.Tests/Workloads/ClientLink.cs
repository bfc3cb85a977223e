namespace NetCoreNetworkBenchmark.Tests.Workloads;

/// <summary>The clients' side of a workload over a link that the test controls: no network, no threads, no time that passes by itself.</summary>
internal sealed class ClientLink : IDisposable
{
    private readonly SetClock _clock = new() { Time = Stopwatch.Frequency };
    private int _answered;

    public ClientLink(IWorkload workload, RunPlan plan, RunPhase phase = RunPhase.Measure)
    {
        Recorder = new RunRecorder(openLoop: plan.Rate is not null, _clock);
        Handler = (IClientHandler)workload.CreateLoad(plan, Recorder);
        Worker = Recorder.AddWorker(recordsLatency: true);
        Worker.ReadClock();
        Recorder.Enter(phase);
        Ends = [.. Enumerable.Range(0, plan.Clients).Select(number => new End(this, number))];
        Ends.ForEach(end => Handler.OnConnected(end, Worker));
    }

    public RunRecorder Recorder { get; }
    public IClientHandler Handler { get; }
    public WorkerStatistics Worker { get; }
    public List<End> Ends { get; }
    public List<byte[]> Sent { get; } = [];
    public List<int> Senders { get; } = [];
    public List<int> Channels { get; } = [];
    public int Accepts { get; set; } = int.MaxValue;
    public ref MessageCounters Counters => ref Worker.Of(RunPhase.Measure).Counters;

    public MessageCounters CountersOf(RunPhase phase) => Worker.Of(phase).Counters;

    public void Start()
    {
        Handler.OnStarting();
        Ends.ForEach(end => Handler.OnStart(end, Worker));
    }

    public ClientLink Started()
    {
        Start();
        return this;
    }

    public void Restart(RunPhase phase)
    {
        Recorder.Enter(phase);
        Start();
    }

    /// <summary>Makes messages due; they are overdue by the given time.</summary>
    /// <returns>The time at which the last message was due.</returns>
    public long Due(long overdue = 0, int times = 1, int ofClient = 0)
    {
        for (int time = 0; time < times; time++)
        {
            Advance();
            Handler.OnDue(Ends[ofClient], Worker.Now - overdue, Worker);
        }

        return Worker.Now - overdue;
    }

    public void DueAt(long due)
    {
        Advance();
        Handler.OnDue(Ends[0], due, Worker);
    }

    public void Answer(byte[] message, int toClient = 0)
    {
        Advance();
        Handler.OnMessage(Ends[toClient], message, Worker);
    }

    /// <summary>Answers messages to the first client, by their places in <see cref="Sent"/>.</summary>
    public void AnswerSent(params ReadOnlySpan<int> places)
    {
        foreach (int place in places)
        {
            Answer(Sent[place]);
        }
    }

    /// <summary>Answers all messages that have been sent so far and were not answered by this method before.</summary>
    public void AnswerAll(int from = 0)
    {
        byte[][] unanswered = [.. Sent.Skip(Math.Max(from, _answered))];
        _answered = Sent.Count;
        Array.ForEach(unanswered, message => Answer(message));
    }

    /// <summary>Lets a deadline of zero pass.</summary>
    public void Tick()
    {
        Advance();
        Ends.ForEach(end => Handler.OnTick(end, Worker));
    }

    public void Close() => Handler.OnClosed(Ends[0], Worker);

    public void Dispose() => Recorder.Dispose();

    private void Advance()
    {
        _clock.Time += Stopwatch.Frequency / 1_000_000;
        Worker.ReadClock();
    }

    /// <summary>Runs a workload over sockets in this process; the result must be valid.</summary>
    public static async Task<RunResult> RunAsync(IWorkload workload, RunPlan plan)
    {
        var library = new SocketsBenchmark();
        RunResult result = await new Run(plan, library.Info, workload, Placement.InThisProcess(plan, library, workload))
            .RunAsync(TestContext.Current.CancellationToken);
        Assert.True(result.Valid, string.Join(' ', result.InvalidReasons));
        return result;
    }

    internal sealed class End(ClientLink link, int number) : IPeer
    {
        public object? State { get; set; }

        public bool Send(ReadOnlySpan<byte> message) => SendReliable(message, channel: 0);

        public bool SendReliable(ReadOnlySpan<byte> message, int channel)
        {
            if (link.Accepts == 0)
            {
                return false;
            }

            link.Accepts--;
            link.Sent.Add(message.ToArray());
            link.Senders.Add(number);
            link.Channels.Add(channel);
            return true;
        }

        public void Close() => link.Close();
    }
}
