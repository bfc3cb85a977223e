namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>
/// An object with a socket that a <see cref="PollLoop"/> serves. All calls come on the loop's thread, which owns the object from construction to disposal.
/// Disposing closes the connections and the socket; a second call does nothing.
/// </summary>
public interface IPollable : IDisposable
{
    /// <summary>The socket's descriptor (Unix) or handle (Windows).</summary>
    nint SocketHandle { get; }

    /// <summary>
    /// Called when the socket is readable. The callee may leave unread data: the loop calls again. The loop does not read the clock before the call:
    /// a callee reads it after each receive call that returned data (<see cref="WorkerStatistics.ReadClock"/>), and before it uses the time otherwise.
    /// </summary>
    void OnReadable();

    /// <summary>
    /// Called when the socket is writable again or a connect has completed, while the socket is watched for <see cref="Interest.Write"/>. Also called
    /// when the connection is broken, whatever the socket is watched for; a write then returns the error. If both apply, it is called before
    /// <see cref="OnReadable"/>. The loop has read the clock just before the call.
    /// </summary>
    void OnWritable()
    {
        // Most sockets are never watched for writability.
    }

    /// <summary>Called every <see cref="ClientSetup.TickInterval"/>, for timeouts and retransmission.</summary>
    void OnTick()
    {
        // A socket without timeouts has nothing to do.
    }
}

internal sealed class PollableTable
{
    private readonly List<IPollable?> _slots = [];

    // Because freed tokens are reused, a server that has accepted a million connections has no table of a million entries.
    private readonly Stack<int> _free = new();

    // The token of each pollable: a search through ten thousand entries for each removal would take the loop's time.
    private readonly Dictionary<IPollable, int> _tokens = new(ReferenceEqualityComparer.Instance);

    /// <summary>A free slot is null. Pollables that are added during an enumeration may be included.</summary>
    public IReadOnlyList<IPollable?> Slots => _slots;

    public int Add(IPollable pollable)
    {
        if (!_free.TryPop(out int token))
        {
            token = _slots.Count;
            _slots.Add(null);
        }

        _tokens.Add(pollable, token);
        _slots[token] = pollable;
        return token;
    }

    public bool TryFind(IPollable pollable, out int token) => _tokens.TryGetValue(pollable, out token);

    public bool Remove(IPollable pollable)
    {
        if (!_tokens.Remove(pollable, out int token))
        {
            return false;
        }

        _slots[token] = null;
        _free.Push(token);
        return true;
    }
}
