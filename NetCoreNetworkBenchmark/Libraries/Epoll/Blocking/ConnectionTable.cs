using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Libraries.Epoll.Interop;
using NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Blocking;

// A descriptor leaves the table before it is closed: its number may then belong to another connection. From any thread.
internal sealed class ConnectionTable
{
    private static readonly TimeSpan s_rest = TimeSpan.FromMilliseconds(50);

    private readonly HashSet<int> _open = [];
    private bool _isShutDown;

    public bool IsShutDown => Volatile.Read(ref _isShutDown);

    public bool TryAdd(int descriptor)
    {
        lock (_open)
        {
            return !_isShutDown && _open.Add(descriptor);
        }
    }

    public void Close(int descriptor, StreamTransport? transport = null)
    {
        lock (_open)
        {
            _open.Remove(descriptor);
            Monitor.PulseAll(_open);
        }

        if (transport is null)
        {
            _ = SysEpoll.close(descriptor);
        }
        else
        {
            transport.Dispose();
        }
    }

    public void AwaitClose()
    {
        lock (_open)
        {
            _ = _isShutDown || Monitor.Wait(_open, s_rest);
        }
    }

    public void ShutDown()
    {
        lock (_open)
        {
            Volatile.Write(ref _isShutDown, true);
            foreach (int descriptor in _open)
            {
                _ = SysSocket.shutdown(descriptor, SysSocket.SHUT_RDWR);
            }

            Monitor.PulseAll(_open);
        }
    }
}
