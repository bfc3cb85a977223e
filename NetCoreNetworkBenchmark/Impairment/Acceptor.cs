namespace NetCoreNetworkBenchmark.Impairment;

// Owns the non-blocking socket, and the callee the connections. If the system has no capacity for another one, such as no free descriptor (EMFILE), the
// acceptor pauses until the next tick. Meanwhile connections wait in the socket's queue.
internal sealed class Acceptor(PollLoop loop, Socket listener, Action<Socket> accepted, Action<SocketException> paused) : IPollable
{
    private bool _isPaused;

    public nint SocketHandle { get; } = listener.Handle;

    public void OnReadable()
    {
        if (TryAccept() is { } connection)
        {
            accepted(connection);
        }
    }

    public void OnTick()
    {
        if (_isPaused)
        {
            _isPaused = false;
            loop.Watch(this, Interest.Read);
        }
    }

    // On Linux, the system refuses new connections from then on.
    public void Dispose()
    {
        if (OperatingSystem.IsLinux() && !listener.SafeHandle.IsClosed)
        {
            // A process that is just being started has a copy of the descriptor, with which the port would listen a moment longer.
            listener.Shutdown(SocketShutdown.Both);
        }

        listener.Dispose();
    }

    private Socket? TryAccept()
    {
        try
        {
            return listener.Accept();
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
            _isPaused = true;
            loop.Watch(this, Interest.None);
            paused(exception);
            return null;
        }
    }
}
