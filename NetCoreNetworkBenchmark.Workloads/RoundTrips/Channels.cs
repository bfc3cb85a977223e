using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Workloads.RoundTrips;

/// <summary>
/// Round trips of bulk messages in a closed loop, as in PingPong, and beside them a small message of each client at each tick of its thread. A library with
/// independent channels delivers the small ones on a channel of their own, so that they do not wait for a bulk message that was lost.
/// </summary>
public sealed class Channels : IMessageWorkload
{
    private const string Option = "--channels";
    private const string Rate = "each client keeps its messages in flight";

    public string Name => "Channels";

    public IReadOnlyList<WorkloadOption> Options { get; } =
    [
        new(Option, "channels of reliable delivery: 2 gives the small messages one of their own", WithChannels)
        {
            Default = "1",
            ValueName = "COUNT",
            Choices = ["1", "2"],
        },
    ];

    public IReadOnlyDictionary<string, string> ExcludedOptions { get; } = new Dictionary<string, string>
    {
        ["--rate"] = Rate,
        ["--arrivals"] = Rate,
        ["--think"] = Rate,
        ["--transmission"] = "all of its messages are delivered reliably",
        ["--payload"] = "the content distinguishes small messages from bulk messages",
        ["--reconnect"] = "a client receives its small messages in their order, over one connection",
    };

    public bool NeedsReliableDelivery(RunPlan plan) => true;

    public RunPlan Complete(RunPlan plan) => plan.MessageSize >= SmallMessage.Size && plan.SmallestMessage is null
        ? plan with
        {
            Transmission = Transmission.Reliable,
            Channels = int.Parse(plan.WorkloadOptions[Option], CultureInfo.InvariantCulture),
            Framing = plan.Protocol.IsStream() && plan.Framing == Framing.Fixed ? Framing.Length : plan.Framing,
        }
        : throw OptionValues.Rejected(
            "--size", Invariant($"bulk messages have one size, and at least the {SmallMessage.Size} bytes of a small one. Use --size 1000."));

    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => new ChannelsServer(plan, recorder);

    public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) => new ChannelsClients(plan, recorder);

    private static RunPlan WithChannels(RunPlan plan, string text) => text is "1" or "2"
        ? plan.WithWorkloadOption(Option, text)
        : throw OptionValues.Invalid(Option, text, "1 or 2");
}

internal sealed class ChannelsServer(RunPlan plan, RunRecorder recorder) : IServerHandler
{
    private readonly PingPongServer _bulk = new(recorder);
    private readonly int _channel = plan.Channels - 1;

    public void OnConnected(IPeer peer, WorkerStatistics worker) => _bulk.OnConnected(peer, worker);

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        if (SmallMessage.TryRead(message, out _))
        {
            peer.SendReliable(message, _channel);
        }
        else
        {
            _bulk.OnMessage(peer, message, worker);
        }
    }

    public void OnClosed(IPeer peer, WorkerStatistics worker) => _bulk.OnClosed(peer, worker);
}
