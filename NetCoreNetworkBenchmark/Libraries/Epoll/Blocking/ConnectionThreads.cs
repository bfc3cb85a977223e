using System.Collections.Concurrent;
using NetCoreNetworkBenchmark.AdapterKit.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Blocking;

/// <summary>The threads that serve connections.</summary>
internal interface IConnectionThreads
{
    /// <summary>Passes a connection to a thread. Waits while there are too many connections.</summary>
    /// <returns>True if a thread will serve it; false after <see cref="End"/> was called.</returns>
    bool TryTake(int descriptor);

    /// <summary>Waits until a connection has ended, or for a short time.</summary>
    void AwaitEnd();

    /// <summary>Waits until all threads have ended. Their connections have been shut down.</summary>
    /// <returns>True if they have ended before the deadline; otherwise, false.</returns>
    bool End(TimeSpan deadline);
}

/// <summary>A new thread for each connection, and at most <see cref="BlockingServer.MostConnections"/> at a time.</summary>
internal sealed class ThreadForEach(StreamSide side, Action<int, ConnectionWorker> serve) : IConnectionThreads
{
    // A handshake needs less than this. Memory that is not touched costs nothing, but an address space for a thousand threads of 8 MiB does.
    private const int StackSize = 512 * 1024;

    private static readonly TimeSpan s_rest = TimeSpan.FromMilliseconds(50);

    private readonly ConcurrentBag<ConnectionWorker> _spare = [];
    private readonly object _lock = new();
    private int _running;
    private bool _isEnding;

    public bool TryTake(int descriptor)
    {
        lock (_lock)
        {
            while (_running >= BlockingServer.MostConnections && !_isEnding)
            {
                Monitor.Wait(_lock);
            }

            if (_isEnding)
            {
                return false;
            }

            _running++;
        }

        new Thread(() => Run(descriptor), StackSize) { IsBackground = true }.Start();
        return true;
    }

    public void AwaitEnd()
    {
        lock (_lock)
        {
            Monitor.Wait(_lock, s_rest);
        }
    }

    public bool End(TimeSpan deadline)
    {
        lock (_lock)
        {
            _isEnding = true;
            Monitor.PulseAll(_lock);
            long until = Environment.TickCount64 + (long)deadline.TotalMilliseconds;
            while (_running > 0 && until > Environment.TickCount64)
            {
                Monitor.Wait(_lock, s_rest);
            }

            return _running == 0;
        }
    }

    private void Run(int descriptor)
    {
        ConnectionWorker worker = _spare.TryTake(out ConnectionWorker? spare) ? spare : new ConnectionWorker(side);
        try
        {
            serve(descriptor, worker);
        }
        catch (Exception exception)
        {
            side.Recorder.ReportFault(exception);
        }
        finally
        {
            _spare.Add(worker);
            lock (_lock)
            {
                _running--;
                Monitor.PulseAll(_lock);
            }
        }
    }
}

/// <summary>A fixed number of workers behind one queue with one lock, which holds at most <see cref="BlockingServer.MostConnections"/>.</summary>
internal sealed class WorkerPool : IConnectionThreads
{
    private static readonly TimeSpan s_rest = TimeSpan.FromMilliseconds(50);

    private readonly Queue<int> _queue = new();
    private readonly Thread[] _workers;
    private readonly StreamSide _side;
    private readonly Action<int, ConnectionWorker> _serve;
    private bool _isEnding;

    public WorkerPool(int workers, StreamSide side, Action<int, ConnectionWorker> serve)
    {
        (_side, _serve) = (side, serve);
        _workers = [.. Enumerable.Range(0, workers).Select(number => new Thread(Run) { Name = $"Epoll worker {number}", IsBackground = true })];
        Array.ForEach(_workers, worker => worker.Start());
    }

    public bool TryTake(int descriptor)
    {
        lock (_queue)
        {
            while (_queue.Count >= BlockingServer.MostConnections && !_isEnding)
            {
                Monitor.Wait(_queue);
            }

            if (_isEnding)
            {
                return false;
            }

            _queue.Enqueue(descriptor);
            Monitor.PulseAll(_queue);
            return true;
        }
    }

    public void AwaitEnd()
    {
        lock (_queue)
        {
            Monitor.Wait(_queue, s_rest);
        }
    }

    public bool End(TimeSpan deadline)
    {
        lock (_queue)
        {
            _isEnding = true;
            Monitor.PulseAll(_queue);
        }

        return Array.TrueForAll(_workers, worker => worker.Join(deadline));
    }

    private void Run()
    {
        var worker = new ConnectionWorker(_side);
        try
        {
            while (Next() is { } descriptor)
            {
                _serve(descriptor, worker);
            }
        }
        catch (Exception exception)
        {
            _side.Recorder.ReportFault(exception);
        }
    }

    // Returns null at the end. Connections that still wait then are served too: they have been shut down, so that takes no time.
    private int? Next()
    {
        lock (_queue)
        {
            while (_queue.Count == 0 && !_isEnding)
            {
                Monitor.Wait(_queue);
            }

            // The thread that accepts may wait for room.
            Monitor.PulseAll(_queue);
            return _queue.TryDequeue(out int descriptor) ? descriptor : null;
        }
    }
}
