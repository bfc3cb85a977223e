using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.AdapterKit.Callbacks;

/// <summary>
/// A client of a library that calls back from its own threads. The members may be called by any thread and at the same time. The client makes the
/// calls of its workload serial.
/// </summary>
internal interface ICallbackClient : IPacedClient
{
    /// <summary>Starts to connect, and notifies the tracker when the client is connected or cannot connect. Does not wait.</summary>
    /// <exception cref="BenchmarkException">The connect cannot be started.</exception>
    void Connect();

    /// <summary>Forwards <see cref="IClientHandler.OnStart"/> to the workload, if the client is connected.</summary>
    void Start();

    /// <summary>
    /// Forwards <see cref="IClientHandler.OnTick"/> to the workload, if the client is connected. Called every <see cref="ClientSetup.TickInterval"/>
    /// from the start of the connect.
    /// </summary>
    void Tick();

    /// <summary>Closes the connection, or cancels the attempt; a second call does nothing.</summary>
    void Close();
}

/// <summary>
/// The clients of a library that calls back from its own threads, the timer that ticks for all of them, and the loop that keeps their schedule.
/// </summary>
internal sealed class CallbackClientGroup : IClientGroup
{
    private readonly string _library;
    private readonly ICallbackClient[] _clients;
    private readonly Timer _timer;
    private readonly ClientSetup _setup;
    private PollLoop? _pace;
    private Pacer? _pacer;
    private int _ticking;

    private CallbackClientGroup(string library, ClientSetup setup, IEnumerable<ICallbackClient> clients)
    {
        (_library, _setup, _clients) = (library, setup, [.. clients]);
        _timer = new Timer(_ => Tick(), null, ClientSetup.TickInterval, ClientSetup.TickInterval);
    }

    /// <summary>Creates the clients and waits until all are connected.</summary>
    /// <param name="library">The library's name, for the name of the thread that keeps a schedule.</param>
    /// <param name="setup">The address to connect to, the number of clients, and the handler that is called.</param>
    /// <param name="create">Creates one client, which does not connect yet. The group closes the client, even if the attempt fails.</param>
    /// <param name="cancellationToken">Cancels the attempt.</param>
    /// <exception cref="BenchmarkException">Not all clients connected before the deadline.</exception>
    public static Task<IClientGroup> ConnectAsync(
        string library, ClientSetup setup, Func<IConnectObserver, ICallbackClient> create, CancellationToken cancellationToken)
    {
        var tracker = new ConnectTracker(setup.Plan);
        var group = new CallbackClientGroup(library, setup, Enumerable.Range(0, setup.Plan.Clients).Select(_ => create(tracker)));
        return tracker.ConnectAsync(group, () => Array.ForEach(group._clients, client => client.Connect()), setup, cancellationToken);
    }

    public void Start()
    {
        long start = _setup.Recorder.Clock.GetTimestamp();
        Array.ForEach(_clients, client => client.Start());
        if (_setup.Schedule is { } schedule)
        {
            // The library has no thread that could keep a schedule.
            PollLoop pace = _pace ??= new PollLoop($"{_library} schedule", _setup.Recorder, servesClients: true);
            pace.Post(() => pace.Add(_pacer = new Pacer(schedule, _clients, first: 0, step: 1, start, pace.Worker)));
        }
    }

    public void Pause()
    {
        if (_pace is { } pace)
        {
            pace.Post(() => EndSchedule(pace));
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

    // On the thread of the loop.
    private void EndSchedule(PollLoop pace)
    {
        if (_pacer is not null)
        {
            pace.Remove(_pacer);
            _pacer = null;
        }
    }

    private void Tick()
    {
        // A tick that takes longer than the interval must not overlap with the next.
        if (Interlocked.Exchange(ref _ticking, 1) == 0)
        {
            try
            {
                Array.ForEach(_clients, client => client.Tick());
            }
            catch (Exception exception)
            {
                _setup.Recorder.ReportFault(exception);
            }

            Volatile.Write(ref _ticking, 0);
        }
    }
}
