namespace NetCoreNetworkBenchmark.Workloads.Handshakes;

// With a schedule, each connection is counted in the phase in which it was due.
internal sealed class HandshakeClients(RunPlan plan, RunRecorder recorder, ReadOnlyMemory<byte> request) : IConnectionHandler
{
    private readonly long _lateBound = RunRecorder.ToTicks(plan.Impairment.LateBound);
    private readonly bool _isPaced = plan.Rate is not null;

    private readonly ThreadStates<ConnectionParts> _threads = new(() => new ConnectionParts());
    private readonly long? _overflowsBefore = AcceptQueue.Overflows();

    public ReadOnlyMemory<byte> Request => request;

    public bool AcceptsAnyStatus { get; init; }

    public IReadOnlyList<WorkloadFigure> ComputeFigures()
    {
        IReadOnlyList<NegotiatedTls> handshakes = recorder.Handshakes();
        return
        [
            .. AcceptQueue.Overflows() - _overflowsBefore is > 0 and var overflows
                ? (WorkloadFigure[])[new WorkloadFigure("Times that an accept queue was full", overflows, string.Empty, FigureMerge.Largest)]
                : [],
            .. handshakes.Count == 0 ? [] : CryptoBaseline.Measure(handshakes[0].Key, handshakes[0].Group, recorder.Remark),
        ];
    }

    public IReadOnlyList<(string Name, LatencyHistogram Histogram)> Parts
    {
        get
        {
            (string, LatencyHistogram)[] established = [("TCP connect", SumOf(parts => parts.Connect)), ("TLS handshake", SumOf(parts => parts.Handshake))];
            return request.IsEmpty ? established : [.. established, ("Request to last byte", SumOf(parts => parts.Answer))];
        }
    }

    public void OnDiscarded()
    {
        foreach (ConnectionParts parts in _threads.All)
        {
            parts.Clear();
        }
    }

    public bool OnOpening(long due, WorkerStatistics worker)
    {
        PhaseStatistics statistics = IntervalOf(due, worker).Statistics;
        if (!statistics.Sends)
        {
            return false;
        }

        statistics.Counters.ClientSent++;
        statistics.Counters.SentLate += worker.Now - due > _lateBound ? 1 : 0;
        return true;
    }

    public void OnCompleted(in ConnectionTimes times, WorkerStatistics worker)
    {
        PhaseInterval interval = IntervalOf(times.Due, worker);
        interval.RecordAnswer(times.Due, RunRecorder.ToNanoseconds(times.Ended - times.Due));
        interval.Statistics.Uncorrected?.Record(RunRecorder.ToNanoseconds(times.Ended - times.Begun));
        if (interval.Statistics.Phase == RunPhase.Measure)
        {
            _threads.Of(worker).Record(times);
        }
    }

    public void OnFailed(long due, string reason, WorkerStatistics worker)
    {
        IntervalOf(due, worker).Statistics.Counters.GivenUp++;
        recorder.CountError($"connection failed: {reason}");
    }

    private PhaseInterval IntervalOf(long due, WorkerStatistics worker) => _isPaced ? worker.IntervalOf(due) : worker.CurrentInterval;

    private LatencyHistogram SumOf(Func<ConnectionParts, LatencyHistogram> part) => LatencyHistogram.Sum(_threads.All.Select(part));

    private sealed class ConnectionParts
    {
        public LatencyHistogram Connect { get; } = new();

        public LatencyHistogram Handshake { get; } = new();

        public LatencyHistogram Answer { get; } = new();

        public void Record(in ConnectionTimes times)
        {
            Connect.Record(RunRecorder.ToNanoseconds(times.Connected - times.Begun));
            Handshake.Record(RunRecorder.ToNanoseconds(times.Secured - times.Connected));
            Answer.Record(RunRecorder.ToNanoseconds(times.Ended - times.Secured));
        }

        public void Clear()
        {
            Connect.Clear();
            Handshake.Clear();
            Answer.Clear();
        }
    }
}

/// <summary>Connections that Linux has refused or delayed because the accept queue of a listening socket was full.</summary>
internal static class AcceptQueue
{
    private const string File = "/proc/net/netstat";
    private const string Line = "TcpExt:";
    private const string Counter = "ListenOverflows";

    // The counter of this network namespace since its start; null if the system does not report it.
    public static long? Overflows()
    {
        try
        {
            return System.IO.File.Exists(File) ? Parse(System.IO.File.ReadAllLines(File)) : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    // A line of names is followed by a line of values.
    public static long? Parse(IEnumerable<string> text)
    {
        string[][] lines = [.. text.Where(line => line.StartsWith(Line, StringComparison.Ordinal)).Select(line => line.Split(' '))];
        int index = lines.Length == 2 ? Array.IndexOf(lines[0], Counter) : -1;
        return index >= 0 && long.TryParse(lines[1].ElementAtOrDefault(index), NumberStyles.None, CultureInfo.InvariantCulture, out long count) ? count : null;
    }
}
