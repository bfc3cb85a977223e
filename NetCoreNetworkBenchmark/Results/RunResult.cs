using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>
/// One run: the plan, the report of each process, the judgement, and the figures that follow from them. This is the one schema that reports and comparisons
/// read. Docs/results.md describes its JSON form. Numbers are raw: only reports round.
/// </summary>
public sealed record RunResult() : LibraryResult(ResultKind.Run)
{
    private const double BytesPerMegabyte = 1024 * 1024;

    /// <summary>
    /// The identity of the measurement, which its histogram log has too. It is counted once, wherever its files are. Null for results that were not measured.
    /// </summary>
    [JsonPropertyOrder(-8)]
    public Guid? Id { get; init; }

    /// <summary>The layout of the figures in a report.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public FigureLayout Layout { get; init; }

    /// <summary>The address of the server, or of the multicast group.</summary>
    public required string Address { get; init; }

    /// <summary>The port that the server actually used.</summary>
    public required int Port { get; init; }

    /// <summary>The kind of server that answered.</summary>
    public ServerKind ServerKind { get; init; }

    /// <summary>Whether server and clients shared one process, so that their costs cannot be separated.</summary>
    public bool OneProcess { get; init; }

    /// <summary>The figures of all clients.</summary>
    public required ClientReport Clients { get; init; }

    /// <summary>The figures of the server; null if it did not report.</summary>
    public ServerReport? Server { get; init; }

    /// <summary>The part of each load generator; null if one ran all clients.</summary>
    public IReadOnlyList<LoadGeneratorShare>? LoadGenerators { get; init; }

    /// <summary>The memory that idle clients cost the server; null if the workload does not measure it.</summary>
    public ServerMemory? ServerMemory { get; init; }

    /// <summary>The figures of the relay that impaired the traffic; null if there was none.</summary>
    public RelayReport? Relay { get; init; }

    /// <summary>The hosts; null if all processes were on one machine.</summary>
    public HostsResult? Hosts { get; init; }

    /// <summary>The conditions that could disturb the run.</summary>
    public required Fitness Fitness { get; init; }

    /// <summary>The judgement on the figures.</summary>
    public required RunVerdict Verdict { get; init; }

    /// <summary>Messages that clients received per second of the measurement: round trips, or messages that the server sent by itself.</summary>
    public double MessagesPerSecond => PerSecond(Clients.Measured.ClientReceived);

    /// <summary>Payload that clients received, in units of 1,048,576 bytes per second.</summary>
    public double MegabytesPerSecond => PerSecond(Clients.Measured.ClientReceived * Plan.MessageSize / BytesPerMegabyte);

    /// <summary>Messages within the measurement, by sender or receiver.</summary>
    public MessageTotals Messages => new(
        Clients.Measured.ClientSent,
        Clients.Measured.ServerReceived + Server?.Received,
        Clients.Measured.ServerSent + Server?.Sent,
        Clients.Measured.ClientReceived);

    /// <summary>The whole run with warm-up and drain, in which sent = received + lost + unanswered holds.</summary>
    public RunTotals Totals => new(
        IsOneWay ? Clients.Whole.ClientReceived + Clients.Whole.Lost : Clients.Whole.ClientSent,
        Clients.Whole.ClientReceived,
        Clients.Whole.Lost + LostAtEnd,
        Unanswered - LostAtEnd,
        Clients.Whole.Duplicated,
        Clients.Whole.Reordered,
        Clients.Whole.Corrupted);

    /// <summary>Messages that were found lost from the start of the measurement to the end of the drain.</summary>
    public long Lost => Math.Max(0, Clients.AfterStart.Lost) + LostAtEnd;

    /// <summary>Second answers to the same message, over the same time.</summary>
    public long Duplicated => Clients.AfterStart.Duplicated;

    /// <summary>Answers that came after the answer to a later message, over the same time.</summary>
    public long Reordered => Clients.AfterStart.Reordered;

    /// <summary>Answers that were wrong in size or content, over the same time.</summary>
    public long Corrupted => Clients.AfterStart.Corrupted;

    /// <summary>Errors of the whole run and of both sides.</summary>
    public long Errors => ErrorsByName.Values.Sum();

    /// <summary><see cref="Errors"/> by name.</summary>
    public IReadOnlyDictionary<string, long> ErrorsByName => SideReport.SumByName(Clients.Errors, Server?.Errors);

    /// <summary>The accuracy with which the schedule was kept, by the side that sends; null in a closed loop.</summary>
    public ScheduleResult? Schedule => Plan.Rate is not { } rate ? null : new ScheduleResult(
        rate,
        PerSecond(Scheduled * (Plan.MulticastGroup is null ? 1 : Plan.Clients)),
        SendSchedule.LateBound.TotalMilliseconds,
        Scheduled == 0 ? 0 : (double)(Clients.Measured.SentLate + (IsOneWay ? Server?.SentLate ?? 0 : 0)) / Scheduled);

    /// <summary>The cost of the processes.</summary>
    [JsonIgnore]
    public RunCosts Costs => OneProcess
        ? new RunCosts(null, null, Clients.Cost)
        : new RunCosts(Server is { Received: null } ? Server.Cost with { Messages = Clients.Cost.Messages } : Server?.Cost, Clients.Cost, null);

    /// <summary>The TLS facts of the run; null if there was no TLS.</summary>
    [JsonIgnore]
    public TlsResult? Tls => TlsResult.Of(Plan, Clients.Handshakes, Server, Environment);

    /// <summary>The connections that were lost and opened again, with the reasons of both sides; null if clients do not connect again.</summary>
    [JsonIgnore]
    public ReconnectionReport? Reconnections => Clients.Reconnections is { } connections
        ? connections with { Reasons = SideReport.SumByName(connections.Reasons, Server?.Disconnects) }
        : null;

    /// <summary>The latencies of the measurement in microseconds; null if none was measured.</summary>
    [JsonIgnore]
    public LatencySummary? LatencyMicroseconds => Clients.Latency.Microseconds;

    /// <summary>The actual length of the measurement, in seconds.</summary>
    [JsonIgnore]
    public double DurationSeconds => Clients.DurationSeconds;

    /// <summary>Whether the server sent by itself, so that no message of a client is answered.</summary>
    [JsonIgnore]
    public bool IsOneWay => Clients.LatencyKind == LatencyKind.OneWay;

    /// <summary>Whether the figures may be used.</summary>
    [JsonIgnore]
    public bool Valid => Verdict.Valid;

    /// <summary>The reasons why the figures may not be used, a sentence each; empty if they may be used.</summary>
    [JsonIgnore]
    public IReadOnlyList<string> InvalidReasons => [.. Verdict.Faults, .. Verdict.Disturbances];

    /// <summary>The deviations from the plan and the facts that a reader needs, a sentence each.</summary>
    [JsonIgnore]
    public IReadOnlyList<string> Remarks =>
        [.. (Server?.Remarks ?? []).Concat(Clients.Remarks).Concat(Relay?.Remarks ?? []).Concat(Verdict.Remarks).Distinct()];

    // A message that is still in flight when the drain's deadline has passed is lost. Only a run that was cut short cannot determine this.
    private long LostAtEnd => Clients.Aborted ? 0 : Unanswered;

    private long Unanswered => IsOneWay ? 0 : Clients.Whole.ClientSent - Clients.Whole.ClientReceived - Clients.Whole.Lost;

    private long Scheduled => IsOneWay ? Clients.Measured.ServerSent + (Server?.Sent ?? 0) : Clients.Measured.ClientSent;

    // A run that was aborted at the start of its measurement has measured no time at all.
    private double PerSecond(double amount) => Clients.DurationSeconds > 0 ? amount / Clients.DurationSeconds : 0;
}
