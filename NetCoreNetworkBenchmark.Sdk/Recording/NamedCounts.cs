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

    /// <summary>Returns a copy in which some names count only what none of the others counts.</summary>
    /// <param name="every">The names that every event is counted by, of which one is in use.</param>
    public SortedDictionary<string, long> CopyWithRest(params ReadOnlySpan<string> every)
    {
        SortedDictionary<string, long> counts = Copy();
        foreach (string name in every)
        {
            if (counts.Remove(name, out long events) && events > counts.Values.Sum())
            {
                counts[name] = events - counts.Values.Sum();
            }
        }

        return counts;
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
