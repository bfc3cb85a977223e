namespace NetCoreNetworkBenchmark.Benchmarks;

/// <summary><c>-b=queues</c>: a reliable stream and a TCP connection of another application share the queue of a line (Docs/networks.md).</summary>
public sealed class QueuesPart : IBenchmarkPart
{
    private const long BitsPerSecond = 10_000_000;
    private static readonly TimeSpan s_delay = TimeSpan.FromMilliseconds(10);
    private static readonly (string Part, string Mark, long BitsPerSecond, int[] Queues)[] s_neighbours =
    [
        ("A stream beside a TCP upload", string.Empty, long.MaxValue, [50, 200, 1_000]),
        ("A stream beside a TCP connection with 100 kbit/s", ", 100 kbit/s", 100_000, [200]),
    ];

    public string Name => "queues";

    public bool HasSlices => false;

    public IEnumerable<Benchmark> Create(PartTemplates templates) =>
        from neighbour in s_neighbours
        from milliseconds in neighbour.Queues
        let impairment = new ImpairmentPlan
        {
            Delay = s_delay,
            BandwidthBitsPerSecond = BitsPerSecond,
            Queue = TimeSpan.FromMilliseconds(milliseconds),
            NeighbourBitsPerSecond = neighbour.BitsPerSecond,
        }
        from delivery in Delivery.InOrder
        let title = Invariant($"A queue of {milliseconds:N0} ms{neighbour.Mark}")
        select delivery.Over(impairment, title, neighbour.Part, new PingPong(), NetworksPart.StreamOf(templates)) with
        {
            VariedSettings = ["parameters"],
        };
}
