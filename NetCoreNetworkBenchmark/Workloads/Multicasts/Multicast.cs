namespace NetCoreNetworkBenchmark.Workloads.Multicasts;

/// <summary>
/// The server sends to all clients, and the messages that they receive are counted. Each client requests its stream with one message. Without a rate, each
/// client receives as much as it accepts. Over a multicast group, one message of the server reaches all clients.
/// </summary>
public sealed class Multicast : IMessageWorkload
{
    private const string Test = "Multicast";

    public string Name => Test;

    public string Summary =>
        "the server sends to all clients as fast as they receive, or on schedule with --rate; one-way latency, counted at the clients";

    public IReadOnlyDictionary<string, string> OptionRemarks { get; } = new Dictionary<string, string>
    {
        [LoadOptions.AddressName] = $"with -t {Test} over Udp also a multicast group, such as 239.255.0.1",
        [LoadOptions.MessagesName] = $"with -t {Test} only the messages that a client's receive buffer holds",
    };

    public IReadOnlyDictionary<string, string> ExcludedOptions { get; } = new Dictionary<string, string>
    {
        [LoadOptions.ThinkName] = "the server sends without a request",
        [LoadOptions.PayloadName] = "its messages have one size",
        [StreamOptions.ReconnectName] = "a client receives one stream of messages from its start",
        [LoadOptions.ArrivalsName] = "the server sends to one client after the other",
    };

    public LatencyKind LatencyKind => LatencyKind.OneWay;

    public FigureLayout Layout => FigureLayout.NetCoreServer;

    public BenchmarkRole Role => BenchmarkRole.ServerPush;

    public RunPlan Complete(RunPlan plan) => plan switch
    {
        { SmallestMessage: not null } => throw OptionValues.Rejected(LoadOptions.SizeName, $"{Test} has messages of one size. Use one, such as --size 32."),
        { LastRate: not null } => throw OptionValues.Rejected(LoadOptions.RateName, $"{Test} has one rate. Use one, such as --rate 1000."),
        _ => plan,
    };

    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => new MulticastServer(plan, recorder);

    public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) => new MulticastClients(plan, recorder);
}

internal sealed class MulticastClients(RunPlan plan, RunRecorder recorder) : IClientHandler
{
    private readonly MessageLayout _layout = new(plan);
    private readonly bool _countsByDue = plan.Rate is not null && recorder.SharesClockOfServer;
    private readonly List<MulticastListener> _listeners = [];

    public int Awaited
    {
        get
        {
            lock (_listeners)
            {
                return _listeners.Count(listener => listener.IsAwaited);
            }
        }
    }

    public IReadOnlyList<long> ReceivedByClient
    {
        get
        {
            lock (_listeners)
            {
                return [.. _listeners.Select(listener => listener.Measured)];
            }
        }
    }

    public void OnConnected(IPeer peer, WorkerStatistics worker)
    {
        lock (_listeners)
        {
            var listener = new MulticastListener(peer, _layout, plan.MessageSize, (uint)_listeners.Count + 1, _countsByDue);
            _listeners.Add(listener);
            peer.State = listener;
        }
    }

    public void OnStart(IPeer peer, WorkerStatistics worker) => ListenerOf(peer).Start(worker);

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => ListenerOf(peer).OnMessage(message, worker);

    public void OnDue(IPeer peer, long due, WorkerStatistics worker) =>
        throw new InvalidOperationException("The schedule is the server's.");

    public void OnTick(IPeer peer, WorkerStatistics worker) => ListenerOf(peer).OnTick(worker);

    public void OnClosed(IPeer peer, WorkerStatistics worker)
    {
        recorder.CountDisconnect(RunRecorder.ServerLost);
        ListenerOf(peer).OnClosed();
    }

    // OnConnected is the first call for a peer. It sets the state, which only this class writes.
    private static MulticastListener ListenerOf(IPeer peer) => Unsafe.As<MulticastListener>(peer.State!);
}
