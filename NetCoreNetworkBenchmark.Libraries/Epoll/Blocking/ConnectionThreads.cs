namespace NetCoreNetworkBenchmark.Libraries.Epoll.Blocking;

// A thread is started when a connection comes while all others serve one, up to a bound, and is kept for later connections. With a new thread for each
// connection, the thread that accepts would wait for the scheduler each time: Thread.Start returns when the new thread runs (Docs/tls.md).
internal sealed class ConnectionThreads(int maxThreads, StreamSide side, Action<int, ConnectionWorker> serve)
{
    // A handshake needs less than this. Memory that is not touched costs nothing, but an address space for a thousand threads of 8 MiB does.
    private const int StackSize = 512 * 1024;

    private readonly Queue<int> _waiting = new();
    private readonly List<Thread> _threads = [];

    // Threads that serve no connection, with those that have been started and do not run yet.
    private int _idle;
    private bool _isEnding;

    public void Take(int descriptor)
    {
        lock (_waiting)
        {
            _waiting.Enqueue(descriptor);
            if (_waiting.Count > _idle && _threads.Count < maxThreads)
            {
                var started = new Thread(Run, StackSize) { Name = $"Epoll connections {_threads.Count}", IsBackground = true };
                started.Start();
                _threads.Add(started);
                _idle++;
            }

            Monitor.Pulse(_waiting);
        }
    }

    // All connections have been shut down, and none is added any more.
    public bool End(TimeSpan deadline)
    {
        lock (_waiting)
        {
            _isEnding = true;
            Monitor.PulseAll(_waiting);
        }

        long until = Environment.TickCount64 + (long)deadline.TotalMilliseconds;
        return _threads.TrueForAll(thread => thread.Join((int)Math.Max(until - Environment.TickCount64, 0)));
    }

    private void Run() => side.Recorder.Guard(this, static threads => threads.ServeAll());

    private void ServeAll()
    {
        var worker = new ConnectionWorker(side);
        for (int? descriptor = Next(isBack: false); descriptor is { } next; descriptor = Next(isBack: true))
        {
            serve(next, worker);
        }
    }

    // Returns null at the end. Connections that still wait then are served too: they have been shut down, so that takes no time.
    private int? Next(bool isBack)
    {
        lock (_waiting)
        {
            _idle += isBack ? 1 : 0;
            while (_waiting.Count == 0 && !_isEnding)
            {
                Monitor.Wait(_waiting);
            }

            _idle--;
            return _waiting.TryDequeue(out int descriptor) ? descriptor : null;
        }
    }
}
