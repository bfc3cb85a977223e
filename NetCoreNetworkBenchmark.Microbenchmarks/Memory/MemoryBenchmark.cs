namespace NetCoreNetworkBenchmark.Microbenchmarks.Memory;

/// <summary>Measures the harness itself, so it runs only on request: both sides are in one process and on one thread, without a network.</summary>
public sealed class MemoryBenchmark : INetworkBenchmark
{
    private readonly ConcurrentDictionary<int, MemoryServer> _servers = new();

    public LibraryInfo Info { get; } = new()
    {
        Name = "Memory",
        Version = typeof(MemoryBenchmark).Assembly.GetName().Version!.ToString(3),
        Protocols = [Protocol.Udp],
        Transmissions =
        [
            new TransmissionInfo(Transmission.Unreliable, OverheadBytes: 0, RunPlan.LargestDatagram),
            new TransmissionInfo(Transmission.Reliable, OverheadBytes: 0, RunPlan.LargestDatagram),
        ],
        DescriptorsPerClient = 0,
    };

    public IBenchmarkServer StartServer(ServerSetup setup)
    {
        for (int port = Math.Max(setup.EndPoint.Port, 1); ; port++)
        {
            var server = new MemoryServer(setup, new IPEndPoint(setup.EndPoint.Address, port), Forget);
            if (_servers.TryAdd(port, server))
            {
                return server;
            }

            if (setup.EndPoint.Port != 0)
            {
                throw BindFailure.Explain(setup.EndPoint, System.Net.Sockets.SocketError.AddressAlreadyInUse);
            }
        }
    }

    public async Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        var tracker = new ConnectTracker(setup.Plan);
        if (!_servers.TryGetValue(setup.EndPoint.Port, out MemoryServer? server))
        {
            // As with a datagram socket, a missing server is not reported by the connection, but by the deadline.
            await tracker.WaitAsync(setup, cancellationToken).ConfigureAwait(false);
        }

        var group = new MemoryClientGroup(setup, server!);
        return await tracker.ConnectAsync(group, () => group.Connect(tracker), setup, cancellationToken).ConfigureAwait(false);
    }

    private void Forget(MemoryServer server) => _servers.TryRemove(KeyValuePair.Create(server.EndPoint.Port, server));
}

/// <summary>It has no thread: a client group's thread carries its messages here.</summary>
internal sealed class MemoryServer(ServerSetup setup, IPEndPoint endPoint, Action<MemoryServer> forget) : IBenchmarkServer
{
    private readonly Lock _lock = new();
    private readonly List<MemoryClientGroup> _groups = [];
    private bool _closed;

    public IPEndPoint EndPoint { get; } = endPoint;

    public ServerSetup Setup { get; } = setup;

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
