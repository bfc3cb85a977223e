namespace NetCoreNetworkBenchmark.Recording;

/// <summary>Counts rare events by name. From any thread.</summary>
internal sealed class NamedCounts
{
    private readonly Lock _lock = new();
    private readonly SortedDictionary<string, long> _counts = new(StringComparer.Ordinal);

    /// <summary>Adds to the count of a name.</summary>
    public void Add(string name, long count)
    {
        lock (_lock)
        {
            _counts[name] = _counts.GetValueOrDefault(name) + count;
        }
    }

    /// <summary>Returns a copy of the counts so far, sorted by name.</summary>
    public SortedDictionary<string, long> Copy()
    {
        lock (_lock)
        {
            return new SortedDictionary<string, long>(_counts, StringComparer.Ordinal);
        }
    }
}
