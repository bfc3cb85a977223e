using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>
/// One run: the plan, the report of each process, the judgement, and the figures that follow from them. This is the one schema that reports and comparisons
/// read. Docs/results.md describes its JSON form. Numbers are raw: only reports round.
/// </summary>
public sealed record RunResult() : LibraryResult(ResultKind.Run)
{
    private const double BytesPerMebibyte = 1024 * 1024;

    /// <summary>The identity of the measurement.</summary>
    [JsonPropertyOrder(-8)]
    public required Guid Id { get; init; }

    /// <summary>The names of the first figures of a report, as the test states them; null for those of the original harness.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<string>? FirstFigures { get; init; }

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

    /// <summary>What the load puts on the wire, counted after the run; null if it was not counted with this run alone.</summary>
    public WireFigures? Wire { get; init; }

    /// <summary>The hosts; null if all processes were on one machine.</summary>
    public HostsResult? Hosts { get; init; }

    /// <summary>The conditions that could disturb the run.</summary>
    public required Fitness Fitness { get; init; }

    /// <summary>The judgement on the figures.</summary>
    public required RunVerdict Verdict { get; init; }

    /// <summary>Messages that clients received per second of the measurement: round trips, or messages that the server sent by itself.</summary>
    public double MessagesPerSecond => PerSecond(Clients.Measured.ClientReceived);

    /// <summary>Payload that clients received, in MiB (1,048,576 bytes) per second.</summary>
    [JsonPropertyName("megabytesPerSecond")]
    public double MebibytesPerSecond => PerSecond(Clients.Measured.ClientReceived * Plan.MeanMessageSize / BytesPerMebibyte);

    /// <summary>Messages within the measurement, by sender or receiver.</summary>
    public MessageTotals Messages => new(
        Clients.Measured.ClientSent,
        Server?.Received,
        Server?.Sent,
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
        Clients.Iterations.Select(part => part.Step?.Rate).Average() ?? rate,
        PerSecond(Scheduled * (Plan.MulticastGroup is null ? 1 : Plan.Clients)),
        (Plan.Tick ?? Plan.Impairment.LateBound).TotalMilliseconds,
        Scheduled == 0 ? 0 : (double)(IsOneWay ? Server?.SentLate ?? 0 : Clients.Measured.SentLate) / Scheduled);

    /// <summary>Whether each limit of the plan holds; null if it has none. That of the wire is judged where it was counted.</summary>
    public IReadOnlyList<LimitResult>? Limits => LimitResult.From([this], Costs.Server?.CpuMicrosecondsPerMessage, Wire) is not { } limits ? null
        : [.. limits.Where(entry => Wire is not null || entry.Limit.Kind != LimitKind.Wire)];

    internal override IEnumerable<(LimitResult Limit, string? Case)> AllLimits => (Limits ?? []).Select(limit => (limit, (string?)null));

    /// <summary>The messages that were sent in the time of <see cref="Lost"/>.</summary>
    internal long SentToLose => IsOneWay ? Clients.AfterStart.ClientReceived + Lost : Clients.AfterStart.ClientSent;

    /// <summary>From which step of a rising rate on the sides did not keep pace, in a sentence; null if the rate did not rise.</summary>
    public string? Knee => RateKnee.ConclusionOf(Clients.Iterations);

    /// <summary>The cost of the server's ticks; null if it has none, or shared its process with the clients.</summary>
    public TickCost? Ticks => Plan.Tick is { } tick && Costs.Server is { Seconds: > 0 } cost ? TickCost.From(tick, cost, LateTicks ?? 0, Plan.Clients) : null;

    // A server that counts no messages, such as nginx, has received those that its clients count. The messages of one with ticks are those that reached its
    // clients: a library that loses some must not look cheaper.
    internal RunCosts Costs => OneProcess ? new RunCosts(null, null, Clients.Cost)
        : new RunCosts(
            Server?.Cost is { } cost && (Server.Received is null || Plan.Tick is not null) ? cost with { Messages = Clients.Cost.Messages } : Server?.Cost,
            Clients.Cost,
            null);

    internal TlsResult? Tls => TlsResult.From(Plan, Clients.Handshakes, Server, Environment);

    /// <summary>The connections that were lost and opened again, with the reasons of both sides; null if clients do not connect again.</summary>
    internal ReconnectionReport? Reconnections => Clients.Reconnections is { } connections
        ? connections with { Reasons = SideReport.SumByName(connections.Reasons, Server?.Disconnects) }
        : null;

    /// <summary>The ends of connections as both sides saw them, by reason. None of them is an error.</summary>
    internal IReadOnlyDictionary<string, long> Disconnects => SideReport.SumByName(Clients.Disconnects, Server?.Disconnects);

    /// <summary>The figures and percentiles that only this kind of load has, with their units.</summary>
    internal IEnumerable<(string Name, string Unit, double Value)> OwnFigures =>
    [
        .. from distribution in Clients.Distributions
           let times = distribution.Latency.Microseconds
           where times is not null
           from percentile in ((string Name, double Value)[])[("p50", times.P50), ("p99", times.P99)]
           select ($"{distribution.Name}, {percentile.Name}", "µs", percentile.Value),
        .. Clients.Figures.Select(figure => (figure.Name, figure.Unit, figure.Value)),
        .. Relay?.Neighbour is not { } neighbour ? [] : ((string, string, double)[])
            [("TCP neighbour, goodput", "Mbit/s", neighbour.GoodputBitsPerSecond / NeighbourReport.BitsPerMegabit)],
        .. Relay?.Neighbour?.RoundTripMicroseconds is not { } roundTrips ? [] : ((string, string, double)[])
            [("TCP neighbour, round trip p50", "µs", roundTrips.P50)],
    ];

    internal LatencyReport? Ages => Clients.Distributions.FirstOrDefault(distribution => distribution.Name == WorkloadFigure.AgeOfState)?.Latency;

    /// <summary>The share (0 to 1) of the server's ticks that it missed; null if it has none.</summary>
    internal double? LateTicks => Plan.Tick is null ? null : Schedule?.LateShare;

    /// <summary>The share (0 to 1) of the inputs that the clients of a server that sends by itself sent too late; null if they sent none.</summary>
    internal double? LateInputs => IsOneWay && Clients.Measured is { ClientSent: > 0 } measured ? (double)measured.SentLate / measured.ClientSent : null;

    internal LatencySummary? LatencyMicroseconds => Clients.Latency.Microseconds;

    internal double DurationSeconds => Clients.DurationSeconds;

    /// <summary>Whether the server sent by itself, so that no message of a client is answered.</summary>
    internal bool IsOneWay => Clients.LatencyKind == LatencyKind.OneWay;

    internal bool Valid => Verdict.Valid;

    internal IReadOnlyList<string> InvalidReasons => [.. Verdict.Faults, .. Verdict.Disturbances];

    internal IReadOnlyList<string> Remarks =>
        [.. (Server?.Remarks ?? []).Concat(Clients.Remarks).Concat(Relay?.Remarks ?? []).Concat(Verdict.Remarks).Distinct()];

    // A message that is still in flight when the drain's deadline has passed is lost. Only a run that was cut short cannot determine this.
    private long LostAtEnd => Clients.Aborted ? 0 : Unanswered;

    private long Unanswered => IsOneWay ? 0 : Clients.Whole.ClientSent - Clients.Whole.ClientReceived - Clients.Whole.Lost;

    private long Scheduled => IsOneWay ? Server?.Sent ?? 0 : Clients.Measured.ClientSent;

    // A run that was aborted at the start of its measurement has measured no time at all.
    private double PerSecond(double amount) => Clients.DurationSeconds > 0 ? amount / Clients.DurationSeconds : 0;

    internal RunResult WithCoarseTimelines() => this with
    {
        Clients = Clients with { Timeline = Clients.Timeline?.Coarse() },
        Server = Server is null ? null : Server with { Timeline = Server.Timeline?.Coarse() },
    };
}

/// <summary>The judgement on the figures of a run.</summary>
/// <param name="Faults">The reasons in the run itself why its figures may not be used, a sentence each.</param>
/// <param name="Disturbances">The reasons outside the run: other work on the machine, a sentence each.</param>
/// <param name="Remarks">Facts that a reader needs to interpret the figures, a sentence each.</param>
public sealed record RunVerdict(IReadOnlyList<string> Faults, IReadOnlyList<string> Disturbances, IReadOnlyList<string> Remarks)
{
    /// <summary>Whether the figures may be used.</summary>
    public bool Valid => Faults.Count + Disturbances.Count == 0;

    /// <summary>Whether the run is invalid only because of other work on the machine, which indicates no fault of the library.</summary>
    public bool Disturbed => Faults.Count == 0 && Disturbances.Count > 0;
}

/// <summary>Messages by sender or receiver.</summary>
/// <param name="ClientSent">Messages that clients handed to the library.</param>
/// <param name="ServerReceived">Messages that reached the server; null if the server did not report it.</param>
/// <param name="ServerSent">Messages that the server handed to the library; null if the server did not report it.</param>
/// <param name="ClientReceived">Messages that came back, or that the server sent by itself, each counted once, correct in size and content.</param>
public sealed record MessageTotals(long ClientSent, long? ServerReceived, long? ServerSent, long ClientReceived);

/// <summary>The message counts of a whole run: <c>Sent = Received + Lost + Unanswered</c>.</summary>
/// <param name="Sent">Messages that clients handed to the library. For a server that sends by itself, the messages that it is known to have sent to each
/// client.</param>
/// <param name="Received">Messages that came back, each counted once.</param>
/// <param name="Lost">Messages that never came back.</param>
/// <param name="Unanswered">Messages still in flight when an aborted run ended; otherwise, 0.</param>
/// <param name="Duplicated">Second answers to the same message.</param>
/// <param name="Reordered">Answers that came after the answer to a later message.</param>
/// <param name="Corrupted">Answers that were wrong in size or content.</param>
public sealed record RunTotals(long Sent, long Received, long Lost, long Unanswered, long Duplicated, long Reordered, long Corrupted);

/// <summary>The accuracy with which an open loop (<c>--rate</c>) kept its schedule.</summary>
/// <param name="RequestedPerSecond">The requested messages per second, over all clients; the mean of the steps of a rate that rises.</param>
/// <param name="SentPerSecond">The messages per second that were sent.</param>
/// <param name="LateBoundMilliseconds">The bound in milliseconds: a message that leaves later than this after it was due counts as sent late.</param>
/// <param name="LateShare">The share (0 to 1) of the messages that were sent late.</param>
public sealed record ScheduleResult(double RequestedPerSecond, double SentPerSecond, double LateBoundMilliseconds, double LateShare);

/// <summary>The ticks of a server in its measurement, and their cost to its process.</summary>
/// <param name="Count">The ticks that were due in the measurement.</param>
/// <param name="LateShare">The share (0 to 1) of the ticks that the server missed.</param>
/// <param name="CpuMicroseconds">CPU time per tick in microseconds, with that for the messages that the server received.</param>
/// <param name="BusyCoresPerClient">CPU time for each client as a share of the time: 0.01 is 1 % of a core.</param>
/// <param name="AllocatedBytes">Managed bytes allocated per tick.</param>
/// <param name="Collections">Collections per tick, of all generations.</param>
/// <param name="PauseMicroseconds">The time per tick in microseconds for which the garbage collector stopped the threads.</param>
public sealed record TickCost(
    double Count, double LateShare, double CpuMicroseconds, double BusyCoresPerClient, double AllocatedBytes, double Collections, double PauseMicroseconds)
{
    internal static TickCost From(TimeSpan tick, ProcessCost server, double lateShare, int clients)
    {
        double count = server.Seconds / tick.TotalSeconds;
        return new TickCost(
            count,
            lateShare,
            server.CpuSeconds * 1e6 / count,
            server.CpuSeconds / server.Seconds / clients,
            server.AllocatedBytes / count,
            server.Collections is [var all, ..] ? all / count : 0,
            server.PauseSeconds * 1e6 / count);
    }
}

/// <summary>The kind of server that answered the clients.</summary>
public enum ServerKind
{
    /// <summary>The server of the run, which reported its own figures.</summary>
    Own,

    /// <summary>A server that was started separately from the run, of any program. There are no figures of the server.</summary>
    Separate,
}

/// <summary>The part of one load generator in a run with several.</summary>
/// <param name="Clients">The number of its clients.</param>
/// <param name="Messages">The messages that they received within the measurement.</param>
/// <param name="DurationSeconds">The length of its measurement in seconds.</param>
/// <param name="Cost">The resources that its process used meanwhile.</param>
public sealed record LoadGeneratorShare(int Clients, long Messages, double DurationSeconds, ProcessCost Cost);

/// <summary>The memory of the server's process without clients, and with all clients connected and idle; each after a full collection.</summary>
/// <param name="ResidentBytesBefore">Resident bytes before the first client connected.</param>
/// <param name="ResidentBytes">Resident bytes when all clients were connected and idle.</param>
/// <param name="ManagedBytesBefore">Bytes of the managed heap before the first client connected.</param>
/// <param name="ManagedBytes">Bytes of the managed heap when all clients were connected and idle.</param>
/// <param name="Clients">The number of clients.</param>
public sealed record ServerMemory(long ResidentBytesBefore, long ResidentBytes, long ManagedBytesBefore, long ManagedBytes, int Clients)
{
    /// <summary>Resident bytes for each client.</summary>
    public double ResidentBytesPerClient => (double)(ResidentBytes - ResidentBytesBefore) / Clients;

    /// <summary>Bytes of the managed heap for each client.</summary>
    public double ManagedBytesPerClient => (double)(ManagedBytes - ManagedBytesBefore) / Clients;
}

/// <summary>The TLS facts of a run, read from its connections and not from the request.</summary>
/// <param name="Key">The key type of the server's certificate, such as <c>Rsa2048</c> or <c>P256</c>; null if neither side reported it.</param>
/// <param name="Clients">The handshakes that the clients read from their connections; empty for a server by itself.</param>
/// <param name="Server">The handshakes that the server read from its own connections, of its whole life so far; null if it did not report them.</param>
/// <param name="OpenSslVersion">The version of the OpenSSL that .NET uses; null on systems on which it uses another library.</param>
internal sealed record TlsResult(string? Key, bool Mutual, IReadOnlyList<NegotiatedTls> Clients, IReadOnlyList<NegotiatedTls>? Server, string? OpenSslVersion)
{
    public static TlsResult? From(
        RunPlan plan, IReadOnlyList<NegotiatedTls> clients, ServerReport? server, EnvironmentInfo environment) => plan.Protocol.HasTls()
        ? new TlsResult(
            server?.Key ?? (clients is [var most, ..] ? most.Key : null), plan.Tls.Mutual, clients, server?.Handshakes, environment.OpenSslVersion)
        : null;

    /// <summary>
    /// Key, versions, ciphers and groups. The number of handshakes of each kind, and the number of them that resumed a session, are not part of it: they
    /// differ from launch to launch. OpenSSL's version is not part of it either: a comparison of two versions has to show a ratio.
    /// </summary>
    public string Negotiated => string.Join(", ", Clients
        .Select(handshake => $"TLS {handshake.Version} {handshake.Cipher}{(handshake.Group is { } group ? $" {group}" : string.Empty)}")
        .Distinct()
        .Order(StringComparer.Ordinal)
        .Prepend($"key {Key}"));
}
