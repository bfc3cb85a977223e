using System.Collections.ObjectModel;
using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>
/// What one run measured, and everything that is needed to know what the figures mean. This is the one schema that reports and
/// comparisons read; Docs/results.md describes its JSON form. Numbers are raw: only reports round.
/// </summary>
public sealed record RunResult : IResult
{
    /// <summary>The name of the profile with the defaults of all settings.</summary>
    public const string DefaultProfile = "Default";

    /// <inheritdoc/>
    public int Schema { get; init; } = IResult.CurrentSchema;

    /// <inheritdoc/>
    public ResultKind Kind => ResultKind.Run;

    /// <summary>Library and profile as a report names them.</summary>
    /// <param name="library">The library's name.</param>
    /// <param name="profile">The profile's name.</param>
    /// <returns>The library's name, with the profile in brackets where it is not the default.</returns>
    public static string NameOf(string library, string profile) =>
        profile == DefaultProfile ? library : $"{library} ({profile.ToLowerInvariant()})";

    /// <summary>The version of the harness that measured.</summary>
    public required string HarnessVersion { get; init; }

    /// <summary>The library's name.</summary>
    public required string Library { get; init; }

    /// <summary>Which values the library's settings had that were not chosen: <c>Default</c>, out of the box, or <c>Tuned</c>.</summary>
    public string Profile { get; init => field = value ?? DefaultProfile; } = DefaultProfile;

    /// <summary>Library and profile as a report names them: the profile only where it is not the default.</summary>
    [JsonIgnore]
    public string Name => NameOf(Library, Profile);

    /// <summary>The version of the library's code that was really loaded.</summary>
    public required string LibraryVersion { get; init; }

    /// <summary>The transport.</summary>
    public required string Protocol { get; init; }

    /// <summary>The kind of delivery.</summary>
    public required string Transmission { get; init; }

    /// <summary>How a stream was divided into messages: <c>Fixed</c> or <c>Length</c>; null for datagrams.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Framing { get; init; }

    /// <summary>Whether the sockets of a stream sent at once what they were given (<c>TCP_NODELAY</c>), at both sides; null for datagrams.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public bool? NoDelay { get; init; }

    /// <summary>The library whose clients drove the server over a stream, also where it was the server's own; null for datagrams.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? ClientLibrary { get; init; }

    /// <summary>The version of that library's code that was really loaded.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? ClientLibraryVersion { get; init; }

    /// <summary>What there is to say of TLS; null where there was none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public TlsResult? Tls { get; init; }

    /// <summary>The workload.</summary>
    public required string Test { get; init; }

    /// <summary>The server's address, or the multicast group's.</summary>
    public required string Address { get; init; }

    /// <summary>The address of the interface that carried the multicast group; null where there was none.</summary>
    public string? MulticastInterface { get; init; }

    /// <summary>The server's port, as it really was.</summary>
    public required int Port { get; init; }

    /// <summary>Clients that were connected at the same time.</summary>
    public required int Clients { get; init; }

    /// <summary>Messages that every client kept in flight; of a server that sends unasked, messages that a client's receive buffer was asked to hold.</summary>
    public required int ParallelMessages { get; init; }

    /// <summary>Bytes of a message.</summary>
    public required int MessageSize { get; init; }

    /// <summary>What the bytes of a message were.</summary>
    public required string MessageLoad { get; init; }

    /// <summary>The library's settings by name, those that were not chosen among them.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init => field = value ?? ReadOnlyDictionary<string, string>.Empty; } = ReadOnlyDictionary<string, string>.Empty;

    /// <summary>Threads of the server that were asked of the library; null where its threads are its own, or where the server did not tell.</summary>
    public int? ServerThreads { get; init; }

    /// <summary>Threads that served the clients, never more than there were clients; null where the library's threads are its own.</summary>
    public int? ClientThreads { get; init; }

    /// <summary>The cores that the sides were bound to; null where neither was.</summary>
    public PinningResult? Pinning { get; init; }

    /// <summary>What the library's adapter did otherwise than it was asked to, a sentence each.</summary>
    public IReadOnlyList<string> Remarks { get; init => field = value ?? []; } = [];

    /// <summary>When the measurement began, in UTC.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>Seconds of load before it counted, as long as it really took.</summary>
    public required double WarmUpSeconds { get; init; }

    /// <summary>Whether the warm-up ended because the rate was steady; otherwise its bound ended it.</summary>
    public required bool WarmUpSteady { get; init; }

    /// <summary>Seconds that the measurement was asked to take.</summary>
    public required double DefinedDurationSeconds { get; init; }

    /// <summary>Seconds that the measurement really took.</summary>
    public required double DurationSeconds { get; init; }

    /// <summary>Messages within the measurement, by who sent or received them.</summary>
    public required MessageTotals Messages { get; init; }

    /// <summary>How the messages were spread over the clients; null where the test does not tell.</summary>
    public ClientShares? ClientShares { get; init; }

    /// <summary>Messages that were found lost from the begin of the measurement to the end of the drain.</summary>
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

    /// <summary>Traffic that reached the server and was no client's, over the same time, by name; null where there was none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyDictionary<string, long>? Foreign { get; init; }

    /// <summary>The whole run with warm-up and drain, where sent = received + lost + unanswered holds.</summary>
    public required RunTotals Totals { get; init; }

    /// <summary>Whether messages were counted and timed that came back, or that the server sent unasked.</summary>
    public LatencyKind LatencyKind { get; init; }

    /// <summary>Messages that clients received per second of the measurement: round trips, or what the server sent to them.</summary>
    public required double MessagesPerSecond { get; init; }

    /// <summary>Payload that came back to clients, in units of 1,048,576 bytes a second.</summary>
    public required double MegabytesPerSecond { get; init; }

    /// <summary>
    /// Latencies of the measurement, in microseconds, of the kind that <see cref="LatencyKind"/> says; null where none was measured, as where
    /// those of one way would need two clocks.
    /// </summary>
    public required LatencySummary? LatencyMicroseconds { get; init; }

    /// <summary>
    /// The same round trips as a client would have seen them that waits for each answer before it sends on; null in a closed loop.
    /// What it hides is why <see cref="LatencyMicroseconds"/> counts from the time a message was due.
    /// </summary>
    public LatencySummary? UncorrectedLatencyMicroseconds { get; init; }

    /// <summary>The histogram of all round trips in nanoseconds, in HdrHistogram's compressed V2 encoding; null where there was none.</summary>
    public string? Histogram { get; init; }

    /// <summary>The histogram behind <see cref="UncorrectedLatencyMicroseconds"/>.</summary>
    public string? UncorrectedHistogram { get; init; }

    /// <summary>The measurement in equal parts, one where no more were asked for.</summary>
    public required IReadOnlyList<IterationResult> Iterations { get; init; }

    /// <summary>How the schedule was kept; null in a closed loop.</summary>
    public ScheduleResult? Schedule { get; init; }

    /// <summary>What the processes cost.</summary>
    public required RunCosts Costs { get; init; }

    /// <summary>Who answered.</summary>
    public required ServerKind Server { get; init; }

    /// <summary>What was done to the traffic on purpose; null where nothing was.</summary>
    public ImpairmentResult? Impairment { get; init; }

    /// <summary>What could disturb the run.</summary>
    public required Fitness Fitness { get; init; }

    /// <summary>Whether the figures may be used.</summary>
    public required bool Valid { get; init; }

    /// <summary>Why they may not, a sentence each; empty where they may.</summary>
    public required IReadOnlyList<string> InvalidReasons { get; init; }

    /// <summary>
    /// Whether nothing but other work on the machine makes it invalid: then it tells nothing against the library, and several launches
    /// can do without it.
    /// </summary>
    public bool Disturbed { get; init; }

    /// <summary>Whether the user ended the run before its time.</summary>
    public required bool Aborted { get; init; }

    /// <summary>Where it ran.</summary>
    public required EnvironmentInfo Environment { get; init; }

    /// <summary>The command line that repeats the run.</summary>
    public required string Command { get; init; }
}
