namespace NetCoreNetworkBenchmark.Results;

/// <summary>The hosts of a run over several.</summary>
/// <param name="Launcher">The program that started the processes: Ssh or Slurm.</param>
/// <param name="StartSkewMilliseconds">
/// The time between the first and the last report of a load generator that its measurement has begun, on the coordinator's clock; null with one load generator.
/// </param>
/// <param name="Server">The server's host; null if the server was on the coordinator's, or did not report.</param>
/// <param name="Clients">The hosts of the clients that reported, in the order of the plan.</param>
public sealed record HostsResult(string Launcher, double? StartSkewMilliseconds, HostResult? Server, IReadOnlyList<HostResult> Clients)
{
    /// <summary>The hosts that did not report; null if all did.</summary>
    public IReadOnlyList<MissingHost>? Missing { get; init; }
}

/// <summary>A host of a run that did not report its figures.</summary>
/// <param name="Host">The name by which the launcher reached it.</param>
/// <param name="Clients">The number of clients that were to run on it; null for the server's host.</param>
/// <param name="Reason">The reason.</param>
public sealed record MissingHost(string Host, int? Clients, string Reason);

/// <summary>One host of a run.</summary>
public sealed record HostResult
{
    /// <summary>The name by which the launcher reached it.</summary>
    public required string Host { get; init; }

    /// <summary>The name that the host has for itself.</summary>
    public required string MachineName { get; init; }

    /// <summary>The number of clients; null for the server's host.</summary>
    public int? Clients { get; init; }

    /// <summary>The messages that these clients received within the measurement; null for the server's host.</summary>
    public long? Messages { get; init; }

    /// <summary>
    /// The share (0 to 1) of all messages that would have been this host's by its part of the clients that were asked for; null for the server's host.
    /// </summary>
    public double? DueShare { get; init; }

    /// <summary>
    /// The share (0 to 1) of all messages that were this host's; null for the server's host, or if the messages of another host are not known.
    /// </summary>
    public double? Share { get; init; }

    /// <summary>The length of the measurement in seconds; null for the server's host.</summary>
    public double? DurationSeconds { get; init; }

    /// <summary>The latencies of these clients, in microseconds; null for the server's host, or if there were none.</summary>
    public LatencySummary? LatencyMicroseconds { get; init; }

    /// <summary>The histogram of these latencies in nanoseconds, in HdrHistogram's compressed V2 encoding; null if there was none.</summary>
    public string? Histogram { get; init; }

    /// <summary>The resources that the process used.</summary>
    public required ProcessCost Cost { get; init; }

    /// <summary>The share (0 to 1) of the CPU time of the host's machine that was used, by all programs; null if it is not known.</summary>
    public double? BusyShare { get; init; }

    /// <summary>The time in seconds by which the host's clock was set during the run: forwards if positive.</summary>
    public required double ClockStepSeconds { get; init; }

    /// <summary>Other hosts of the run that are on the same machine, so that their load is on the same cores.</summary>
    public required IReadOnlyList<string> SameMachine { get; init; }

    /// <summary>The version of the library on this host.</summary>
    public required string LibraryVersion { get; init; }

    /// <summary>The machine and the runtime.</summary>
    public required EnvironmentInfo Environment { get; init; }

    /// <summary>The conditions that could disturb the run.</summary>
    public required Fitness Fitness { get; init; }
}
