namespace NetCoreNetworkBenchmark.Results;

/// <summary>The hosts of a run over several.</summary>
/// <param name="Launcher">The program that started the processes: ssh or slurm.</param>
/// <param name="StartSkewMilliseconds">
/// The time between the first and the last report of a load generator that its measurement has begun, on the coordinator's clock; null with one load generator.
/// </param>
/// <param name="Server">The server's host; null if the server was on the coordinator's, or did not report.</param>
/// <param name="Clients">The hosts of the clients that reported, in the order of the plan.</param>
/// <param name="Missing">The hosts that did not report; null if all did.</param>
public sealed record HostsResult(
    string Launcher, double? StartSkewMilliseconds, HostResult? Server, IReadOnlyList<HostResult> Clients, IReadOnlyList<MissingHost>? Missing = null);

/// <summary>A host of a run that did not report its figures.</summary>
/// <param name="Host">The name by which the launcher reached it.</param>
/// <param name="Clients">The number of clients that were to run on it; null for the server's host.</param>
/// <param name="Reason">The reason.</param>
public sealed record MissingHost(string Host, int? Clients, string Reason);

/// <summary>One host of a run.</summary>
/// <param name="Host">The name by which the launcher reached it.</param>
/// <param name="MachineName">The name that the host has for itself.</param>
/// <param name="Clients">The number of clients; null for the server's host.</param>
/// <param name="Messages">The messages that these clients received within the measurement; null for the server's host.</param>
/// <param name="DueShare">The share (0 to 1) of the requested clients that were this host's; null for the server's host.</param>
/// <param name="Share">The share (0 to 1) of all messages that were this host's; null for the server's host, or if it is not known.</param>
/// <param name="DurationSeconds">The length of the measurement in seconds; null for the server's host.</param>
/// <param name="LatencyMicroseconds">The latencies of these clients, in microseconds; null for the server's host, or if there were none.</param>
/// <param name="Histogram">The histogram of these latencies in nanoseconds, in HdrHistogram's compressed V2 encoding; null if there was none.</param>
/// <param name="Cost">The resources that the process used.</param>
/// <param name="BusyShare">The share (0 to 1) of the CPU time of the host's machine that was used, by all programs; null if it is not known.</param>
/// <param name="ClockStepSeconds">The time in seconds by which the host's clock was set during the run: forwards if positive.</param>
/// <param name="SameMachine">Other hosts of the run that are on the same machine, so that their load is on the same cores.</param>
/// <param name="LibraryVersion">The version of the library on this host.</param>
/// <param name="Environment">The machine and the runtime.</param>
/// <param name="Fitness">The conditions that could disturb the run.</param>
public sealed record HostResult(
    string Host, string MachineName, int? Clients, long? Messages, double? DueShare, double? Share, double? DurationSeconds,
    LatencySummary? LatencyMicroseconds, string? Histogram, ProcessCost Cost, double? BusyShare, double ClockStepSeconds, IReadOnlyList<string> SameMachine,
    string LibraryVersion, EnvironmentInfo Environment, Fitness Fitness);
