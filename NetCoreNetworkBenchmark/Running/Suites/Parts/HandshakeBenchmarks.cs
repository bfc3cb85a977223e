namespace NetCoreNetworkBenchmark.Running.Suites.Parts;

internal static class HandshakeBenchmarks
{
    private const int Clients = 100;
    private static readonly TlsKey[] s_keys = [TlsKey.Rsa2048, TlsKey.P256];

    /// <summary>Handshakes with keys of two kinds, at the server of every library in every architecture.</summary>
    public static readonly BenchmarkPart OfLibraries = new("tls", CreateOfLibraries) { IsOfConnections = true };

    /// <summary>Handshakes at the server of one library: two keys, two versions, with and without resumption, three groups.</summary>
    /// <remarks>The server of Epoll calls OpenSSL directly, so the matrix shows the cost of TLS and not that of .NET's streams.</remarks>
    public static readonly BenchmarkPart OfSettings = new("tls-matrix", CreateOfSettings) { IsOfConnections = true, OnlyLibrary = "Epoll" };

    // As many server threads as there are cores, for servers that have a thread or process for each core.
    private static IEnumerable<Benchmark> CreateOfLibraries(PartTemplates templates) =>
        from key in s_keys
        let plan = templates.Original with { ServerThreads = Environment.ProcessorCount }
        select CaseOf($"TLS handshakes, {key}", plan, templates.With(BenchmarkRole.Handshakes), new TlsPlan { Key = key });

    // One server thread: each thread of a server may have a cache of sessions of its own.
    private static IEnumerable<Benchmark> CreateOfSettings(PartTemplates templates) =>
        from key in s_keys
        from version in (string[])[TlsPlan.Version13, TlsPlan.Version12]
        from resumption in (string[])[TlsPlan.NoResumption, TlsPlan.ByTicket, TlsPlan.BySession]
        from @group in (string[])["x25519", "secp256r1", "secp384r1"]
        let tls = new TlsPlan { Key = key, Version = version, Resumption = resumption, Group = @group }
        select CaseOf($"TLS {version} handshakes, {key}", templates.Brief, templates.With(BenchmarkRole.Handshakes), tls) with
        {
            Variant = resumption == TlsPlan.NoResumption ? @group : $"{@group}, {resumption}",
        };

    private static Benchmark CaseOf(string title, RunPlan template, IWorkload workload, TlsPlan tls)
    {
        RunPlan plan = template with
        {
            Test = workload.Name,
            Protocol = Protocol.Ssl,
            Transmission = Transmission.Reliable,
            Clients = Clients,
            Tls = tls,
        };
        return new Benchmark(title, workload, workload.Complete(plan), PredefinedBenchmarks.Sets);
    }
}
