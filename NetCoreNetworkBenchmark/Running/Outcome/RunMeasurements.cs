using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Outcome;

/// <summary>All data of a finished run, from all processes that took part.</summary>
internal sealed record RunMeasurements
{
    public required RunPlan Plan { get; init; }

    public required LibraryInfo Library { get; init; }

    /// <summary>The end point on which the server listened.</summary>
    public required IPEndPoint EndPoint { get; init; }

    public required IWorkload Workload { get; init; }

    /// <summary>The report of each load generator; one or more.</summary>
    public required IReadOnlyList<ClientReport> LoadGenerators { get; init; }

    /// <summary>The figures of all load generators together.</summary>
    public ClientReport Clients => field ??= ClientReport.Merge(LoadGenerators);

    /// <summary>The report of the server; null if the server was started apart and reported nothing.</summary>
    public ServerReport? Server { get; init; }

    /// <summary>A remark about a server that reported nothing; null if there is none.</summary>
    public string? ServerRemark { get; init; }

    /// <summary>Whether both sides shared a process, so that their costs cannot be separated.</summary>
    public bool OneProcess { get; init; }

    /// <summary>The memory that idle clients cost the server; null if it was not measured.</summary>
    public ServerMemory? ServerMemory { get; init; }

    /// <summary>The figures of the relay between clients and server; null if there was none.</summary>
    public RelayReport? Relay { get; init; }

    public required Fitness Fitness { get; init; }

    /// <summary>The server's host; null if it was on the coordinator's machine.</summary>
    public HostReport? ServerHost { get; init; }

    /// <summary>The host of each load generator in the order of <see cref="LoadGenerators"/>; null for one on the coordinator's machine.</summary>
    public IReadOnlyList<HostReport?> GeneratorHosts { get; init; } = [];

    /// <summary>The time between the beginnings of the measurements; null with one load generator.</summary>
    public TimeSpan? StartSkew { get; init; }

    /// <summary>The hosts whose participants did not report after a fault.</summary>
    public IReadOnlyList<MissingHost> MissingHosts { get; init; } = [];

    /// <summary>The sentence about the participant that failed; null if none did.</summary>
    public string? Fault { get; init; }
}
