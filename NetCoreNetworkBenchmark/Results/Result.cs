using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>A result that can be shown as a report and is kept as JSON. Numbers are raw: only reports round.</summary>
/// <param name="Kind">The kind of the result.</param>
public abstract record Result(ResultKind Kind)
{
    /// <summary>The version of the schema that this program writes.</summary>
    public const int CurrentSchema = 2;

    /// <summary>The version of the schema. It is increased when a field changes its meaning or is removed, not when a field is added.</summary>
    [JsonPropertyOrder(-10)]
    public int Schema { get; init; } = CurrentSchema;

    /// <summary>The kind of the result.</summary>
    [JsonPropertyOrder(-9)]
    public ResultKind Kind { get; } = Kind;

    /// <summary>The version of the harness that made the result.</summary>
    [JsonPropertyOrder(-8)]
    public required string HarnessVersion { get; init; }
}

/// <summary>A result that was measured on one machine, by one command.</summary>
/// <param name="Kind">The kind of the result.</param>
public abstract record MeasuredResult(ResultKind Kind) : Result(Kind)
{
    /// <summary>The machine and the runtime.</summary>
    [JsonPropertyOrder(1)]
    public required EnvironmentInfo Environment { get; init; }

    /// <summary>The command line that repeats the measurement.</summary>
    [JsonPropertyOrder(3)]
    public required string Command { get; init; }
}

/// <summary>A result of one library over one transport.</summary>
/// <param name="Kind">The kind of the result.</param>
public abstract record LibraryResult(ResultKind Kind) : MeasuredResult(Kind)
{
    /// <summary>The library's name.</summary>
    [JsonPropertyOrder(-7)]
    public required string Library { get; init; }

    /// <summary>The version of the library's code that was actually loaded.</summary>
    [JsonPropertyOrder(-5)]
    public required string LibraryVersion { get; init; }

    /// <summary>The transport.</summary>
    [JsonPropertyOrder(-4)]
    public required string Protocol { get; init; }

    /// <summary>The kind of delivery.</summary>
    [JsonPropertyOrder(-3)]
    public required string Transmission { get; init; }

    /// <summary>The division of a stream into messages: <c>Fixed</c> or <c>Length</c>; null for datagrams.</summary>
    [JsonPropertyOrder(-2)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Framing { get; init; }

    /// <summary>Whether the sockets of a stream sent data without delay (<c>TCP_NODELAY</c>), at both sides; null for datagrams.</summary>
    [JsonPropertyOrder(-1)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public bool? NoDelay { get; init; }
}

/// <summary>The kinds of result.</summary>
public enum ResultKind
{
    /// <summary>One run: <see cref="RunResult"/>.</summary>
    Run,

    /// <summary>Several launches of one or more cases: <see cref="SuiteResult"/>.</summary>
    Suite,

    /// <summary>A server that was run by itself: <see cref="ServerResult"/>.</summary>
    Server,

    /// <summary>The search for the highest rate: <see cref="SweepResult"/>.</summary>
    Sweep,

    /// <summary>The search for the most clients: <see cref="CapacityResult"/>.</summary>
    [JsonStringEnumMemberName("maxClients")]
    Capacity,

    /// <summary>Two sets of results side by side: <see cref="ComparisonResult"/>.</summary>
    Comparison,
}
