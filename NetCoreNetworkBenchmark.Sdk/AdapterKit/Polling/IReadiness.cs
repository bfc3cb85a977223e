namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>Waits in the kernel until one of many sockets can be read or written. Level-triggered: a socket with unread data is reported again.</summary>
public interface IReadiness : IDisposable
{
    /// <summary>Begins to watch a socket, which <see cref="Wait"/> reports by its token.</summary>
    void Add(nint socket, int token, Interest interest);

    /// <summary>Changes the operations that a socket is watched for.</summary>
    void Change(nint socket, int token, Interest interest);

    /// <summary>Ends watching a socket, which must still be open.</summary>
    void Remove(nint socket);

    /// <summary>Waits until a socket is ready or the time is over, in milliseconds; 0 does not wait.</summary>
    int Wait(Span<Ready> ready, int timeout);

    /// <summary>
    /// Waits as <see cref="Wait"/> does, as exactly as the system can. The wait may end up to a millisecond early, and never late by design: the caller looks
    /// at the clock and waits for the rest.
    /// </summary>
    int WaitExactly(Span<Ready> ready, long nanoseconds);
}

/// <summary>
/// The state of one socket that <see cref="IReadiness"/> reports. A broken connection is readable and writable; the read or write then returns the error.
/// </summary>
public readonly record struct Ready(int Token, Interest Possible);

/// <summary>The operations that a socket is watched for, or that became possible.</summary>
[Flags]
public enum Interest
{
    /// <summary>Nothing; an error or the end of the connection is reported all the same.</summary>
    None = 0,

    /// <summary>There is data to read, or the other side has ended the connection.</summary>
    Read = 1,

    /// <summary>The socket can be written again, or a connect has completed.</summary>
    Write = 2,
}
