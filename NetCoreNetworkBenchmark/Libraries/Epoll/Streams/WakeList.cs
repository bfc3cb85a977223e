using System.Collections.Concurrent;
using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>
/// The connections of one thread that requested a call. Many requests at once wake the thread once. Other threads write here, so these fields do not lie beside
/// those that the thread reads for each message.
/// </summary>
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

    /// <summary>Schedules a call of a connection on its thread. Can be called from any thread, once until that call.</summary>
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
        // From here on, a new request posts again. Requests that the calls themselves make are therefore served after the sockets.
        Interlocked.Exchange(ref _isPosted, 0);
        for (int count = _waiting.Count; count > 0 && _waiting.TryDequeue(out StreamConnection? connection); count--)
        {
            connection.OnWoken();
        }
    }
}
