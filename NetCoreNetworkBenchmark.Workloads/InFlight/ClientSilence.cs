namespace NetCoreNetworkBenchmark.Workloads.InFlight;

/// <summary>The longest time within the measurement in which a client received no answer. Calls for one client are serial. In ticks of the clock.</summary>
internal sealed class ClientSilence
{
    private long _answeredAt;
    private long _longest;

    public void OnAnswer(WorkerStatistics worker)
    {
        _longest = LongestUntil(worker.Now, MeasuredTime.Until(worker.CurrentInterval));
        _answeredAt = worker.Now;
    }

    public long LongestUntil(long now, MeasuredTime measured) =>
        Math.Max(_longest, Math.Min(now, measured.End) - Math.Max(_answeredAt, measured.Begin));

    public bool IsAnsweredSince(long time) => _answeredAt >= time;

    public void Clear() => _longest = 0;
}

/// <summary>The last measurement since the load started; empty if there was none.</summary>
internal readonly record struct MeasuredTime(long Begin, long End)
{
    public static MeasuredTime Until(PhaseInterval current)
    {
        long end = long.MaxValue;
        PhaseInterval? interval = current;
        while (interval is not null && interval.Statistics.Phase != RunPhase.Measure)
        {
            (end, interval) = (interval.Since, interval.Previous);
        }

        if (interval is null)
        {
            return default;
        }

        // Each part of the measurement has an interval.
        while (interval.Previous is { Statistics.Phase: RunPhase.Measure } earlier)
        {
            interval = earlier;
        }

        return new MeasuredTime(interval.Since, end);
    }
}

/// <summary>The silences of all clients of a run whose plan interrupts the traffic: how long the gaps are, and how many clients go on after them.</summary>
internal sealed class ClientSilences(RunPlan plan)
{
    public const string Longest = "Longest silence of a client";
    public const string Ended = "Clients without an answer at the end";
    private const double EndSeconds = 1;
    private const int MessagesAtEnd = 10;

    private readonly ConcurrentQueue<ClientSilence> _all = new();

    // A client that connects again is a new peer. It goes on with the silence of one that lost its connection, which may be that of another client.
    private readonly ConcurrentQueue<ClientSilence> _ofLost = new();
    private WorkerStatistics? _worker;

    /// <summary>Called once for each connection, from any thread.</summary>
    public ClientSilence Take(WorkerStatistics worker)
    {
        _worker = worker;
        if (!_ofLost.TryDequeue(out ClientSilence? silence))
        {
            _all.Enqueue(silence = new ClientSilence());
        }

        return silence;
    }

    public void Leave(ClientSilence silence) => _ofLost.Enqueue(silence);

    public void Clear()
    {
        foreach (ClientSilence silence in _all)
        {
            silence.Clear();
        }
    }

    public LatencyHistogram Times()
    {
        var times = new LatencyHistogram();
        MeasuredTime time = Measured();
        foreach (ClientSilence silence in _all)
        {
            times.Record(RunRecorder.ToNanoseconds(silence.LongestUntil(long.MaxValue, time)));
        }

        return times;
    }

    /// <summary>The last second of the measurement, or the time of ten messages of a client if that is longer, decides whether a client has gone on.</summary>
    public WorkloadFigure CountEnded()
    {
        double seconds = MessagesAtEnd * (plan.Rate is { } rate ? plan.Clients / rate : plan.Think.TotalSeconds);
        (long begin, long end) = Measured();
        long since = Math.Max(begin, end - RunRecorder.ToTicks(TimeSpan.FromSeconds(Math.Max(EndSeconds, seconds))));
        return new WorkloadFigure(Ended, _all.Count(silence => !silence.IsAnsweredSince(since)), string.Empty, FigureMerge.Sum);
    }

    private MeasuredTime Measured() => _worker is null ? default : MeasuredTime.Until(_worker.CurrentInterval);
}
