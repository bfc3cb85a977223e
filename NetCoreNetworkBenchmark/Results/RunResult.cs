using System.Collections.ObjectModel;
using System.Text.Json.Serialization;
using NetCoreNetworkBenchmark.Contracts;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>
/// The figures of one run, with all data that is needed to interpret them. This is the one schema that reports and
/// comparisons read. Docs/results.md describes its JSON form. Numbers are raw: only reports round.
/// </summary>
public sealed record RunResult() : LibraryResult(ResultKind.Run)
{
    /// <summary>The name of the profile with the defaults of all settings.</summary>
    public const string DefaultProfile = "Default";

    /// <summary>Returns the library and profile as named in a report.</summary>
    /// <param name="library">The library's name.</param>
    /// <param name="profile">The profile's name.</param>
    /// <param name="variant">The value of a setting by which the case differs from others of its library; null if there are no others.</param>
    /// <returns>The library's name, with the variant in brackets, or the profile if it is not the default.</returns>
    public static string NameOf(string library, string profile, string? variant = null) =>
        (variant ?? (profile == DefaultProfile ? null : profile.ToLowerInvariant())) is { } mark ? $"{library} ({mark})" : library;

    /// <summary>
    /// The identity of the measurement, which its histogram log has too; null in results of earlier versions. It is counted once, wherever its files are.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    [JsonPropertyOrder(-8)]
    public Guid? Id { get; init; }

    /// <summary>The profile of the library's settings that were not chosen: <c>Default</c>, out of the box, or <c>Tuned</c>.</summary>
    [JsonPropertyOrder(-6)]
    public string Profile { get; init => field = value ?? DefaultProfile; } = DefaultProfile;

    /// <summary>The value of a setting by which the case differs from others of its library in a benchmark; null if there are no others.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    [JsonPropertyOrder(-6)]
    public string? Variant { get; init; }

    /// <summary>The library and profile as named in a report: the profile only if it is not the default.</summary>
    [JsonIgnore]
    public string Name => NameOf(Library, Profile, Variant);

    /// <summary>The library whose clients drove the server over a stream, even if it was the server's own; null for datagrams.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? ClientLibrary { get; init; }

    /// <summary>The version of that library's code that was actually loaded.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? ClientLibraryVersion { get; init; }

    /// <summary>The TLS facts of the run; null if there was no TLS.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public TlsResult? Tls { get; init; }

    /// <summary>The workload.</summary>
    public required string Test { get; init; }

    /// <summary>The values of the options that only this workload has, by name; null if it has none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyDictionary<string, string>? TestOptions { get; init; }

    /// <summary>The layout of the figures in a report; null for that of the original harness.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public FigureLayout? Layout { get; init; }

    /// <summary>The address of the server, or of the multicast group.</summary>
    public required string Address { get; init; }

    /// <summary>The address of the interface that carried the multicast group; null if there was none.</summary>
    public string? MulticastInterface { get; init; }

    /// <summary>The port that the server actually used.</summary>
    public required int Port { get; init; }

    /// <summary>The number of clients that were connected at the same time.</summary>
    public required int Clients { get; init; }

    /// <summary>
    /// Messages that every client kept in flight. For a server that sends unasked, the number of messages that a client's receive buffer was asked to hold.
    /// </summary>
    public required int ParallelMessages { get; init; }

    /// <summary>The size of a message in bytes.</summary>
    public required int MessageSize { get; init; }

    /// <summary>The kind of bytes in a message.</summary>
    public required string MessageLoad { get; init; }

    /// <summary>The library's settings by name, including those that were not chosen.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init => field = value ?? ReadOnlyDictionary<string, string>.Empty; } =
        ReadOnlyDictionary<string, string>.Empty;

    /// <summary>The number of server threads that the library was asked for; null if its threads are its own, or if the server did not report it.</summary>
    public int? ServerThreads { get; init; }

    /// <summary>The number of threads that served the clients, never more than there were clients; null if the library's threads are its own.</summary>
    public int? ClientThreads { get; init; }

    /// <summary>The cores that the sides were bound to; null if neither was bound.</summary>
    public PinningResult? Pinning { get; init; }

    /// <summary>The deviations of the library's adapter from the plan, a sentence each.</summary>
    public IReadOnlyList<string> Remarks { get; init => field = value ?? []; } = [];

    /// <summary>The start of the measurement, in UTC.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>The time in seconds from the creation of the first client to the connection of the last; null in results of earlier versions.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? ConnectSeconds { get; init; }

    /// <summary>The memory that idle clients cost the server; null if the workload does not measure it.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ServerMemory? ServerMemory { get; init; }

    /// <summary>The hosts; null if all processes were on one machine.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public HostsResult? Hosts { get; init; }

    /// <summary>The part of each load driver; null if one driver ran all clients.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<LoadGeneratorShare>? Drivers { get; init; }

    /// <summary>The workload's own figures; null if it has none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<WorkloadFigure>? Figures { get; init; }

    /// <summary>The actual length of the load before the measurement, in seconds.</summary>
    public required double WarmUpSeconds { get; init; }

    /// <summary>True if the warm-up ended because the rate was steady; false if its bound ended it.</summary>
    public required bool WarmUpSteady { get; init; }

    /// <summary>The requested length of the measurement, in seconds.</summary>
    public required double DefinedDurationSeconds { get; init; }

    /// <summary>The actual length of the measurement, in seconds.</summary>
    public required double DurationSeconds { get; init; }

    /// <summary>Messages within the measurement, by sender or receiver.</summary>
    public required MessageTotals Messages { get; init; }

    /// <summary>The distribution of the messages over the clients; null if the test does not report it.</summary>
    public ClientShares? ClientShares { get; init; }

    /// <summary>Messages that were found lost from the start of the measurement to the end of the drain.</summary>
    public required long Lost { get; init; }

    /// <summary>Second answers to the same message, over the same time.</summary>
    public required long Duplicated { get; init; }

    /// <summary>Answers that came after the answer to a later message, over the same time.</summary>
    public required long Reordered { get; init; }

    /// <summary>Answers that were wrong in size or content, over the same time.</summary>
    public required long Corrupted { get; init; }

    /// <summary>Errors of the whole run: dropped peers and socket errors.</summary>
    public required long Errors { get; init; }

    /// <summary><see cref="Errors"/> by name.</summary>
    public required IReadOnlyDictionary<string, long> ErrorsByName { get; init; }

    /// <summary>Traffic that reached the server but came from no client, over the same time, by name; null if there was none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyDictionary<string, long>? Foreign { get; init; }

    /// <summary>The heartbeats; null if the plan has none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public HeartbeatCounts? Heartbeats { get; init; }

    /// <summary>The connections that were lost and opened again; null if clients do not connect again.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ReconnectionResult? Reconnections { get; init; }

    /// <summary>The whole run with warm-up and drain, in which sent = received + lost + unanswered holds.</summary>
    public required RunTotals Totals { get; init; }

    /// <summary>The kind of messages that were counted and timed: those that came back, or those that the server sent unasked.</summary>
    public LatencyKind LatencyKind { get; init; }

    /// <summary>Messages that clients received per second of the measurement: round trips, or messages that the server sent to them.</summary>
    public required double MessagesPerSecond { get; init; }

    /// <summary>Payload that came back to clients, in units of 1,048,576 bytes a second.</summary>
    public required double MegabytesPerSecond { get; init; }

    /// <summary>
    /// Latencies of the measurement, in microseconds, of the kind in <see cref="LatencyKind"/>. Null if none was measured, for example
    /// because one-way latencies would need two clocks.
    /// </summary>
    public required LatencySummary? LatencyMicroseconds { get; init; }

    /// <summary>
    /// The same round trips as seen by a client that waits for each answer before it sends again; null in a closed loop. The part that it
    /// hides is the reason why <see cref="LatencyMicroseconds"/> counts from the time at which a message was due.
    /// </summary>
    public LatencySummary? UncorrectedLatencyMicroseconds { get; init; }

    /// <summary>The parts of the latencies, such as the handshake of a connection, in their order; null if the test has none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<LatencyPart>? Parts { get; init; }

    /// <summary>The distributions of the test's other times, such as that of a burst; null if the test has none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<TimeDistribution>? Distributions { get; init; }

    /// <summary>The histogram of all round trips in nanoseconds, in HdrHistogram's compressed V2 encoding; null if there was none.</summary>
    public string? Histogram { get; init; }

    /// <summary>The histogram behind <see cref="UncorrectedLatencyMicroseconds"/>.</summary>
    public string? UncorrectedHistogram { get; init; }

    /// <summary>The measurement in equal parts; one part if no more were requested.</summary>
    public required IReadOnlyList<IterationResult> Iterations { get; init; }

    /// <summary>The accuracy with which the schedule was kept; null in a closed loop.</summary>
    public ScheduleResult? Schedule { get; init; }

    /// <summary>The cost of the processes.</summary>
    public required RunCosts Costs { get; init; }

    /// <summary>
    /// The cost of the processes while the load was paused between slices of the measurement: the price of connections that do nothing. Null if the
    /// measurement had no pauses.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public RunCosts? IdleCosts { get; init; }

    /// <summary>The settings of .NET's runtime that were asked for; null if none were.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public RuntimeResult? Runtime { get; init; }

    /// <summary>The course of the measurement at each side; null in results of earlier versions.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public TimelineResult? Timeline { get; init; }

    /// <summary>The kind of server that answered.</summary>
    public required ServerKind Server { get; init; }

    /// <summary>The intended impairment of the traffic; null if there was none.</summary>
    public ImpairmentResult? Impairment { get; init; }

    /// <summary>The conditions that could disturb the run.</summary>
    public required Fitness Fitness { get; init; }

    /// <summary>Whether the figures may be used.</summary>
    public required bool Valid { get; init; }

    /// <summary>The reasons why the figures may not be used, a sentence each; empty if they may be used.</summary>
    public required IReadOnlyList<string> InvalidReasons { get; init; }

    /// <summary>
    /// Whether the run is invalid only because of other work on the machine. Then it indicates no fault of the library, and several launches
    /// can do without it.
    /// </summary>
    public bool Disturbed { get; init; }

    /// <summary>Whether the user ended the run early.</summary>
    public required bool Aborted { get; init; }
}
