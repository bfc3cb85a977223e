using NetCoreNetworkBenchmark.Workloads.Handshakes;

namespace NetCoreNetworkBenchmark.Benchmarks;

/// <summary><c>-b=tls</c>: handshakes with keys of two kinds, at the server of every library in every architecture.</summary>
public sealed class TlsPart : IBenchmarkPart
{
    public string Name => "tls";

    public bool IsOfConnections => true;

    public IEnumerable<Benchmark> Create(PartTemplates templates)
    {
        // As many server threads as there are cores, for servers that have a thread or process for each core.
        RunPlan plan = templates.Original with { ServerThreads = Environment.ProcessorCount };
        return HandshakeBenchmarks.Keys.Select(key => HandshakeBenchmarks.Create($"TLS handshakes, {key}", plan, new TlsPlan { Key = key }));
    }
}

/// <summary><c>-b=tls-matrix</c>: handshakes at the server of one library: two keys, two versions, with and without resumption, three groups.</summary>
/// <remarks>The server of Epoll calls OpenSSL directly, so the matrix shows the cost of TLS and not that of .NET's streams.</remarks>
public sealed class TlsMatrixPart : IBenchmarkPart
{
    public string Name => "tls-matrix";

    public bool IsOfConnections => true;

    public string? OnlyLibrary => "Epoll";

    public IEnumerable<Benchmark> Create(PartTemplates templates) =>
        from key in HandshakeBenchmarks.Keys
        from version in (string[])[TlsPlan.Version13, TlsPlan.Version12]
        from resumption in (string[])[TlsPlan.NoResumption, TlsPlan.ByTicket, TlsPlan.BySession]
        from @group in (string[])["x25519", "secp256r1", "secp384r1"]
        let tls = new TlsPlan { Key = key, Version = version, Resumption = resumption, Group = @group }

        // One server thread: each thread of a server may have a cache of sessions of its own.
        select HandshakeBenchmarks.Create($"TLS {version} handshakes, {key}", templates.Brief, tls) with
        {
            Variant = resumption == TlsPlan.NoResumption ? @group : $"{@group}, {resumption}",
        };
}

internal static class HandshakeBenchmarks
{
    private const int Clients = 100;

    public static readonly IReadOnlyList<TlsKey> Keys = [TlsKey.Rsa2048, TlsKey.P256];

    public static Benchmark Create(string title, RunPlan template, TlsPlan tls)
    {
        var workload = new Handshake();
        RunPlan plan = template with
        {
            Protocol = Protocol.Ssl,
            Transmission = Transmission.Reliable,
            Clients = Clients,
            Tls = tls,
        };
        return new Benchmark(title, workload, workload.Complete(plan));
    }
}
