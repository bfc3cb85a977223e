using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>A search for the highest value of one variable of a plan at which a run holds.</summary>
public abstract record SearchResult(ResultKind Kind) : LibraryResult(Kind)
{
    /// <summary>The start of the first step, in UTC.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>The steps, by value.</summary>
    public required IReadOnlyList<SearchStep> Steps { get; init; }

    /// <summary>The reason why the search ended there, in a sentence.</summary>
    public required string Conclusion { get; init; }

    /// <summary>Whether the user ended the search early.</summary>
    public required bool Aborted { get; init; }

    /// <summary>Whether the lowest step that does not hold shows the limit of the machine or of this program instead of that of the library.</summary>
    internal bool IsUndecided => Steps.SkipWhile(step => step.Value <= HighestHeld).FirstOrDefault() is { IsSpoiled: true };

    private double HighestHeld => Steps.LastOrDefault(step => step.Holds)?.Value ?? 0;
}

/// <summary>One step of a search: a run in fresh processes.</summary>
/// <param name="Value">The value: messages per second, or clients.</param>
/// <param name="Reason">The reason why the run does not hold, in a few words; null if it holds.</param>
/// <param name="Result">The run; null if it failed.</param>
public sealed record SearchStep(double Value, string? Reason, RunResult? Result)
{
    /// <summary>Whether the run holds.</summary>
    public bool Holds => Reason is null;

    /// <summary>Whether the run ended before its time, so that it may have a transient error alone.</summary>
    internal bool IsFailed => !Holds && Result is null or { Clients.Aborted: true };

    /// <summary>Whether the machine was disturbed in the run, so that it does not show whether its value holds.</summary>
    internal bool IsUndecided => !Holds && Result is { Verdict.Disturbances.Count: > 0 };

    /// <summary>Whether the run shows the machine or this program instead of the library, so that it is worth another one.</summary>
    internal bool IsSpoiled => IsUndecided || HarnessLimit is not null;

    /// <summary>The part of this program that was the limit of the run, in a few words; null if none was, so that the library was.</summary>
    internal string? HarnessLimit => Holds || Result is null ? null : HarnessLimitOf(Result);

    internal static string? HarnessLimitOf(RunResult run) =>
        run is { IsOneWay: false, Schedule: { LateShare: > RateKnee.MaxShare } schedule }
            ? Invariant($"the clients were the limit: {schedule.LateShare:P1} of the messages were sent late (limit: {RateKnee.MaxShare:P0})")
        : run.LateInputs is > RateKnee.MaxShare and var late
            ? Invariant($"the clients were the limit: {late:P1} of their inputs were sent late (limit: {RateKnee.MaxShare:P0})")
        : (run.Relay?.Counts?.ToServer.Missed ?? 0) + (run.Relay?.Counts?.ToClients.Missed ?? 0) is > 0 and var missed
            ? Invariant($"the relay of the impairment was the limit: it missed {Plural.Format(missed, "datagram")}")
        : null;
}

/// <summary>The search for the highest rate, or number of clients, at which limits hold (<c>--sweep</c>).</summary>
public sealed record SweepResult() : SearchResult(ResultKind.Sweep)
{
    /// <summary>The variable of the plan whose highest value was searched.</summary>
    public SweepVariable Variable { get; init; }

    /// <summary>The limits as requested, such as p99=5ms.</summary>
    public required IReadOnlyList<string> Limits { get; init; }

    /// <summary>The highest rate at which all limits held, in messages per second; null if they held at none, or clients were searched.</summary>
    public double? HighestRate { get; init; }

    /// <summary>The highest number of clients at which all limits held; null if they held at none, or a rate was searched.</summary>
    public int? HighestClients { get; init; }

    internal double? Highest => Variable == SweepVariable.Clients ? HighestClients : HighestRate;

    internal SearchStep? HighestStep => Steps.LastOrDefault(step => step.Value == Highest);
}

/// <summary>The searches (<c>--sweep</c>) of several libraries under the same limits.</summary>
public sealed record SweepsResult() : Result(ResultKind.Sweeps)
{
    /// <summary>The search of each library, in the order of the command. An aborted command has fewer than libraries.</summary>
    public required IReadOnlyList<SweepResult> Sweeps { get; init; }

    /// <summary>Whether the user ended the searches early.</summary>
    public required bool Aborted { get; init; }

    /// <summary>The machine and the runtime.</summary>
    public required EnvironmentInfo Environment { get; init; }

    /// <summary>The command line that repeats the searches.</summary>
    public required string Command { get; init; }
}

/// <summary>The variable whose highest value a search finds.</summary>
public enum SweepVariable
{
    /// <summary>The rate, in messages per second over all clients.</summary>
    Rate,

    /// <summary>The number of clients. A rate for each client stays the same.</summary>
    Clients,
}

/// <summary>The search for the most clients that are all served within a deadline.</summary>
public sealed record CapacityResult() : SearchResult(ResultKind.Capacity)
{
    /// <summary>The most clients that could be tried.</summary>
    public required int Bound { get; init; }

    /// <summary>The source of that bound.</summary>
    public required ClientBoundKind BoundBy { get; init; }

    /// <summary>The most clients that were all served within the deadline; null if there was no such number.</summary>
    public int? HighestClients { get; init; }

    /// <summary>The conditions that could disturb the search, as found before the first step.</summary>
    [JsonPropertyOrder(2)]
    public required Fitness Fitness { get; init; }
}

/// <summary>The source of the bound on the number of clients that can be tried.</summary>
public enum ClientBoundKind
{
    /// <summary>The user (<c>--clients</c>).</summary>
    Requested,

    /// <summary>The library's protocol.</summary>
    Protocol,

    /// <summary>The open descriptors that a process may have.</summary>
    Descriptors,

    /// <summary>The ports that the system gives to clients of one address.</summary>
    Ports,
}

/// <summary>The figures of a server that was run by itself (<c>--role Server</c>), for all its clients together.</summary>
public sealed record ServerResult() : LibraryResult(ResultKind.Server)
{
    /// <summary>The end point on which the server listened.</summary>
    public required string EndPoint { get; init; }

    /// <summary>The start of the server, in UTC.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>The time in seconds from the first to the last message, with the idle time between them; null if no message was counted.</summary>
    public double? DurationSeconds { get; init; }

    /// <summary>The figures of the server while it had messages, or over its whole life. Ends of connections are no errors.</summary>
    public required ServerReport Server { get; init; }

    /// <summary>The conditions that could disturb the server.</summary>
    [JsonPropertyOrder(2)]
    public required Fitness Fitness { get; init; }
}
