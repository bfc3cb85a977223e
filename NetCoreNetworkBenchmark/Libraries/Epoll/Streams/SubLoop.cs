using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

internal sealed class SubLoop
{
    // Connections are taken in portions, so that connected clients are served while thousands connect.
    private const int MostPerTurn = 64;

    private readonly PollLoop _loop;
    private readonly LoopQueue<int> _handed;
    private long _count;

    public SubLoop(ServerSetup setup, PollLoop loop, ConnectionBound bound, Func<int, StreamTransport> carry)
    {
        _loop = loop;
        var thread = new StreamThread(loop, StreamSide.Of(setup), carry);
        _handed = new LoopQueue<int>(loop, descriptor => thread.Serve(descriptor, bound), MostPerTurn);
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
