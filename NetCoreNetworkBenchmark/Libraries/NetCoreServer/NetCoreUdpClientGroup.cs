using System.Diagnostics;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>The clients and the timer that ticks for all of them.</summary>
internal sealed class NetCoreUdpClientGroup : IClientGroup
{
    private readonly NetCoreUdpClient[] _clients;
    private readonly Timer _timer;
    private readonly ClientSetup _setup;
    private readonly RunRecorder _recorder;
    private PollLoop? _pace;
    private int _ticking;

    private NetCoreUdpClientGroup(ClientSetup setup, ConnectTracker tracker)
    {
        _setup = setup;
        _recorder = setup.Recorder;
        _clients = [.. Enumerable.Range(0, setup.Plan.Clients).Select(_ => new NetCoreUdpClient(setup, tracker))];
        _timer = new Timer(_ => Tick(), null, ClientSetup.TickInterval, ClientSetup.TickInterval);
    }

    public static Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        var tracker = new ConnectTracker(setup.Plan);
        var group = new NetCoreUdpClientGroup(setup, tracker);
        return tracker.ConnectAsync(group, () => Array.ForEach(group._clients, client => client.Greet()), setup, cancellationToken);
    }

    public void Start()
    {
        long start = Stopwatch.GetTimestamp();
        Array.ForEach(_clients, client => client.Start());
        if (_setup.Schedule is { } schedule)
        {
            // The library has no thread that could keep a schedule.
            PollLoop pace = _pace = new PollLoop("NetCoreServer schedule", _recorder, servesClients: true);
            pace.Post(() => pace.Add(new Pacer(schedule, _clients, first: 0, step: 1, start, pace.Worker)));
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_pace is not null)
        {
            await _pace.StopAsync(_setup.Plan.StopDeadline).ConfigureAwait(false);
        }

        await _timer.DisposeAsync().ConfigureAwait(false);
        Array.ForEach(_clients, client => client.Close());
    }

    private void Tick()
    {
        // A tick that takes longer than the interval must not be overtaken by the next.
        if (Interlocked.Exchange(ref _ticking, 1) == 0)
        {
            try
            {
                Array.ForEach(_clients, client => client.Tick());
            }
            catch (Exception exception)
            {
                // A thread of the pool must not take the process down: the runner ends the run with this as its reason.
                _recorder.ReportFault(exception);
            }

            Volatile.Write(ref _ticking, 0);
        }
    }
}
