using NetCoreNetworkBenchmark.Certificates;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Limits;
using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Machine.Processes;

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

/// <summary>Counts from its start to its end, regardless of the phase of the clients. A measurement is the difference of two snapshots.</summary>
internal sealed class ServerSide : IAsyncDisposable
{
    private static readonly TimeSpan s_threadInterval = TimeSpan.FromSeconds(1);

    private readonly RunPlan _plan;
    private readonly INetworkBenchmark _library;
    private readonly RunRecorder _recorder;
    private readonly ProcessMeter _meter;
    private readonly string? _key;
    private readonly bool _isOneWay;
    private readonly IServerHandler _handler;
    private readonly IBenchmarkServer _server;
    private readonly PeriodicTimer _threadTimer = new(s_threadInterval);
    private readonly Task _countingThreads;
    private readonly TimelineSampler? _timeline;
    private readonly List<ServerSlice> _slices = [];
    private readonly ServerSnapshot _started;
    private UseCounter _idle;
    private ServerSnapshot? _measureStart;
    private ServerSnapshot? _measured;
    private ServerSnapshot? _drainStart;

    /// <param name="expectsDisconnects">Whether clients come and go as they like, so that the end of a connection is no error.</param>
    /// <param name="hasTimeline">Whether the course of the measurement is reported. If the clients are in the same process, theirs is that of both.</param>
    public ServerSide(
        RunPlan plan,
        INetworkBenchmark library,
        IWorkload workload,
        IPEndPoint endPoint,
        ProcessMeter meter,
        TlsCredentials? credentials = null,
        bool expectsDisconnects = false,
        bool hasTimeline = false)
    {
        _plan = plan;
        _recorder = new RunRecorder { ExpectsDisconnects = expectsDisconnects || plan.ExpectsDisconnects };
        _library = library;
        _meter = meter;
        _key = credentials?.ServerCertificate is { } certificate ? SuppliedCertificate.KindOf(certificate) : null;
        _isOneWay = workload.LatencyKind == LatencyKind.OneWay;
        _recorder.Enter(RunPhase.Measure);
        try
        {
            _handler = workload.CreateServerHandler(plan, _recorder);
            _server = library.StartServer(new ServerSetup
            {
                EndPoint = endPoint,
                Group = plan.MulticastGroup,
                SendsToAll = workload.UsesCallToAll(plan),
                MaxConnections = () => DescriptorLimit.ForConnections(plan.Clients),
                Plan = plan.ForAdapters(_isOneWay),
                Credentials = credentials,
                Handler = _handler,
                Recorder = _recorder,
            });
            if (!IsAsRequested(endPoint, _server.EndPoint))
            {
                _recorder.ReportFault(new BenchmarkException($"{library.Info.Name} bound its server to {_server.EndPoint} instead of {endPoint}."));
            }

            _meter.Include(_server.Processes);
            _idle = new UseCounter(_meter);
            _started = Read();
            _timeline = hasTimeline ? new TimelineSampler(_recorder, _meter, library.Info.CarriesMessages ? Served : null, hasLatency: false) : null;
            _countingThreads = CountThreadsAsync();
        }
        catch
        {
            // No client has connected, so the end of server and handler need not be awaited.
            _ = _server?.DisposeAsync().AsTask();
            _ = (_handler as IAsyncDisposable)?.DisposeAsync().AsTask();
            _threadTimer.Dispose();
            _recorder.Dispose();
            throw;
        }
    }

    public IPEndPoint EndPoint => _server.EndPoint;
    public Task<Exception> Fault => _recorder.Fault;
    public long Messages => ServerSnapshot.MessagesOf(Count());

    public ServerSnapshot Read()
    {
        // Threads are counted only now and then, and it takes a while. Meanwhile messages would arrive between the two readings.
        _meter.CountThreads();
        MessageCounters counters = Count();
        return new ServerSnapshot(_meter.Read(), counters);
    }

    /// <summary>Figures begin with the measurement and end with the drain; pauses begin with the pause and end with the warm-up.</summary>
    public void Enter(RunPhase phase)
    {
        switch (phase)
        {
            case RunPhase.WarmUp:
                _idle.End();
                break;
            case RunPhase.Measure:
                _measureStart = Read();
                _timeline?.Begin(TimelineSampler.IntervalOf(_plan.Duration));
                break;
            case RunPhase.Drain:
                EndMeasurement();
                _drainStart = Read();
                break;
            case RunPhase.Paused:
                EndDrain();

                // Earlier pauses, in which the JIT was still recompiling hot code, do not count.
                _idle = _slices.Count > 0 ? _idle : new UseCounter(_meter);
                _idle.Begin();
                break;
            default:
                break;
        }
    }

    public void DiscardSlices()
    {
        _measured = null;
        _slices.Clear();
        _idle = new UseCounter(_meter);
        _timeline?.Clear();
    }

    /// <summary>Of the slices, or of the whole time if there was no measurement.</summary>
    public ServerReport Report()
    {
        _idle.End();
        EndMeasurement();
        EndDrain();
        ServerReport report = Report(_measured ?? Read().Since(_started));
        return report with
        {
            Cost = report.Cost! with { StoppedSeconds = _timeline?.Stopped.TotalSeconds },
            Idle = _idle.CostOf(messages: 0),
            Timeline = _timeline?.Report(),
            Slices = _slices,
        };
    }

    public ServerReport Report(ServerSnapshot measured) => new()
    {
        LibraryVersion = _library.Info.Version,
        Threads = Threads(_library.Info),
        Pinning = CoreAffinity.ReadBack(_plan.Pinning.ServerCores),
        Remarks = _recorder.Remarks(),
        Received = _library.Info.CarriesMessages ? measured.Counters.ServerReceived : null,
        Sent = _library.Info.CarriesMessages ? measured.Counters.ServerSent : null,
        TotalReceived = _library.Info.CarriesMessages ? Count().ServerReceived : null,
        SentLate = measured.Counters.SentLate,
        HeartbeatsSent = measured.Counters.HeartbeatsSent,
        HeartbeatsReceived = measured.Counters.HeartbeatsReceived,
        Disconnects = _recorder.Disconnects(),
        Errors = _recorder.Errors(),
        Unsolicited = _recorder.Unsolicited(),
        Key = _key,
        GarbageCollector = MachineInspector.GarbageCollector,
        Handshakes = _recorder.Handshakes(),
        Cost = _meter.CostOf(measured.Reading, Served(measured.Counters)),
    };

    public void EnterStop() => _recorder.Enter(RunPhase.Stop);

    /// <exception cref="BenchmarkException">The library did not stop the server before its deadline.</exception>
    public async ValueTask DisposeAsync()
    {
        EnterStop();
        _timeline?.Dispose();
        _threadTimer.Dispose();
        try
        {
            await _countingThreads;
            if (_handler is IAsyncDisposable handler)
            {
                await handler.DisposeAsync();
            }
        }
        finally
        {
            await _server.StopAsync($"{_library.Info.Name} did not stop its server", _plan);
        }

        // The threads of a server that did not stop still use it.
        _recorder.Dispose();
    }

    private void EndMeasurement()
    {
        _timeline?.End();
        if (_measureStart is { } start)
        {
            ServerSnapshot slice = Read().Since(start);
            _slices.Add(new ServerSlice(
                Stopwatch.GetElapsedTime(0, slice.Reading.Timestamp).TotalSeconds,
                _library.Info.CarriesMessages ? Served(slice.Counters) : null,
                slice.Reading.UserSeconds + slice.Reading.SystemSeconds,
                slice.Reading.Compilation.TotalSeconds));
            _measured = slice.Plus(_measured);
            _measureStart = null;
        }
    }

    // A message of the server's schedule that is sent late in the drain was due in the measurement.
    private void EndDrain()
    {
        if (_drainStart is { } drain && _measured is { } measured)
        {
            long late = Read().Since(drain).Counters.SentLate;
            MessageCounters counters = measured.Counters;
            counters.SentLate += late;
            counters.ServerSent += late;
            _measured = measured with { Counters = counters };
        }

        _drainStart = null;
    }

    // A library may name the addresses of all interfaces in several ways.
    private static bool IsAsRequested(IPEndPoint requested, IPEndPoint bound) =>
        (requested.Port == 0 || requested.Port == bound.Port)
        && (requested.Address.Equals(IPAddress.Any) || requested.Address.Equals(IPAddress.IPv6Any) || requested.Address.IsMulticastGroup()
            || requested.Address.MapToIPv6().Equals(bound.Address.MapToIPv6()));

    // If the plan cannot choose the threads of either side, the library serves with threads of its own.
    private int? Threads(LibraryInfo library) => library.Over(_plan.Protocol) is { ClientThreadsByPlan: false, MaxServerThreads: 1 }
        ? null
        : _plan.ServerThreads;

    private long Served(MessageCounters counters) => _isOneWay ? counters.ServerSent : counters.ServerReceived;

    private MessageCounters Count() => _recorder.Count(RunPhase.Measure, RunPhase.Stop);

    private async Task CountThreadsAsync()
    {
        while (await _threadTimer.WaitForNextTickAsync())
        {
            _meter.CountThreads();
        }
    }
}
