namespace NetCoreNetworkBenchmark.Contracts;

/// <summary>One load of a part of the predefined benchmark, which every library runs that has what it needs.</summary>
/// <param name="Title">The heading, such as "Benchmark 1".</param>
/// <param name="Workload">The test.</param>
/// <param name="Template">The plan. Its library and its test are replaced. Its duration is the time of all slices of a case in a process set.</param>
public sealed record Benchmark(string Title, IWorkload Workload, RunPlan Template)
{
    /// <summary>The number of process sets of a benchmark that determines no other.</summary>
    public const int DefaultSets = 3;

    /// <summary>The number of process sets, at least; of a part without slices, the number of launches.</summary>
    public int Launches { get; init; } = DefaultSets;

    /// <summary>The heading of the part of the page that contains the benchmark; null for the first part, which has none.</summary>
    public string? Part { get; init; }

    /// <summary>The name of this load among others with the same heading, which are compared; null if libraries are compared.</summary>
    public string? Variant { get; init; }

    /// <summary>The row of the benchmark in the table of its part, with a column for each library; null if it has a table of its own.</summary>
    public BenchmarkRow? Row { get; init; }

    /// <summary>The half width of a ratio's interval at which the benchmark ends, such as 0.05 for ±5 %.</summary>
    public double TargetHalfWidth { get; init; } = 0.1;

    /// <summary>Whether raw sockets are not ranked among the libraries.</summary>
    public bool HasBaselines { get; init; }

    /// <summary>Whether a library with a tuned profile is a case in both profiles.</summary>
    public bool WithTunedProfiles { get; init; }

    /// <summary>The names of settings each of whose values is a case.</summary>
    public IReadOnlyList<string> VariedSettings { get; init; } = [];

    /// <summary>Whether each library's own clients drive its server, although the fastest would normally drive all.</summary>
    public bool OwnClients { get; init; }

    /// <summary>Whether the fastest clients drive the server of every library with plain datagrams, as they do over streams.</summary>
    public bool SharesClients { get; init; }

    /// <summary>The libraries of the benchmark, besides what the load requires of them.</summary>
    public Func<LibraryInfo, bool> Condition { get; init; } = _ => true;
}

/// <summary>A benchmark as a row of a table.</summary>
/// <param name="Table">The table.</param>
/// <param name="Load">The first cell: the load.</param>
/// <param name="Published">The messages per second that were published for this load, measured on another machine; null if none were published.</param>
public sealed record BenchmarkRow(RowTable Table, string Load, double? Published = null);

/// <summary>The figures in a table with a row for each benchmark.</summary>
public enum RowTable
{
    /// <summary>The least, mean and largest round trip.</summary>
    Latencies,

    /// <summary>The time from the first message to the last answer, and the messages per second in it.</summary>
    TotalTimes,
}
