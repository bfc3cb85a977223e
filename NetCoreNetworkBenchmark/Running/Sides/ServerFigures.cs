using NetCoreNetworkBenchmark.Running.Machine.Meters;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>At one moment, or the difference of two moments, or the sum of several differences.</summary>
internal sealed record ServerSnapshot(ProcessSnapshot Reading, MessageCounters Counters)
{
    /// <summary>The messages of both directions, since a server may only receive or only send.</summary>
    public long Messages => MessagesOf(Counters);

    public static long MessagesOf(MessageCounters counters) => counters.ServerReceived + counters.ServerSent;

    public ServerSnapshot Since(ServerSnapshot earlier)
    {
        MessageCounters since = Counters;
        since.Subtract(earlier.Counters);
        return new ServerSnapshot(Reading.Since(earlier.Reading), since);
    }

    public ServerSnapshot Plus(ServerSnapshot? other)
    {
        if (other is null)
        {
            return this;
        }

        MessageCounters sum = Counters;
        sum.Add(other.Counters);
        return new ServerSnapshot(Reading.Plus(other.Reading), sum);
    }
}

internal sealed class ServerFigures(ServerSide server, TimeSpan? timelineInterval = null) : IDisposable
{
    private readonly TimelineSampler? _timeline = timelineInterval is null ? null : server.CreateTimeline();
    private UseCounter _idle = server.CreateUseCounter();
    private readonly List<ServerSlice> _slices = [];
    private readonly ServerSnapshot _begin = server.Read();
    private ServerSnapshot? _start;
    private ServerSnapshot? _measured;
    private ServerSnapshot? _drain;

    public void Enter(RunPhase phase)
    {
        switch (phase)
        {
            case RunPhase.Connect:
                // The slices so far were a part of the warm-up.
                Restart();
                break;
            case RunPhase.WarmUp:
                _idle.End();
                break;
            case RunPhase.Measure:
                _start = server.Read();
                _timeline?.Begin(timelineInterval!.Value);
                break;
            case RunPhase.Drain:
                EndMeasurement();
                _drain = server.Read();
                break;
            case RunPhase.Paused:
                EndDrain();
                // Discards earlier pauses, in which the JIT was still recompiling hot code.
                _idle = _slices.Count > 0 ? _idle : server.CreateUseCounter();
                _idle.Begin();
                break;
            default:
                break;
        }
    }

    public ServerReport Report()
    {
        _idle.End();
        EndMeasurement();
        EndDrain();
        ServerReport report = server.Report(_measured ?? server.Read().Since(_begin));
        return report with
        {
            Cost = report.Cost! with { StoppedSeconds = _timeline?.Stopped.TotalSeconds },
            Idle = _idle.CostOf(messages: 0),
            Timeline = _timeline?.Report(),
            Slices = _slices,
        };
    }

    public void Dispose() => _timeline?.Dispose();

    private void Restart()
    {
        _measured = null;
        _slices.Clear();
        _idle = server.CreateUseCounter();
        _timeline?.Clear();
    }

    // A message of the server's schedule that is sent late in the drain was due in the measurement.
    private void EndDrain()
    {
        if (_drain is { } drain && _measured is { } measured)
        {
            long late = server.Read().Since(drain).Counters.SentLate;
            MessageCounters counters = measured.Counters;
            counters.SentLate += late;
            counters.ServerSent += late;
            _measured = measured with { Counters = counters };
        }

        _drain = null;
    }

    private void EndMeasurement()
    {
        _timeline?.End();
        if (_start is { } start)
        {
            ServerSnapshot slice = server.Read().Since(start);
            _slices.Add(server.SliceOf(slice));
            _measured = slice.Plus(_measured);
            _start = null;
        }
    }
}
