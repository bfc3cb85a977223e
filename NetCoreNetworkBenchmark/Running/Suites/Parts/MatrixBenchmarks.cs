namespace NetCoreNetworkBenchmark.Running.Suites.Parts;

/// <summary>NetCoreServer's matrix of round trip and multicast, over one protocol.</summary>
internal static class MatrixBenchmarks
{
    private const int MessagesInFlight = 1000;
    private static readonly int[] s_clients = [1, 100];

    public static IEnumerable<Benchmark> Create(PartTemplates templates, Protocol protocol)
    {
        IWorkload roundTrip = templates.With(BenchmarkRole.RoundTrips);
        foreach (IWorkload test in (IWorkload[])[roundTrip, templates.With(BenchmarkRole.ServerPush)])
        {
            foreach (int clients in s_clients)
            {
                yield return CaseOf(templates.Brief, test, protocol, clients);
            }
        }

        foreach (int clients in protocol.IsStream() ? s_clients : [])
        {
            Benchmark common = CaseOf(templates.Brief, roundTrip, protocol, clients);
            yield return common with { Title = $"{common.Title}, own clients", OwnClients = true, WithTunedProfiles = false };
        }
    }

    private static Benchmark CaseOf(RunPlan template, IWorkload test, Protocol protocol, int clients)
    {
        string title = $"{test.Name} {protocol.ToString().ToUpperInvariant()}, {Plural.Format(clients, "client", format: "0")}";
        RunPlan plan = template with
        {
            Test = test.Name,
            Protocol = protocol,
            Transmission = protocol.IsStream() ? Transmission.Reliable : Transmission.Unreliable,
            Clients = clients,
            ParallelMessages = MessagesInFlight,
        };
        return new Benchmark(title, test, plan, PredefinedBenchmarks.Sets)
        {
            Part = "Round trip and multicast",
            WithTunedProfiles = protocol.IsStream(),
            HasBaselines = true,
        };
    }
}
