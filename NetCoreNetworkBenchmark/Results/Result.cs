using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>A result that can be shown as a report and is kept as JSON. Numbers are raw: only reports round.</summary>
public abstract record Result(ResultKind Kind)
{
    /// <summary>The version of the schema that this program writes.</summary>
    public const int CurrentSchema = 4;

    // The serializer writes what a derived record declares before what its base does. Negative orders put the identity of a result first, and positive ones the
    // circumstances last.

    /// <summary>The version of the schema. It is increased when a field changes its meaning or is removed, not when a field is added.</summary>
    [JsonPropertyOrder(-10)]
    public int Schema { get; init; } = CurrentSchema;

    /// <summary>The kind of the result.</summary>
    [JsonPropertyOrder(-9)]
    public ResultKind Kind { get; } = Kind;

    /// <summary>The version of the harness that made the result.</summary>
    [JsonPropertyOrder(-8)]
    public required string HarnessVersion { get; init; }

    /// <summary>Whether each limit holds, with the name of its case; null if there is one case.</summary>
    internal virtual IEnumerable<(LimitResult Limit, string? Case)> AllLimits => [];
}

/// <summary>A result of one library under one plan, measured on one machine by one command.</summary>
public abstract record LibraryResult(ResultKind Kind) : Result(Kind)
{
    /// <summary>The plan: everything that was requested.</summary>
    [JsonPropertyOrder(-7)]
    public required RunPlan Plan { get; init; }

    /// <summary>The version of the server's library, as loaded by the process that used it.</summary>
    [JsonPropertyOrder(-6)]
    public required string LibraryVersion { get; init; }

    /// <summary>The machine and the runtime.</summary>
    [JsonPropertyOrder(1)]
    public required EnvironmentInfo Environment { get; init; }

    /// <summary>The command line that repeats the measurement.</summary>
    [JsonPropertyOrder(3)]
    public required string Command { get; init; }

    internal string Library => Plan.Library;

    internal string Protocol => Plan.Protocol.OptionText();

    internal string Transmission => Plan.Transmission.ToString();

    internal string? Framing => Plan.Protocol.IsStream() ? Plan.Framing.ToString() : null;

    /// <summary>The library whose clients drove the server: over a stream, even if it was the server's own; null for its own over datagrams.</summary>
    internal string? ClientLibrary => Plan.Protocol.IsStream() ? Plan.ForClients().Library : Plan.ClientLibrary;

    internal string Name => NameOf(Plan);

    /// <summary>Returns the library as named in a report: with the variant in brackets if there is one, or the profile if it is not the default.</summary>
    public static string NameOf(RunPlan plan) =>
        (plan.Variant ?? (plan.Profile == Profile.Default ? null : plan.Profile.ToString().ToLowerInvariant())) is { } mark
            ? $"{plan.Library} ({mark})"
            : plan.Library;
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

    /// <summary>The search for the highest rate or number of clients: <see cref="SweepResult"/>.</summary>
    Sweep,

    /// <summary>The searches of several libraries: <see cref="SweepsResult"/>.</summary>
    Sweeps,

    /// <summary>The search for the most clients: <see cref="CapacityResult"/>.</summary>
    [JsonStringEnumMemberName("maxClients")]
    Capacity,

    /// <summary>Two sets of results side by side: <see cref="ComparisonResult"/>.</summary>
    Comparison,
}
