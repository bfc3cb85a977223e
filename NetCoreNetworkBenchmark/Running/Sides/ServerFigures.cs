using NetCoreNetworkBenchmark.Running.Machine;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <param name="timelineInterval">The length of the parts in which the course of the measurement is followed; null to follow none.</param>
internal sealed class ServerFigures(ServerSide server, TimeSpan? timelineInterval = null)
{
    private TimelineSampler? _timeline = timelineInterval is null ? null : server.CreateTimeline();
    private UseCounter _idle = server.CreateUseCounter();
    private readonly List<ServerSlice> _slices = [];
    private readonly ServerSnapshot _begin = server.Mark();
    private ServerSnapshot? _start;
    private ServerSnapshot? _measured;
    private ServerSnapshot? _drain;

    /// <summary>Notifies that the clients have entered a phase. The figures of several measurements add up.</summary>
    public void Enter(RunPhase phase)
    {
        switch (phase)
        {
            case RunPhase.Connect:
                Restart();
                break;
            case RunPhase.WarmUp:
                _idle.End();
                break;
            case RunPhase.Measure:
                _start = server.Mark();
                _timeline?.Begin(timelineInterval!.Value);
                break;
            case RunPhase.Drain:
                EndMeasurement();
                _drain = server.Mark();
                break;
            case RunPhase.Paused:
                EndDrain();
                // The pause before the first slice does not count: the runtime compiles what was warm.
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
        ServerReport report = server.Report(_measured ?? server.Mark().Since(_begin));
        return report with
        {
            Cost = report.Cost with { StoppedSeconds = _timeline?.Stopped.TotalSeconds },
            Idle = _idle.CostOf(messages: 0),
            Timeline = _timeline?.Report(),
            Slices = _slices,
        };
    }

    // The slices so far were a part of the warm-up.
    private void Restart()
    {
        _measured = null;
        _slices.Clear();
        _idle = server.CreateUseCounter();
        _timeline = timelineInterval is null ? null : server.CreateTimeline();
    }

    // A message of the server's schedule that is sent late in the drain was due in the measurement.
    private void EndDrain()
    {
        if (_drain is { } drain && _measured is { } measured)
        {
            long late = server.Mark().Since(drain).Counters.SentLate;
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
            ServerSnapshot slice = server.Mark().Since(start);
            _slices.Add(server.SliceOf(slice));
            _measured = slice.Plus(_measured);
            _start = null;
        }
    }
}
