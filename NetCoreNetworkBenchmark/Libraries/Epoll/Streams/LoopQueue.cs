using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

// Many items at once wake the loop once. Other threads write here, so these fields do not lie beside those that the thread reads for each message.
internal sealed class LoopQueue<T>
{
    private readonly PollLoop _loop;
    private readonly Action<T> _serve;
    private readonly int _mostPerTurn;
    private readonly ConcurrentQueue<T> _waiting = new();
    private readonly Action _run;
    private int _isPosted;

    public LoopQueue(PollLoop loop, Action<T> serve, int mostPerTurn = int.MaxValue)
    {
        (_loop, _serve, _mostPerTurn) = (loop, serve, mostPerTurn);
        _run = Run;
    }

    public void Add(T item)
    {
        _waiting.Enqueue(item);
        Post();
    }

    /// <summary>Takes back an item that the loop has not served and, because it has ended, will not serve.</summary>
    public bool TryTakeBack([MaybeNullWhen(false)] out T item) => _waiting.TryDequeue(out item);

    private void Post()
    {
        if (Interlocked.Exchange(ref _isPosted, 1) == 0)
        {
            _loop.Post(_run);
        }
    }

    private void Run()
    {
        // From here on, a new item posts again. Items that are added by the calls themselves are therefore served after the sockets.
        Interlocked.Exchange(ref _isPosted, 0);
        int waiting = _waiting.Count;
        for (int count = Math.Min(waiting, _mostPerTurn); count > 0 && _waiting.TryDequeue(out T? item); count--)
        {
            _serve(item);
        }

        if (waiting > _mostPerTurn)
        {
            Post();
        }
    }
}
