namespace NetCoreNetworkBenchmark.Results;

/// <summary>The figures of one side of a run, as its process reports them.</summary>
public abstract record SideReport
{
    /// <summary>The version of the library's code that was actually loaded.</summary>
    public required string LibraryVersion { get; init; }

    /// <summary>The number of threads of this side; null if the library has threads of its own.</summary>
    public int? Threads { get; init; }

    /// <summary>The cores that this side was bound to; null if it was not bound.</summary>
    public SidePinning? Pinning { get; init; }

    /// <summary>The deviations of the adapter from the plan, a sentence each.</summary>
    public IReadOnlyList<string> Remarks { get; init; } = [];

    /// <summary>The errors of the whole run by name: dropped peers and socket errors.</summary>
    public required IReadOnlyDictionary<string, long> Errors { get; init; }

    /// <summary>The TLS handshakes that succeeded, over the whole life of the side; empty if there was no TLS.</summary>
    public IReadOnlyList<TlsHandshakes> Handshakes { get; init; } = [];

    /// <summary>The cost of the process during the measurement.</summary>
    public required ProcessCost Cost { get; init; }

    /// <summary>
    /// The cost of the process while the load was paused between slices of the measurement: the price of connections that do nothing. Null if there were no
    /// pauses.
    /// </summary>
    public ProcessCost? Idle { get; init; }

    /// <summary>The garbage collector of the process; null if it was not reported.</summary>
    public string? GarbageCollector { get; init; }

    /// <summary>The course of the measurement; null if it was not followed.</summary>
    public SideTimeline? Timeline { get; init; }

    /// <summary>Adds up counts by name.</summary>
    /// <param name="counts">The counts of each process; null for a process without a report.</param>
    /// <returns>The sums, ordered by name.</returns>
    public static SortedDictionary<string, long> SumByName(params IEnumerable<IReadOnlyDictionary<string, long>?> counts) => new(
        counts.SelectMany(count => count ?? new Dictionary<string, long>()).GroupBy(count => count.Key)
            .ToDictionary(named => named.Key, named => named.Sum(count => count.Value)),
        StringComparer.Ordinal);
}

/// <summary>The cores that one side was bound to.</summary>
/// <param name="Asked">The numbers of the requested cores.</param>
/// <param name="Cores">The numbers of the cores that any thread of its process could use, as that process read them back.</param>
public sealed record SidePinning(IReadOnlyList<int> Asked, IReadOnlyList<int> Cores);
