namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>A client that a <see cref="PollLoop"/> serves. It begins to connect when it is made, and tells the tracker when it has.</summary>
public interface IPolledClient : IPollable
{
    /// <summary>Passes <see cref="IClientHandler.OnStart"/> on. On the loop's thread.</summary>
    void Start();
}

/// <summary>The clients of a polled library: many of them on few threads, each client owned by one thread for its whole life.</summary>
public sealed class PolledClientGroup : IClientGroup
{
    private readonly PollLoop[] _loops;
    private readonly List<IPolledClient>[] _clients;
    private readonly TimeSpan _stopDeadline;

    private PolledClientGroup(ClientSetup setup, string library)
    {
        int threads = Math.Min(setup.Plan.Clients, DefaultThreads);
        _stopDeadline = setup.Plan.StopDeadline;
        _loops = [.. Enumerable.Range(0, threads).Select(index => new PollLoop($"{library} clients {index}", setup.Recorder, servesClients: true))];
        _clients = [.. _loops.Select(_ => new List<IPolledClient>())];
    }

    /// <summary>Threads that serve clients: half the cores, so that the server has its own, from 1 to 8.</summary>
    public static int DefaultThreads => Math.Clamp(Environment.ProcessorCount / 2, 1, 8);

    /// <summary>Makes the clients on their threads and waits until all have connected.</summary>
    /// <param name="library">The library's name, for the names of the threads.</param>
    /// <param name="setup">Where to connect, how many and whom to call.</param>
    /// <param name="create">Makes one client, on the thread of its loop. The loop closes it, also when the attempt fails.</param>
    /// <param name="cancellationToken">Ends the attempt early.</param>
    /// <returns>The group.</returns>
    /// <exception cref="BenchmarkException">Not all connected before the deadline.</exception>
    public static async Task<IClientGroup> ConnectAsync(
        string library, ClientSetup setup, Func<PollLoop, ConnectTracker, IPolledClient> create, CancellationToken cancellationToken)
    {
        var group = new PolledClientGroup(setup, library);
        try
        {
            var tracker = new ConnectTracker(setup.Plan);
            for (int index = 0; index < group._loops.Length; index++)
            {
                group.CreateShare(index, setup.Plan.Clients, loop => create(loop, tracker));
            }

            await tracker.WaitAsync(setup.EndPoint, setup.Recorder, cancellationToken).ConfigureAwait(false);
            return group;
        }
        catch
        {
            setup.Recorder.Enter(RunPhase.Stop);
            await group.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <inheritdoc/>
    public void Start()
    {
        for (int index = 0; index < _loops.Length; index++)
        {
            List<IPolledClient> share = _clients[index];
            _loops[index].Post(() => share.ForEach(client => client.Start()));
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync() =>
        await Task.WhenAll(_loops.Select(loop => loop.StopAsync(_stopDeadline))).ConfigureAwait(false);

    private void CreateShare(int index, int clients, Func<PollLoop, IPolledClient> create)
    {
        int share = (clients / _loops.Length) + (index < clients % _loops.Length ? 1 : 0);
        PollLoop loop = _loops[index];
        loop.Post(() =>
        {
            for (int number = 0; number < share; number++)
            {
                IPolledClient client = create(loop);
                loop.Add(client);
                _clients[index].Add(client);
            }
        });
    }
}
