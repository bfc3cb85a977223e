namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>The pollables of a loop by their tokens, which are small numbers that are given again when they are free.</summary>
internal sealed class PollableTable
{
    private readonly List<IPollable?> _places = [];

    // So a server which has seen a million connections has no table of a million.
    private readonly Stack<int> _free = new();

    // Where each stands: to look through ten thousand for each that is removed would take the loop's time.
    private readonly Dictionary<IPollable, int> _tokens = new(ReferenceEqualityComparer.Instance);

    /// <summary>The pollables; a place that is free has null. Those that are added meanwhile may be among them.</summary>
    public IReadOnlyList<IPollable?> Places => _places;

    /// <summary>Adds a pollable.</summary>
    /// <returns>Its token.</returns>
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

    /// <summary>Finds the token of a pollable.</summary>
    public bool TryFind(IPollable pollable, out int token) => _tokens.TryGetValue(pollable, out token);

    /// <summary>Removes a pollable.</summary>
    /// <returns>False where it is not there.</returns>
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
