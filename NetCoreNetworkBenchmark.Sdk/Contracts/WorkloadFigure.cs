namespace NetCoreNetworkBenchmark.Contracts;

/// <summary>A figure that a workload measures in addition to those of every run.</summary>
/// <param name="Name">The name, as it is shown.</param>
/// <param name="Value">The value.</param>
/// <param name="Unit">The unit, such as s or bytes; empty for a number of things.</param>
/// <param name="Merge">The value of several load generators together.</param>
public sealed record WorkloadFigure(string Name, double Value, string Unit, FigureMerge Merge)
{
    /// <summary>The name of the time of a load that ends by itself. If it was repeated, the value is the mean of the repetitions.</summary>
    public const string WholeTime = "Time from the first message to the last answer";

    /// <summary>The name of the number of clients whose message was answered within the loss deadline, in a test that searches for the most clients.</summary>
    public const string ClientsServed = "Clients that were served within the deadline";

    /// <summary>The name of the distribution of the ages of states, from the time at which an input was due until another client received its state.</summary>
    public const string AgeOfState = "Age of a state";

    /// <summary>The name of the distribution of the latencies of events, from the time at which one was due until another client received it.</summary>
    public const string LatencyOfEvent = "Latency of an event";

    /// <summary>The name of the distribution of the round trips of small messages that are sent beside bulk messages.</summary>
    public const string RoundTripOfSmall = "Round trip of a small message";

    /// <summary>Merges the figures of several load generators.</summary>
    /// <param name="figures">The figures of all load generators.</param>
    /// <returns>One figure for each name, in the order in which the names first occur.</returns>
    public static IReadOnlyList<WorkloadFigure> MergeAll(IEnumerable<WorkloadFigure> figures) =>
    [
        .. figures.GroupBy(figure => figure.Name).Select(named => named.First() with
        {
            Value = named.First().Merge == FigureMerge.Sum ? named.Sum(figure => figure.Value) : named.Max(figure => figure.Value),
        }),
    ];
}

/// <summary>The value of a figure for several load generators together.</summary>
public enum FigureMerge
{
    /// <summary>The sum.</summary>
    Sum,

    /// <summary>The largest value.</summary>
    Largest,
}
