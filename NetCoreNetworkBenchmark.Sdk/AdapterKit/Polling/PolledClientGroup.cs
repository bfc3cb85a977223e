namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>A client that a <see cref="PollLoop"/> serves. It starts to connect on creation, and notifies the tracker when it is connected.</summary>
public interface IPolledClient : IPollable, IPacedClient
{
    /// <summary>Forwards <see cref="IClientHandler.OnStart"/> to the workload. On the loop's thread.</summary>
    void Start();
}

/// <summary>The clients of a polled library: many clients on few threads. Each client is owned by one thread for its whole lifetime.</summary>
public sealed class PolledClientGroup : IClientGroup
{
    private readonly ClientSetup _setup;
    private readonly Share[] _shares;

    private PolledClientGroup(ClientSetup setup, IEnumerable<Share> shares) => (_setup, _shares) = (setup, [.. shares]);

    /// <summary>Creates the clients on their threads, whose loops dispose them, and waits until all are connected.</summary>
    public static Task<IClientGroup> ConnectAsync(
        string library, ClientSetup setup, Func<PollLoop, IConnectObserver, IPolledClient> create, CancellationToken cancellationToken)
    {
        var tracker = new ConnectTracker(setup.Plan);
        int threads = setup.Plan.UsedClientThreads;
        PollLoop[] loops = PollLoop.CreateAll(threads, index => new PollLoop(
            $"{library} clients {index}", setup.Recorder, servesClients: true, setup.Plan.ClientUpdateRate));
        var group = new PolledClientGroup(
            setup,
            loops.Select((loop, index) => new Share(
                loop,
                setup,
                (setup.Plan.Clients / threads) + (index < setup.Plan.Clients % threads ? 1 : 0),
                create,
                tracker)));
        return tracker.ConnectAsync(group, () => Array.ForEach(group._shares, share => share.Loop.Post(share.CreateMore)), setup, cancellationToken);
    }

    /// <inheritdoc/>
    public IReadOnlyList<int> Threads => [.. _shares.Select(share => share.Loop.ThreadId).OfType<int>()];

    /// <inheritdoc/>
    public void Start()
    {
        long start = _setup.Recorder.Clock.GetTimestamp();
        for (int index = 0; index < _shares.Length; index++)
        {
            Share share = _shares[index];
            int first = index;
            share.Loop.Post(() => share.Start(_setup.Schedule, first, _shares.Length, start));
        }
    }

    /// <inheritdoc/>
    public void Pause() => Array.ForEach(_shares, share => share.Loop.Post(share.EndSchedule));

    /// <inheritdoc/>
    public async ValueTask DisposeAsync() =>
        await Task.WhenAll(_shares.Select(share => share.Loop.StopAsync(_setup.Plan.StopDeadline))).ConfigureAwait(false);

    private sealed class Share(
        PollLoop loop, ClientSetup setup, int size, Func<PollLoop, IConnectObserver, IPolledClient> create, ConnectTracker tracker) : IConnectObserver
    {
        // A thousand clients that connect at once can overload a server that answers more slowly than they retry: libraries that retransmit after a
        // millisecond never finish. So only a few attempts are in progress at a time.
        private const int MaxAttempts = 64;

        private readonly List<IPolledClient> _clients = new(size);
        private int _connected;
        private bool _isStarted;
        private Pacer? _pacer;

        public PollLoop Loop => loop;

        private ClientSetup Setup => setup;

        private IPolledClient Create(IConnectObserver observer) => create(loop, observer);

        public void CreateMore()
        {
            while (_clients.Count < size && _clients.Count - _connected < MaxAttempts)
            {
                IPolledClient client = Create(setup.Plan.Liveness.Reconnect is null ? this : new Slot(this, _clients.Count));
                _clients.Add(client);
                loop.Add(client);
            }
        }

        public void Start(SendSchedule? schedule, int first, int step, long start)
        {
            if (!_isStarted && setup.Plan.Think > TimeSpan.Zero)
            {
                loop.Add(new RequestedDues(loop.Worker, recorder: null, setup.Plan.Think));
            }

            _isStarted = true;
            _clients.ForEach(client => client.Start());
            if (schedule is not null)
            {
                loop.Remove(_pacer);
                loop.Add(_pacer = new Pacer(schedule, _clients, first, step, start, loop.Worker, loop.Updates));
            }
        }

        public void EndSchedule() => _pacer?.End();

        public void Connected()
        {
            _connected++;
            tracker.Connected();
            CreateMore();
        }

        public void Refused(string reason) => tracker.Refused(reason);

        private sealed class Slot(Share share, int index) : ClientSlot(share.Setup, share)
        {
            private LoopTimer? _return;

            protected override void ReturnAt(long due) => share.Loop.Set(_return ??= new LoopTimer(Return), due);

            protected override void OnReturned()
            {
                if (share._isStarted)
                {
                    share._clients[index].Start();
                }
            }

            private void Return()
            {
                share.Setup.Recorder.Reconnections.CountAttempt();
                IPolledClient client = share.Create(this);
                share._clients[index] = client;
                share.Loop.Add(client);
            }
        }
    }
}
