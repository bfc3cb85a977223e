namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>The pollables of a loop by their tokens. Tokens are small numbers that are reused after they are freed.</summary>
internal sealed class PollableTable
{
    private readonly List<IPollable?> _places = [];

    // Because freed tokens are reused, a server that has accepted a million connections has no table of a million entries.
    private readonly Stack<int> _free = new();

    // The token of each pollable: a search through ten thousand entries for each removal would take the loop's time.
    private readonly Dictionary<IPollable, int> _tokens = new(ReferenceEqualityComparer.Instance);

    /// <summary>The pollables; a free slot is null. Pollables that are added during an enumeration may be included.</summary>
    public IReadOnlyList<IPollable?> Places => _places;

    public int Add(IPollable pollable)
    {
        if (!_free.TryPop(out int token))
        {
            token = _places.Count;
            _places.Add(null);
        }

        _tokens.Add(pollable, token);
        _places[token] = pollable;
        return token;
    }

    public bool TryFind(IPollable pollable, out int token) => _tokens.TryGetValue(pollable, out token);

    public bool Remove(IPollable pollable)
    {
        if (!_tokens.Remove(pollable, out int token))
        {
            return false;
        }

        _places[token] = null;
        _free.Push(token);
        return true;
    }
}
