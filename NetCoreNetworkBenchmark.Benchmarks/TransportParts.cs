namespace NetCoreNetworkBenchmark.Benchmarks;

/// <summary><c>-b</c>: the benchmarks of the original harness, which its published results belong to, and NetCoreServer's matrix.</summary>
public sealed class AllPart : IBenchmarkPart
{
    public string Name => "all";

    public IEnumerable<Benchmark> Create(PartTemplates templates) =>
    [
        .. OriginalBenchmarks.Create(templates.Original),
        .. ((Protocol[])[Protocol.Tcp, Protocol.Ssl, Protocol.Udp]).SelectMany(protocol => MatrixBenchmarks.Create(templates.Brief, protocol)),
    ];
}

/// <summary><c>-b=udp</c>: the benchmarks over UDP.</summary>
public sealed class UdpPart : IBenchmarkPart
{
    public string Name => "udp";

    public IEnumerable<Benchmark> Create(PartTemplates templates) =>
        [.. OriginalBenchmarks.Create(templates.Original), .. MatrixBenchmarks.Create(templates.Brief, Protocol.Udp)];
}

/// <summary><c>-b=tcp</c>: the matrix over TCP.</summary>
public sealed class TcpPart : IBenchmarkPart
{
    public string Name => "tcp";

    public IEnumerable<Benchmark> Create(PartTemplates templates) => MatrixBenchmarks.Create(templates.Brief, Protocol.Tcp);
}

/// <summary><c>-b=ssl</c>: the matrix over TLS.</summary>
public sealed class SslPart : IBenchmarkPart
{
    public string Name => "ssl";

    public IEnumerable<Benchmark> Create(PartTemplates templates) => MatrixBenchmarks.Create(templates.Brief, Protocol.Ssl);
}
