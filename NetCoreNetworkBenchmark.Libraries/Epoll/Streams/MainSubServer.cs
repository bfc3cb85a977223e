namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

// The main event loop accepts all connections and serves none: the sub loops have them in turn (round robin). A remark of the result has the numbers.
internal sealed class MainSubServer : IBenchmarkServer
{
    private readonly IBenchmarkServer _main;
    private readonly IReadOnlyList<SubLoop> _subLoops;
    private readonly TimeSpan _stopDeadline;

    // The main loop's thread only.
    private int _next;

    public MainSubServer(string library, ServerSetup setup, ConnectionLimit limit, IReadOnlyList<Func<int, StreamTransport>> factories)
    {
        _stopDeadline = setup.Plan.StopDeadline;
        _subLoops =
        [
            .. PollLoop.CreateAll(factories.Count, _ => new PollLoop($"{library} sub loop", setup.Recorder, servesClients: false))
                .Zip(factories, (loop, createTransport) => new SubLoop(setup, loop, limit, createTransport)),
        ];
        try
        {
            ServerSetup ofMain = setup with { Plan = setup.Plan with { ServerThreads = 1 } };
            _main = PolledServer.Start(library, ofMain, (loop, each) => new StreamListener(each, loop, limit, HandOver));
        }
        catch
        {
            // No client has connected yet, so it is not necessary to wait for the threads to end.
            _ = StopSubLoopsAsync();
            throw;
        }

        setup.Recorder.Remark(Describe);
    }

    public IPEndPoint EndPoint => _main.EndPoint;

    public async ValueTask DisposeAsync()
    {
        try
        {
            // It comes first: nothing is handed to a sub loop that has ended.
            await _main.DisposeAsync().ConfigureAwait(false);
        }
        finally
        {
            await StopSubLoopsAsync().ConfigureAwait(false);
        }
    }

    private Task StopSubLoopsAsync() => Task.WhenAll(_subLoops.Select(loop => loop.StopAsync(_stopDeadline)));

    private void HandOver(int descriptor)
    {
        _subLoops[_next].HandOver(descriptor);
        _next = (_next + 1) % _subLoops.Count;
    }

    private string Describe()
    {
        string loops = Plural.Format(_subLoops.Count, "event loop", "event loops round-robin");
        return $"Connections were handed to {loops}: {string.Join(", ", _subLoops.Select(loop => loop.Count.ToString(CultureInfo.InvariantCulture)))}.";
    }
}

internal sealed class SubLoop
{
    // Connections are taken in portions, so that connected clients are served while thousands connect.
    private const int MaxPerTurn = 64;

    private readonly PollLoop _loop;
    private readonly LoopQueue<int> _handed;
    private long _count;

    public SubLoop(ServerSetup setup, PollLoop loop, ConnectionLimit limit, Func<int, StreamTransport> createTransport)
    {
        _loop = loop;
        var thread = new StreamThread(loop, StreamSide.For(setup), createTransport);
        _handed = new LoopQueue<int>(loop, descriptor => thread.Serve(descriptor, limit), MaxPerTurn);
    }

    public long Count => Volatile.Read(ref _count);

    // Only one thread may do so. The loop takes ownership.
    public void HandOver(int descriptor)
    {
        Volatile.Write(ref _count, _count + 1);
        _handed.Add(descriptor);
    }

    // No connection may be handed over from here on.
    public async Task StopAsync(TimeSpan deadline)
    {
        try
        {
            await _loop.StopAsync(deadline).ConfigureAwait(false);
        }
        finally
        {
            while (_handed.TryTakeBack(out int descriptor))
            {
                _ = SysEpoll.close(descriptor);
            }
        }
    }
}
