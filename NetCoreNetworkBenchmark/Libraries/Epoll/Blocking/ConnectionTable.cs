using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Libraries.Epoll.Interop;
using NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Blocking;

/// <summary>
/// The descriptors of the open connections, so that threads that wait for them can be woken at the end. A descriptor leaves the table before it is closed:
/// its number may then belong to another connection. From any thread.
/// </summary>
internal sealed class ConnectionTable
{
    private static readonly TimeSpan s_rest = TimeSpan.FromMilliseconds(50);

    private readonly HashSet<int> _open = [];
    private bool _isShutDown;

    public bool IsShutDown => Volatile.Read(ref _isShutDown);

    /// <summary>Adds a connection.</summary>
    /// <returns>True if it was added; false after <see cref="ShutDown"/>.</returns>
    public bool TryAdd(int descriptor)
    {
        lock (_open)
        {
            return !_isShutDown && _open.Add(descriptor);
        }
    }

    /// <summary>Removes a connection and closes it, with its transport if it has one.</summary>
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

    /// <summary>Waits until a connection is closed, or for a short time.</summary>
    public void AwaitClose()
    {
        lock (_open)
        {
            _ = _isShutDown || Monitor.Wait(_open, s_rest);
        }
    }

    /// <summary>Ends the traffic of all connections, and of those that would be added.</summary>
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
