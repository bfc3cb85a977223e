namespace NetCoreNetworkBenchmark.Benchmarks;

/// <summary>A kind of delivery over bad networks, and the libraries that have it. Each load is measured in fresh processes.</summary>
internal sealed record Delivery(string Name, Protocol Protocol, Transmission Transmission, Func<LibraryInfo, bool> Condition)
{
    // The 95 % interval of order statistics requires six.
    private const int Launches = 6;

    public static readonly Delivery Unreliable =
        new("unreliable", Protocol.Udp, Transmission.Unreliable, library => IsReliable(library) || library.IsBaseline);

    public static readonly IReadOnlyList<Delivery> InOrder =
    [
        new("reliable", Protocol.Udp, Transmission.Reliable, IsReliable),
        new("TCP", Protocol.Tcp, Transmission.Reliable, library => library.IsBaseline),
        new("QUIC", Protocol.Quic, Transmission.Reliable, library => library.Protocols.Contains(Protocol.Quic)),
    ];

    public static NetworkProfile[] NetworksOf(PartTemplates templates, params string[] names) =>
    [
        .. (templates.Networks is [] ? names : templates.Networks).Select(name => NetworkProfile.All.First(profile => profile.Name == name)),
    ];

    public Benchmark Over(ImpairmentPlan impairment, string title, string part, IWorkload workload, RunPlan plan)
    {
        plan = plan with
        {
            Protocol = Protocol,
            Transmission = Transmission,
            Impairment = impairment,
        };
        return new Benchmark(title, workload, workload.Complete(plan))
        {
            Launches = Launches,
            Part = part,
            Variant = Name,
            Condition = Condition,
        };
    }

    private static bool IsReliable(LibraryInfo library) => library.Find(Protocol.Udp, Transmission.Reliable) is not null;
}
