using System.Collections.Concurrent;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>
/// An event loop of a server that serves connections until they end. Another thread accepts them and hands them over. Connections that are handed over at once
/// wake the loop once.
/// </summary>
internal sealed class SubLoop
{
    // Connections are taken in portions, so that connected clients are served while thousands connect.
    private const int MostATurn = 64;

    private readonly PollLoop _loop;
    private readonly AcceptedClients _clients;
    private readonly ConcurrentQueue<int> _handed = new();
    private readonly Action _take;
    private int _isPosted;
    private long _count;

    /// <summary>Starts the loop.</summary>
    /// <param name="setup">The setup that was passed to the adapter.</param>
    /// <param name="loop">The loop, which has no other pollables.</param>
    /// <param name="bound">The limit of the connections of all loops together.</param>
    /// <param name="carry">Creates the transport of a socket.</param>
    public SubLoop(ServerSetup setup, PollLoop loop, ConnectionBound bound, Func<int, StreamTransport> carry)
    {
        _loop = loop;
        _clients = new AcceptedClients(new StreamThread(loop, StreamSide.Of(setup), carry), bound);
        _take = Take;
    }

    /// <summary>The number of connections that were handed over so far. From any thread.</summary>
    public long Count => Volatile.Read(ref _count);

    /// <summary>Hands a connection over. Only one thread may do so.</summary>
    /// <param name="descriptor">The accepted socket. The loop takes ownership.</param>
    public void HandOver(int descriptor)
    {
        Volatile.Write(ref _count, _count + 1);
        _handed.Enqueue(descriptor);
        Post();
    }

    /// <summary>Ends the loop and closes all its connections. No connection may be handed over from here on.</summary>
    /// <param name="deadline">The longest time that the loop's thread may take.</param>
    public async Task StopAsync(TimeSpan deadline)
    {
        try
        {
            await _loop.StopAsync(deadline).ConfigureAwait(false);
        }
        finally
        {
            while (_handed.TryDequeue(out int descriptor))
            {
                _ = SysEpoll.close(descriptor);
            }
        }
    }

    private void Post()
    {
        if (Interlocked.Exchange(ref _isPosted, 1) == 0)
        {
            _loop.Post(_take);
        }
    }

    private void Take()
    {
        // From here on, a connection that is handed over posts again.
        Interlocked.Exchange(ref _isPosted, 0);
        int taken = 0;
        while (taken < MostATurn && _handed.TryDequeue(out int descriptor))
        {
            _clients.Serve(descriptor);
            taken++;
        }

        if (taken == MostATurn)
        {
            Post();
        }
    }
}
