using System.Collections.Concurrent;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>The connections of one thread that asked to be called. Many at once wake the thread once.</summary>
internal sealed class WakeList
{
    private readonly PollLoop _loop;
    private readonly ConcurrentQueue<StreamConnection> _waiting = new();
    private readonly Action _run;
    private int _isPosted;

    public WakeList(PollLoop loop)
    {
        _loop = loop;
        _run = Run;
    }

    /// <summary>Lets a connection be called on its thread, soon. From any thread; once until the call.</summary>
    public void Add(StreamConnection connection)
    {
        _waiting.Enqueue(connection);
        if (Interlocked.Exchange(ref _isPosted, 1) == 0)
        {
            _loop.Post(_run);
        }
    }

    private void Run()
    {
        // From here on, who comes posts again. So what the calls themselves ask for has its turn after the sockets.
        Interlocked.Exchange(ref _isPosted, 0);
        for (int count = _waiting.Count; count > 0 && _waiting.TryDequeue(out StreamConnection? connection); count--)
        {
            connection.OnWoken();
        }
    }
}
