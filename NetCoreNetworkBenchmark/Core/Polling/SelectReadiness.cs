using System.Net.Sockets;

namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>Readiness by <see cref="Socket.Select(System.Collections.IList, System.Collections.IList, System.Collections.IList, TimeSpan)"/>: on every system, at a cost that grows with the number of sockets.</summary>
internal sealed class SelectReadiness : IReadiness
{
    private readonly Dictionary<nint, Socket> _sockets = [];
    private readonly Dictionary<Socket, int> _tokens = [];
    private readonly List<Socket> _candidates = [];

    public void Add(nint socket, int token)
    {
        // The handle stays its owner's: this wrapper only makes it visible to Select.
        var view = new Socket(new SafeSocketHandle(socket, ownsHandle: false));
        _sockets.Add(socket, view);
        _tokens.Add(view, token);
    }

    public void Remove(nint socket)
    {
        if (_sockets.Remove(socket, out Socket? view))
        {
            _tokens.Remove(view);
            view.SafeHandle.SetHandleAsInvalid();
        }
    }

    public int Wait(Span<int> tokens, int timeout) => Select(tokens, TimeSpan.FromMilliseconds(timeout));

    // Select counts in microseconds, and rounds down.
    public int WaitExactly(Span<int> tokens, long nanoseconds) =>
        Select(tokens, TimeSpan.FromTicks(Math.Max(nanoseconds, 0) / TimeSpan.NanosecondsPerTick));

    public void Dispose()
    {
        foreach (nint socket in _sockets.Keys.ToArray())
        {
            Remove(socket);
        }
    }

    private int Select(Span<int> tokens, TimeSpan timeout)
    {
        _candidates.Clear();
        _candidates.AddRange(_tokens.Keys);
        Socket.Select(_candidates, null, null, timeout);
        int count = Math.Min(tokens.Length, _candidates.Count);
        for (int index = 0; index < count; index++)
        {
            tokens[index] = _tokens[_candidates[index]];
        }

        return count;
    }
}
