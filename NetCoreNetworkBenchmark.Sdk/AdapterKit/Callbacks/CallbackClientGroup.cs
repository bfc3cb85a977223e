using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.AdapterKit.Callbacks;

/// <summary>
/// A client of a library that calls back from its own threads. The members may be called by any thread at the same time; the client makes the calls of its
/// workload serial.
/// </summary>
public interface ICallbackClient : IPacedClient
{
    /// <summary>Starts to connect without a wait, and notifies the tracker of the result.</summary>
    void Connect();

    /// <summary>Forwards <see cref="IClientHandler.OnStart"/> to the workload, if the client is connected.</summary>
    void Start();

    /// <summary>Forwards <see cref="IClientHandler.OnTick"/> to the workload, if connected. Called every <see cref="ClientSetup.TickInterval"/>.</summary>
    void Tick();

    /// <summary>Closes the connection, or cancels the attempt; a second call does nothing.</summary>
    void Close();
}

/// <summary>The clients of a library that calls back from its own threads, with a timer for their ticks and a loop for their schedule.</summary>
public sealed class CallbackClientGroup : IClientGroup
{
    private readonly string _library;
    private readonly Func<IConnectObserver, ICallbackClient> _create;
    private readonly Slot[] _slots;
    private readonly ICallbackClient[] _clients;
    private readonly Timer _timer;
    private readonly ClientSetup _setup;
    private PollLoop? _pace;
    private Pacer? _pacer;
    private volatile bool _isStarted;
    private int _ticking;

    private CallbackClientGroup(string library, ClientSetup setup, Func<IConnectObserver, ICallbackClient> create, IConnectObserver tracker)
    {
        (_library, _setup, _create) = (library, setup, create);
        _slots = setup.Plan.Liveness.Reconnect is null ? [] : [.. Enumerable.Range(0, setup.Plan.Clients).Select(index => new Slot(this, index, tracker))];
        _clients = new ICallbackClient[setup.Plan.Clients];
        try
        {
            for (int index = 0; index < _clients.Length; index++)
            {
                _clients[index] = create(_slots.Length == 0 ? tracker : _slots[index]);
            }

            _timer = new Timer(_ => Tick(), null, ClientSetup.TickInterval, ClientSetup.TickInterval);
        }
        catch
        {
            Array.ForEach([.. _clients.OfType<ICallbackClient>()], Close);
            throw;
        }
    }

    /// <summary>Creates the clients, which the group closes even if the attempt fails, and waits until all are connected.</summary>
    public static Task<IClientGroup> ConnectAsync(
        string library, ClientSetup setup, Func<IConnectObserver, ICallbackClient> create, CancellationToken cancellationToken)
    {
        var tracker = new ConnectTracker(setup.Plan);
        var group = new CallbackClientGroup(library, setup, create, tracker);
        return tracker.ConnectAsync(group, () => Array.ForEach(group._clients, client => client.Connect()), setup, cancellationToken);
    }

    /// <inheritdoc/>
    public void Start()
    {
        long start = _setup.Recorder.Clock.GetTimestamp();
        bool isFirst = !_isStarted;
        _isStarted = true;
        Array.ForEach(_clients, client => client.Start());
        if (_setup.Schedule is { } schedule)
        {
            PollLoop pace = Pace();
            pace.Post(() => Follow(schedule, start, pace));
        }
        else if (isFirst && _setup.Plan.Think > TimeSpan.Zero)
        {
            PollLoop pace = Pace();
            pace.Post(() => pace.Add(new RequestedDues(pace.Worker, _setup.Recorder, _setup.Plan.Think)));
        }
        else
        {
            // What the clients have just requested may be due sooner than the loop looks.
            _pace?.Post(static () => { });
        }
    }

    /// <inheritdoc/>
    public void Pause() => _pace?.Post(() => _pacer?.End());

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        try
        {
            await (_pace?.StopAsync(_setup.Plan.StopDeadline) ?? Task.CompletedTask).ConfigureAwait(false);
        }
        finally
        {
            await _timer.DisposeAsync().ConfigureAwait(false);
            Array.ForEach(_clients, Close);
        }
    }

    // After a failure, the other clients still have sockets to close.
    private void Close(ICallbackClient client) => _setup.Recorder.Guard(client, static open => open.Close());

    // The library has no thread that could keep a schedule.
    private PollLoop Pace() => _pace ??= new PollLoop($"{_library} schedule", _setup.Recorder, servesClients: true);

    // On the thread of the loop.
    private void Follow(SendSchedule schedule, long start, PollLoop pace)
    {
        pace.Remove(_pacer);
        pace.Add(_pacer = new Pacer(schedule, _clients, first: 0, step: 1, start, pace.Worker));
    }

    private void Tick()
    {
        // A tick that takes longer than the interval must not overlap with the next.
        if (Interlocked.Exchange(ref _ticking, 1) == 0)
        {
            try
            {
                Array.ForEach(_clients, client => client.Tick());
                Array.ForEach(_slots, slot => slot.Tick());
            }
            catch (Exception exception)
            {
                _setup.Recorder.ReportFault(exception);
            }

            Volatile.Write(ref _ticking, 0);
        }
    }

    // Attempts to reconnect begin at a tick.
    private sealed class Slot(CallbackClientGroup group, int index, IConnectObserver tracker) : ClientSlot(group._setup, tracker)
    {
        // The time of the next attempt, or at which an attempt in progress is given up; long.MaxValue if there is neither.
        private long _due = long.MaxValue;

        public void Tick()
        {
            RunRecorder recorder = group._setup.Recorder;
            if (recorder.Clock.GetTimestamp() < Interlocked.Read(ref _due))
            {
                return;
            }

            // A client whose attempt is in progress ends with it.
            group._clients[index].Close();
            long deadline = RunRecorder.ToTicks(group._setup.Plan.ConnectDeadline);
            Interlocked.Exchange(ref _due, recorder.Clock.GetTimestamp() + deadline);
            recorder.Reconnections.CountAttempt();
            ICallbackClient client = group._create(this);
            group._clients[index] = client;
            client.Connect();
        }

        protected override void ReturnAt(long due) => Interlocked.Exchange(ref _due, due);

        protected override void OnReturned()
        {
            Interlocked.Exchange(ref _due, long.MaxValue);
            if (group._isStarted)
            {
                group._clients[index].Start();
            }
        }
    }
}
