using NetCoreNetworkBenchmark.Workloads.Multicasts;

namespace NetCoreNetworkBenchmark.Benchmarks;

/// <summary>NetCoreServer's matrix of round trip and multicast, over one protocol.</summary>
internal static class MatrixBenchmarks
{
    private const int MessagesInFlight = 1000;
    private static readonly int[] s_clients = [1, 100];

    public static IEnumerable<Benchmark> Create(RunPlan template, Protocol protocol)
    {
        var roundTrip = new RoundTrip();
        foreach (IWorkload test in (IWorkload[])[roundTrip, new Multicast()])
        {
            foreach (int clients in s_clients)
            {
                yield return CaseOf(template, test, protocol, clients);
            }
        }

        foreach (int clients in protocol.IsStream() ? s_clients : [])
        {
            Benchmark common = CaseOf(template, roundTrip, protocol, clients);
            yield return common with { Title = $"{common.Title}, own clients", OwnClients = true, WithTunedProfiles = false };
        }
    }

    private static Benchmark CaseOf(RunPlan template, IWorkload test, Protocol protocol, int clients)
    {
        string title = $"{test.Name} {protocol.ToString().ToUpperInvariant()}, {Plural.Format(clients, "client", format: "0")}";
        RunPlan plan = template with
        {
            Protocol = protocol,
            Transmission = protocol.IsStream() ? Transmission.Reliable : Transmission.Unreliable,
            Clients = clients,
            ParallelMessages = MessagesInFlight,
        };
        return new Benchmark(title, test, plan)
        {
            Part = "Round trip and multicast",
            WithTunedProfiles = protocol.IsStream(),
            HasBaselines = true,
        };
    }
}
