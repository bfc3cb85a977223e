namespace NetCoreNetworkBenchmark.Running.Suites;

/// <param name="Template">Its library is replaced. Its duration is the time of all slices of a case in a process set.</param>
internal sealed record Benchmark(string Title, IWorkload Workload, RunPlan Template, int Launches)
{
    public string? Part { get; init; }

    /// <summary>The name of this load among others with the same heading, which are compared; null if libraries are compared.</summary>
    public string? Variant { get; init; }
    public BenchmarkRow? Row { get; init; }

    /// <summary>The half width of a ratio's interval at which the benchmark ends, such as 0.05 for ±5 %.</summary>
    public double TargetHalfWidth { get; init; } = 0.1;

    /// <summary>Raw sockets are then not ranked among the libraries.</summary>
    public bool HasBaselines { get; init; }
    public bool WithTunedProfiles { get; init; }

    /// <summary>The names of settings each of whose values is a case.</summary>
    public IReadOnlyList<string> VariedSettings { get; init; } = [];

    /// <summary>Whether each library's own clients drive its server, although the fastest would normally drive all.</summary>
    public bool OwnClients { get; init; }

    /// <summary>Whether the fastest clients drive the server of every library with plain datagrams, as they do over streams.</summary>
    public bool SharesClients { get; init; }

    /// <summary>The libraries of the benchmark, besides what the load requires of them.</summary>
    public Func<LibraryInfo, bool> Condition { get; init; } = _ => true;

    /// <param name="fastest">The library whose clients are the fastest over this transport; null if each library has to use its own.</param>
    public bool Supports(LibraryInfo library, LibraryInfo? fastest) =>
        Condition(library)
        && library.Protocols.Contains(Template.Protocol)
        && (Workload is IConnectionWorkload
            || (library.CarriesMessages && (!Template.Protocol.IsStream() || library.Framings.Contains(Template.Framing))))
        && (Workload.LatencyKind != LatencyKind.OneWay || library.ServerPushTransports.Contains(Template.Protocol))
        && (OwnClients ? library.HasClients && fastest is not null && library.Name != fastest.Name
            : fastest is null ? library.HasClients
            : library.HasFormatOf(fastest, Template.Protocol) || (library.HasClients && !Template.Protocol.IsStream()));
}
