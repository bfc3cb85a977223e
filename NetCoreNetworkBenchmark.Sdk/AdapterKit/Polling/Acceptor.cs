namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>
/// Accepts the connections of a listening socket. If the system has no capacity for another one, such as no free descriptor (EMFILE), the acceptor pauses and
/// retries. Meanwhile connections wait in the socket's queue.
/// </summary>
public sealed class Acceptor : IPollable
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(100);
    private readonly PollLoop _loop;
    private readonly Socket _listener;
    private readonly Action<Socket> _accepted;
    private readonly Action<SocketException> _paused;
    private readonly LoopTimer _resume;

    /// <summary>
    /// Creates an acceptor, which the caller adds to the loop, for a non-blocking socket, which the acceptor owns. Connections, which the callee owns, and the
    /// reason of each pause are reported on the loop's thread.
    /// </summary>
    public Acceptor(PollLoop loop, Socket listener, Action<Socket> accepted, Action<SocketException> paused)
    {
        (_loop, _listener, _accepted, _paused) = (loop, listener, accepted, paused);
        _resume = new LoopTimer(() => _loop.Watch(this, Interest.Read));
        SocketHandle = listener.Handle;
    }

    /// <inheritdoc/>
    public nint SocketHandle { get; }

    /// <inheritdoc/>
    public void OnReadable()
    {
        if (TryAccept() is { } connection)
        {
            _accepted(connection);
        }
    }

    /// <summary>Closes the listening socket. On Linux, the system refuses new connections from then on.</summary>
    public void Dispose()
    {
        if (OperatingSystem.IsLinux() && !_listener.SafeHandle.IsClosed)
        {
            // A process that is just being started has a copy of the descriptor, with which the port would listen a moment longer.
            _listener.Shutdown(SocketShutdown.Both);
        }

        _listener.Dispose();
    }

    private Socket? TryAccept()
    {
        try
        {
            return _listener.Accept();
        }
        catch (SocketException exception) when (exception.SocketErrorCode
            is SocketError.WouldBlock or SocketError.ConnectionAborted or SocketError.ConnectionReset or SocketError.Interrupted)
        {
            // The connection ended before it was accepted.
            return null;
        }
        catch (SocketException exception)
        {
            // The connection is still in the queue. Without a pause the loop would return here at once, again and again.
            _loop.Watch(this, Interest.None);
            _loop.Set(_resume, Stopwatch.GetTimestamp() + RunRecorder.ToTicks(s_pause));
            _paused(exception);
            return null;
        }
    }
}
