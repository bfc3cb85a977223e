using NetCoreNetworkBenchmark.Workloads.ServerPush;

namespace NetCoreNetworkBenchmark.Workloads.Multicasts;

/// <summary>
/// The server sends to all clients, and the messages that they receive are counted. Each client requests its stream with one message. Without a rate, each
/// client receives as much as it accepts. Over a multicast group, one message of the server reaches all clients.
/// </summary>
public sealed class Multicast : IMessageWorkload
{
    private const string Test = "Multicast";
    private const string BroadcastName = "--broadcast";

    public string Name => Test;

    public IReadOnlyList<WorkloadOption> Options { get; } =
    [
        new(
            BroadcastName, "send each message to all clients by one call of the library",
            (plan, _) => plan.WithWorkloadOption(BroadcastName, string.Empty))
        {
            IsFlag = true,
            Details = "for libraries that have such a call",
        },
    ];

    public IReadOnlyDictionary<string, string> OptionRemarks { get; } = new Dictionary<string, string>
    {
        ["--address"] = $"with -t {Test} over Udp also a multicast group, such as 239.255.0.1",
        ["--messages"] = $"with -t {Test} only the messages that a client's receive buffer holds",
    };

    public IReadOnlyDictionary<string, string> ExcludedOptions { get; } = new Dictionary<string, string>
    {
        ["--think"] = "the server sends without a request",
        ["--payload"] = "its messages have one size",
        ["--reconnect"] = "a client receives one stream of messages from its start",
        ["--arrivals"] = "the server sends to one client after the other",
    };

    public LatencyKind LatencyKind => LatencyKind.OneWay;

    public bool UsesCallToAll(RunPlan plan) => plan.WorkloadOptions.ContainsKey(BroadcastName);

    public RunPlan Complete(RunPlan plan) => plan switch
    {
        { SmallestMessage: not null } => throw OptionValues.Rejected("--size", $"{Test} has messages of one size. Use one, such as --size 32."),
        { LastRate: not null } => throw OptionValues.Rejected("--rate", $"{Test} has one rate. Use one, such as --rate 1000."),
        _ => plan,
    };

    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder)
    {
        var source = new MulticastSource(new MessageLayout(plan));
        return new PushServer(plan, recorder, () => source);
    }

    public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) => new MulticastClients(plan, recorder);
}

// The messages of all streams are equal except for their tags.
internal sealed class MulticastSource(MessageLayout layout) : PushSource
{
    public override bool IsTagged => layout.IsTagged;

    public override Span<byte> MessageOf(int number, WorkerStatistics worker) => layout.MessageOf(worker);

    public override byte[] CreateMessage() => layout.CreateMessage();
}

internal sealed class MulticastClients(RunPlan plan, RunRecorder recorder) : PushClients(recorder)
{
    private readonly MessageLayout _layout = new(plan);
    private readonly bool _countsByDue = plan.Rate is not null && recorder.SharesClockOfServer;

    protected override PushListener CreateListener(IPeer peer, uint number) => new MulticastListener(peer, plan, _layout, number, _countsByDue);
}

internal sealed class MulticastListener(IPeer peer, RunPlan plan, MessageLayout layout, uint number, bool countsByDue)
    : PushListener(peer, plan, number, countsByDue)
{
    protected override bool IsTagged => layout.IsTagged;

    protected override bool IsIntact(ReadOnlySpan<byte> message) => layout.IsIntact(message);
}
