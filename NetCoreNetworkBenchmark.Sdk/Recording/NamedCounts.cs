namespace NetCoreNetworkBenchmark.Recording;

/// <summary>Can be used from any thread.</summary>
internal sealed class NamedCounts
{
    private readonly Lock _lock = new();
    private readonly SortedDictionary<string, long> _counts = new(StringComparer.Ordinal);

    public void Add(string name, long count)
    {
        lock (_lock)
        {
            _counts[name] = _counts.GetValueOrDefault(name) + count;
        }
    }

    public SortedDictionary<string, long> Copy()
    {
        lock (_lock)
        {
            return new SortedDictionary<string, long>(_counts, StringComparer.Ordinal);
        }
    }
}
