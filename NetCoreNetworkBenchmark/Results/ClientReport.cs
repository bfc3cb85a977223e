using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>The figures of the clients: those of one load generator, or of all of them together.</summary>
public sealed record ClientReport : SideReport
{
    /// <summary>The number of clients.</summary>
    public required int Clients { get; init; }

    /// <summary>The cost of the process during the measurement; of both sides if they shared it.</summary>
    public required ProcessCost Cost { get; init; }

    /// <summary>The time in seconds from the creation of the first client to the connection of the last.</summary>
    public required double ConnectSeconds { get; init; }

    /// <summary>The start of the measurement, in UTC.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>The length of the load before the measurement, in seconds.</summary>
    public required double WarmUpSeconds { get; init; }

    /// <summary>True if the warm-up ended because the rate was steady; false if its bound ended it.</summary>
    public required bool WarmUpSteady { get; init; }

    /// <summary>The length of the measurement in seconds.</summary>
    public required double DurationSeconds { get; init; }

    /// <summary>The messages counted within the measurement.</summary>
    public required MessageCounters Measured { get; init; }

    /// <summary>The messages counted from the start of the measurement to the end of the drain.</summary>
    public required MessageCounters AfterStart { get; init; }

    /// <summary>The messages counted from the first message to the end of the drain.</summary>
    public required MessageCounters Whole { get; init; }

    /// <summary>The connections that were lost and opened again; null if clients do not connect again.</summary>
    public ReconnectionReport? Reconnections { get; init; }

    /// <summary>Ends of connections that are no errors, by reason, over the whole run; null if there were none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyDictionary<string, long>? Disconnects { get; init; }

    /// <summary>The measurement in equal parts; one part if no more were requested.</summary>
    public required IReadOnlyList<IterationResult> Iterations { get; init; }

    /// <summary>Whether the user ended the load early.</summary>
    public required bool Aborted { get; init; }

    /// <summary>The kind of messages that were counted and timed: those that came back, or those that the server sent by itself.</summary>
    public LatencyKind LatencyKind { get; init; }

    /// <summary>The messages that each client received; null if the test does not report it, and in the result of a run.</summary>
    public IReadOnlyList<long>? ReceivedByClient { get; init; }

    /// <summary>How evenly the clients were served; null if the test does not report it, and in the report of one process.</summary>
    public ClientFairness? Fairness { get; init; }

    /// <summary>The workload's own figures.</summary>
    public IReadOnlyList<WorkloadFigure> Figures { get; init; } = [];

    /// <summary>The parts of the latencies, such as the handshake of a connection, in their order.</summary>
    public IReadOnlyList<NamedLatency> Parts { get; init; } = [];

    /// <summary>The distributions of the workload's other times, such as that of a burst.</summary>
    public IReadOnlyList<NamedLatency> Distributions { get; init; } = [];

    /// <summary>The latencies of the measurement, of the kind in <see cref="LatencyKind"/>; empty if none was measured.</summary>
    public required LatencyReport Latency { get; init; }

    /// <summary>The same latencies as a client sees them that waits for each answer before it sends again; null in a closed loop.</summary>
    public LatencyReport? Uncorrected { get; init; }

    /// <summary>The use of the clients' machine during the measurement; null if the system does not report it.</summary>
    public MachineUse? Machine { get; init; }

    /// <summary>The compilation of code in the process; null if it was not reported.</summary>
    public string? Jit { get; init; }

}

/// <summary>One part of the measurement.</summary>
/// <param name="Seconds">The length of the part in seconds.</param>
/// <param name="Messages">The number of round trips in the part.</param>
public sealed record IterationResult(double Seconds, long Messages)
{
    /// <summary>Round trips per second.</summary>
    public double MessagesPerSecond => Seconds <= 0 ? 0 : Messages / Seconds;

    /// <summary>The figures of a part that has a rate of its own; null if all parts have one rate.</summary>
    public RateStep? Step { get; init; }

    /// <summary>Whether so many messages of a slice were sent late that it shows its clients, and is left out (<see cref="SliceSeries.MaxLate"/>).</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsLate { get; init; }
}

/// <summary>The use of a machine's CPU time, in shares from 0 to 1.</summary>
/// <param name="BusyShare">The share of all running work, including the run itself.</param>
/// <param name="StealShare">The share that its hypervisor took away.</param>
/// <param name="Cores">The cores that all shares are of: those of the machine, whether or not this process may use them.</param>
public sealed record MachineUse(double BusyShare, double StealShare, int Cores);

/// <summary>The distribution of the messages of a measurement over the clients.</summary>
/// <param name="Fewest">Messages of the client that received the fewest.</param>
/// <param name="Median">The median of all clients.</param>
/// <param name="Most">Messages of the client that received the most.</param>
/// <param name="SlowClients">The number of clients that received less than half the median.</param>
/// <param name="Slowest">The slow clients that received the fewest, at most ten.</param>
public sealed record ClientFairness(long Fewest, double Median, long Most, int SlowClients, IReadOnlyList<SlowClient> Slowest);

/// <summary>A client that received less than half as many messages as the median client.</summary>
/// <param name="Client">The number of the client, from 1.</param>
/// <param name="Messages">The messages that it received within the measurement.</param>
public sealed record SlowClient(int Client, long Messages);

/// <summary>The connections that clients lost and opened again, over the whole run.</summary>
/// <param name="Lost">Connections that were lost.</param>
/// <param name="Attempts">Attempts to connect again.</param>
/// <param name="Returned">Attempts that succeeded.</param>
/// <param name="Gaps">The times from the loss of a connection to the first answer that its client got after it.</param>
/// <param name="Reasons">The ends of connections as the clients saw them, by reason.</param>
public sealed record ReconnectionReport(long Lost, long Attempts, long Returned, LatencyReport Gaps, IReadOnlyDictionary<string, long> Reasons);
