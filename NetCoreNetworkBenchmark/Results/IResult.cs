using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>A result that can be shown as a report and is kept as JSON. Numbers are raw: only reports round.</summary>
public interface IResult
{
    /// <summary>The version of the schema that this program writes.</summary>
    const int CurrentSchema = 2;

    /// <summary>The version of the schema. It is increased when a field changes its meaning or is removed, not when a field is added.</summary>
    int Schema { get; }

    /// <summary>The kind of the result.</summary>
    ResultKind Kind { get; }
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
