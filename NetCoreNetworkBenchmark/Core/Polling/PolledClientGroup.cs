namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>A client that a <see cref="PollLoop"/> serves. It begins to connect when it is made, and tells the tracker when it has.</summary>
public interface IPolledClient : IPollable, IPacedClient
{
    /// <summary>Passes <see cref="IClientHandler.OnStart"/> on. On the loop's thread.</summary>
    void Start();
}

/// <summary>The clients of a polled library: many of them on few threads, each client owned by one thread for its whole life.</summary>
public sealed class PolledClientGroup : IClientGroup
{
    private const int MostDefaultThreads = 8;

    private readonly Share[] _shares;
    private readonly SendSchedule? _schedule;
    private readonly TimeProvider _clock;
    private readonly TimeSpan _stopDeadline;

    private PolledClientGroup(IEnumerable<Share> shares, ClientSetup setup)
    {
        _shares = [.. shares];
        _schedule = setup.Schedule;
        _clock = setup.Recorder.Clock;
        _stopDeadline = setup.Plan.StopDeadline;
    }

    /// <summary>Threads that serve clients where none are asked for: half the cores, so that the server has its own, from 1 to 8.</summary>
    public static int DefaultThreads => Math.Clamp(Environment.ProcessorCount / 2, 1, MostDefaultThreads);

    /// <summary>Threads that serve clients where none are asked for and the clients are bound to cores: one for each, from 1 to 8.</summary>
    /// <param name="pinning">The cores of both sides.</param>
    /// <returns>The number of threads; <see cref="DefaultThreads"/> where the clients are not bound.</returns>
    public static int DefaultThreadsFor(PinningPlan pinning)
    {
        ArgumentNullException.ThrowIfNull(pinning);
        return pinning.ClientCores is { } cores ? Math.Clamp(cores.Count, 1, MostDefaultThreads) : DefaultThreads;
    }

    /// <summary>Threads that serve the clients of a plan: as many as it asks for, and never more than there are clients.</summary>
    /// <param name="plan">The plan.</param>
    /// <returns>The number of threads.</returns>
    public static int ThreadsFor(RunPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return Math.Min(plan.Clients, plan.ClientThreads);
    }

    /// <summary>Makes the clients on their threads and waits until all have connected.</summary>
    /// <param name="library">The library's name, for the names of the threads.</param>
    /// <param name="setup">Where to connect, how many and whom to call.</param>
    /// <param name="create">Makes one client, on the thread of its loop. The loop disposes it, also when the attempt fails.</param>
    /// <param name="cancellationToken">Ends the attempt early.</param>
    /// <returns>The group.</returns>
    /// <exception cref="BenchmarkException">Not all connected before the deadline.</exception>
    public static async Task<IClientGroup> ConnectAsync(
        string library, ClientSetup setup, Func<PollLoop, IConnectObserver, IPolledClient> create, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(setup);
        var tracker = new ConnectTracker(setup.Plan);
        int threads = ThreadsFor(setup.Plan);
        var group = new PolledClientGroup(
            Enumerable.Range(0, threads).Select(index => new Share(
                new PollLoop($"{library} clients {index}", setup.Recorder, servesClients: true),
                (setup.Plan.Clients / threads) + (index < setup.Plan.Clients % threads ? 1 : 0),
                create,
                tracker)),
            setup);
        return await tracker.ConnectAsync(
            group, () => Array.ForEach(group._shares, share => share.Loop.Post(share.CreateMore)), setup, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Start()
    {
        long start = _clock.GetTimestamp();
        for (int index = 0; index < _shares.Length; index++)
        {
            Share share = _shares[index];
            int first = index;
            share.Loop.Post(() => share.Start(_schedule, first, _shares.Length, start));
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync() =>
        await Task.WhenAll(_shares.Select(share => share.Loop.StopAsync(_stopDeadline))).ConfigureAwait(false);

    /// <summary>The clients of one loop.</summary>
    private sealed class Share(
        PollLoop loop, int size, Func<PollLoop, IConnectObserver, IPolledClient> create, ConnectTracker tracker) : IConnectObserver
    {
        // A thousand clients that connect at once can starve a server which answers slower than they ask again: libraries that
        // retransmit after a millisecond never come to an end. So only a few attempts are under way at a time.
        private const int MostAttempts = 16;

        private readonly List<IPolledClient> _clients = new(size);
        private int _connected;

        public PollLoop Loop => loop;

        public void CreateMore()
        {
            while (_clients.Count < size && _clients.Count - _connected < MostAttempts)
            {
                IPolledClient client = create(loop, this);
                _clients.Add(client);
                loop.Add(client);
            }
        }

        public void Start(SendSchedule? schedule, int first, int step, long start)
        {
            _clients.ForEach(client => client.Start());
            if (schedule is not null)
            {
                loop.Add(new Pacer(schedule, _clients, first, step, start, loop.Worker));
            }
        }

        public void Connected()
        {
            _connected++;
            tracker.Connected();
            CreateMore();
        }

        public void Refused(string reason) => tracker.Refused(reason);
    }
}
