using System.Net;
using NetCoreNetworkBenchmark.Contracts;

namespace NetCoreNetworkBenchmark.Microbenchmarks.Memory;

/// <summary>The server's end. It has no thread: a client group's thread carries its messages here.</summary>
internal sealed class MemoryServer(ServerSetup setup, IPEndPoint endPoint, Action<MemoryServer> forget) : IBenchmarkServer
{
    private readonly Lock _lock = new();
    private readonly List<MemoryClientGroup> _groups = [];
    private bool _closed;

    public IPEndPoint EndPoint { get; } = endPoint;

    public ServerSetup Setup { get; } = setup;

    /// <summary>Attaches a group, which is notified when the server closes. Returns false if the server has closed.</summary>
    public bool TryAttach(MemoryClientGroup group)
    {
        lock (_lock)
        {
            if (!_closed)
            {
                _groups.Add(group);
            }

            return !_closed;
        }
    }

    public async ValueTask DisposeAsync()
    {
        MemoryClientGroup[] groups;
        lock (_lock)
        {
            _closed = true;
            groups = [.. _groups];
            _groups.Clear();
        }

        forget(this);
        await Task.WhenAll(groups.Select(group => group.CloseConnectionsAsync())).ConfigureAwait(false);
    }
}
