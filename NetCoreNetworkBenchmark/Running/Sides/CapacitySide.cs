using System.Diagnostics;
using System.Net;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>A crowd of clients. All connect, then each makes one round trip, which has the plan's loss deadline.</summary>
internal sealed class CapacitySide(RunPlan plan, INetworkBenchmark library, IWorkload workload, TlsCredentials? credentials = null) : IAsyncDisposable
{
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(5);

    private readonly RunRecorder _recorder = new();
    private IClientGroup? _clients;
    private TimeSpan _connecting;

    /// <summary>Connects the clients.</summary>
    /// <exception cref="BenchmarkException">Not all clients connected before the deadline.</exception>
    public async Task ConnectAsync(IPEndPoint server, CancellationToken cancellationToken)
    {
        var setup = new ClientSetup
        {
            EndPoint = server,
            Plan = plan.ForClients(),
            Credentials = credentials,
            Handler = workload.CreateClientHandler(plan, _recorder),
            Recorder = _recorder,
        };
        long start = Stopwatch.GetTimestamp();
        _clients = await library.ConnectAsync(setup, cancellationToken).ConfigureAwait(false);
        _connecting = Stopwatch.GetElapsedTime(start);
    }

    /// <summary>Makes one round trip with every client and returns the figures. The clients are still connected then.</summary>
    /// <exception cref="BenchmarkException">A thread of the clients broke down.</exception>
    public async Task<CapacityReport> MeetAsync(CancellationToken cancellationToken)
    {
        // Garbage of the connecting must not be collected during the round trips.
        GC.Collect();
        _recorder.Enter(RunPhase.Measure);
        long start = Stopwatch.GetTimestamp();
        _clients!.Start();

        // The last client sends later than the first, and its round trip has the whole deadline.
        TimeSpan bound = plan.LossDeadline + plan.StopDeadline;
        while (!AreAllDone() && Stopwatch.GetElapsedTime(start) < bound)
        {
            await WaitAsync(cancellationToken).ConfigureAwait(false);
        }

        _recorder.Enter(RunPhase.Drain);
        return new CapacityReport
        {
            LibraryVersion = library.Info.Version,
            ConnectSeconds = _connecting.TotalSeconds,
            Answered = _recorder.Count(RunPhase.Measure).ClientReceived,
            Latency = LatencyReport.Of(_recorder.Latency(RunPhase.Measure)).Summary,
            Errors = _recorder.Errors(),
        };
    }

    /// <summary>Enters the stop phase. From here on, a connection that ends is not an error.</summary>
    public void EnterStop() => _recorder.Enter(RunPhase.Stop);

    public async ValueTask DisposeAsync()
    {
        EnterStop();
        if (_clients is not null)
        {
            await _clients.DisposeAsync().ConfigureAwait(false);
        }

        _recorder.Dispose();
    }

    // A client whose connection ended before the start of the load is given up too, in an earlier phase.
    private bool AreAllDone()
    {
        MessageCounters counters = _recorder.Count(RunPhase.Connect, RunPhase.Measure);
        return counters.ClientReceived + counters.GivenUp >= plan.Clients;
    }

    private async Task WaitAsync(CancellationToken cancellationToken)
    {
        Task first = await Task.WhenAny(Task.Delay(s_look, cancellationToken), _recorder.Fault).ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
        if (first == _recorder.Fault)
        {
            Exception reason = await _recorder.Fault.ConfigureAwait(false);
            throw new BenchmarkException($"The clients broke down: {reason.Message}", reason);
        }
    }
}
