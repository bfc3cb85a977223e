namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary><c>-b=tls</c> and <c>-b=tls-matrix</c>.</summary>
internal static class HandshakeBenchmarks
{
    private const int Clients = 100;
    private static readonly TlsKey[] s_keys = [TlsKey.Rsa2048, TlsKey.P256];

    // As many server threads as there are cores, for servers that have a thread or process for each core.
    public static IEnumerable<Benchmark> OfLibraries(RunPlan template, IWorkload workload) =>
        from key in s_keys
        select CaseOf($"TLS handshakes, {key}", template with { ServerThreads = Environment.ProcessorCount }, workload, new TlsPlan { Key = key });

    // One server thread: each thread of a server may have a cache of sessions of its own.
    public static IEnumerable<Benchmark> OfSettings(RunPlan template, IWorkload workload) =>
        from key in s_keys
        from version in (string[])[TlsPlan.Version13, TlsPlan.Version12]
        from resumption in (string[])[TlsPlan.NoResumption, TlsPlan.ByTicket, TlsPlan.BySession]
        from @group in (string[])["x25519", "secp256r1", "secp384r1"]
        let tls = new TlsPlan { Key = key, Version = version, Resumption = resumption, Group = @group }
        select CaseOf($"TLS {version} handshakes, {key}", template, workload, tls) with
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
