using System.Net;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>All that is known of a finished run, from whichever processes took part.</summary>
internal sealed record RunEvidence
{
    public required RunPlan Plan { get; init; }

    public required LibraryInfo Library { get; init; }

    /// <summary>Where the server listened.</summary>
    public required IPEndPoint EndPoint { get; init; }

    public required ClientReport Clients { get; init; }

    /// <summary>Null where the server is not ours and told nothing.</summary>
    public ServerReport? Server { get; init; }

    /// <summary>Whether both sides shared a process, so that their costs cannot be told apart.</summary>
    public bool OneProcess { get; init; }

    /// <summary>What the relay between clients and server did; null where there was none.</summary>
    public RelayCounts? Relay { get; init; }

    /// <summary>What the relay did otherwise than it was asked to.</summary>
    public IReadOnlyList<string> RelayRemarks { get; init; } = [];

    public required Fitness Fitness { get; init; }
}
