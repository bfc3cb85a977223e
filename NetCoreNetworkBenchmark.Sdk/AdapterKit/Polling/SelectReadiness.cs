namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>
/// Readiness by select, which every system has. Its cost grows with the number of sockets. Windows has no limit of 64 sockets at run time: FD_SETSIZE of
/// winsock2.h is the length of an array that the caller provides, and .NET provides one of the needed length.
/// </summary>
public sealed class SelectReadiness : IReadiness
{
    // A timer of Windows fires at the end of its period, so a wait is late by up to one. The caller polls for the rest.
    private static readonly TimeSpan s_lateness = OperatingSystem.IsWindows() ? TimeSpan.FromMilliseconds(SysTimeApi.FinestPeriod) : TimeSpan.Zero;

    private readonly Dictionary<nint, Watched> _watched = [];
    private readonly List<Socket> _readable = [];
    private readonly List<Socket> _writable = [];
    private readonly List<Socket> _broken = [];
    private readonly Dictionary<int, Interest> _possible = [];
    private readonly List<int> _order = [];
    private int _last = int.MaxValue;

    /// <inheritdoc/>
    public void Add(nint socket, int token, Interest interest)
    {
        // The owner keeps the handle: this wrapper only makes it visible to Select.
        var watched = new Watched(new Socket(new SafeSocketHandle(socket, ownsHandle: false)), token) { Interest = interest };
        _watched.Add(socket, watched);
    }

    /// <inheritdoc/>
    public void Change(nint socket, int token, Interest interest) => _watched[socket].Interest = interest;

    /// <inheritdoc/>
    public void Remove(nint socket)
    {
        if (_watched.Remove(socket, out Watched? watched))
        {
            watched.View.SafeHandle.SetHandleAsInvalid();
        }
    }

    /// <inheritdoc/>
    public int Wait(Span<Ready> ready, int timeout) => Select(ready, TimeSpan.FromMilliseconds(timeout));

    // Select has a resolution of microseconds, and rounds down.
    /// <inheritdoc/>
    public int WaitExactly(Span<Ready> ready, long nanoseconds) =>
        Select(ready, TimeSpan.FromTicks(Math.Max((nanoseconds / TimeSpan.NanosecondsPerTick) - s_lateness.Ticks, 0)));

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (nint socket in _watched.Keys.ToArray())
        {
            Remove(socket);
        }
    }

    private int Select(Span<Ready> ready, TimeSpan timeout)
    {
        Fill(_readable, Interest.Read);
        Fill(_writable, Interest.Write);
        Fill(_broken, Interest.None);
        Socket.Select(_readable, _writable, _broken, timeout);
        _possible.Clear();
        Note(_readable, Interest.Read);
        Note(_writable, Interest.Write);
        Note(_broken, Interest.Read | Interest.Write);
        return Take(ready);
    }

    // If more sockets are ready than the caller takes, the next call begins with the token after the last one.
    private int Take(Span<Ready> ready)
    {
        _order.Clear();
        _order.AddRange(_possible.Keys);
        int first = 0;
        if (_order.Count > ready.Length)
        {
            _order.Sort();
            int index = _order.BinarySearch(_last);
            first = index < 0 ? ~index : index + 1;
        }

        int count = Math.Min(_order.Count, ready.Length);
        for (int index = 0; index < count; index++)
        {
            _last = _order[(first + index) % _order.Count];
            ready[index] = new Ready(_last, _possible[_last]);
        }

        return count;
    }

    private void Fill(List<Socket> list, Interest interest)
    {
        list.Clear();
        foreach (Watched watched in _watched.Values)
        {
            if ((watched.Interest & interest) == interest)
            {
                list.Add(watched.View);
            }
        }
    }

    private void Note(List<Socket> list, Interest possible)
    {
        foreach (Socket socket in list)
        {
            int token = _watched[socket.Handle].Token;
            _possible[token] = _possible.GetValueOrDefault(token) | possible;
        }
    }

    private sealed record Watched(Socket View, int Token)
    {
        public Interest Interest { get; set; }
    }
}
