using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>An event loop of a server that serves connections until they end. Another thread accepts them and hands them over.</summary>
internal sealed class SubLoop
{
    // Connections are taken in portions, so that connected clients are served while thousands connect.
    private const int MostATurn = 64;

    private readonly PollLoop _loop;
    private readonly LoopQueue<int> _handed;
    private long _count;

    /// <summary>Starts the loop.</summary>
    /// <param name="setup">The setup that was passed to the adapter.</param>
    /// <param name="loop">The loop, which has no other pollables.</param>
    /// <param name="bound">The limit of the connections of all loops together.</param>
    /// <param name="carry">Creates the transport of a socket.</param>
    public SubLoop(ServerSetup setup, PollLoop loop, ConnectionBound bound, Func<int, StreamTransport> carry)
    {
        _loop = loop;
        var thread = new StreamThread(loop, StreamSide.Of(setup), carry);
        _handed = new LoopQueue<int>(loop, descriptor => thread.Serve(descriptor, bound), MostATurn);
    }

    /// <summary>The number of connections that were handed over so far. From any thread.</summary>
    public long Count => Volatile.Read(ref _count);

    /// <summary>Hands a connection over. Only one thread may do so.</summary>
    /// <param name="descriptor">The accepted socket. The loop takes ownership.</param>
    public void HandOver(int descriptor)
    {
        Volatile.Write(ref _count, _count + 1);
        _handed.Add(descriptor);
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
            while (_handed.TryTakeBack(out int descriptor))
            {
                _ = SysEpoll.close(descriptor);
            }
        }
    }
}
