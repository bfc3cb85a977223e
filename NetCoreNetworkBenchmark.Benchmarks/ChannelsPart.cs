namespace NetCoreNetworkBenchmark.Benchmarks;

/// <summary><c>-b=channels</c>: small messages beside bulk messages, on one channel of reliable delivery and on two (Docs/networks.md).</summary>
public sealed class ChannelsPart : IBenchmarkPart
{
    private const int Clients = 5;
    private const int BulkMessages = 20;
    private const int BytesOfBulk = 1_000;
    private static readonly (int Channels, string Name)[] s_channels = [(1, "one channel"), (2, "two channels")];

    public string Name => "channels";

    public bool HasSlices => false;

    public bool HasNetworks => true;

    public IEnumerable<Benchmark> Create(PartTemplates templates) =>
        from network in Delivery.NetworksOf(templates, "wifi")
        from delivery in Delivery.InOrder
        from channels in s_channels
        where channels.Channels == 1 || delivery.Protocol == Protocol.Udp
        select Over(network, delivery, channels.Channels, channels.Name, templates);

    private static Benchmark Over(NetworkProfile network, Delivery delivery, int channels, string name, PartTemplates templates)
    {
        var workload = new Channels();
        RunPlan plan = templates.Brief with
        {
            Clients = Clients,
            ParallelMessages = BulkMessages,
            MessageSize = BytesOfBulk,
        };
        plan = workload.Options.Single().Apply(plan, $"{channels}");
        return delivery.Over(network.Named, network.Name, "Small messages beside bulk messages", workload, plan) with
        {
            Variant = delivery.Protocol == Protocol.Udp ? name : delivery.Name,
            Condition = library => delivery.Condition(library) && library.Channels >= channels,
        };
    }
}
