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
        [LoadOptions.Address] = $"with -t {Test} over Udp also a multicast group, such as 239.255.0.1",
        [LoadOptions.ParallelMessages] = $"with -t {Test} only the messages that a client's receive buffer holds",
    };

    public IReadOnlyDictionary<string, string> ExcludedOptions { get; } = new Dictionary<string, string>
    {
        [StreamOptions.ReconnectName] = "a client receives one stream of messages from its start",
    };

    public LatencyKind LatencyKind => LatencyKind.OneWay;

    public FigureLayout Layout => FigureLayout.NetCoreServer;

    public BenchmarkRole Role => BenchmarkRole.ServerPush;

    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => new MulticastServer(plan, recorder);

    public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) => new MulticastClients(plan, recorder);
}
