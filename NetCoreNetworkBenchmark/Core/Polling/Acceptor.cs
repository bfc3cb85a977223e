using System.Diagnostics;
using System.Net.Sockets;

namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>
/// Accepts the connections of a listening socket. Where the system has no room for one more, such as no free descriptor (EMFILE), it pauses and
/// tries again; meanwhile connections wait in the socket's queue.
/// </summary>
public sealed class Acceptor : IWritablePollable
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(100);
    private readonly PollLoop _loop;
    private readonly Socket _listener;
    private readonly Action<Socket> _accepted;
    private readonly Action<SocketException> _paused;
    private readonly LoopTimer _resume;

    /// <summary>Makes one. It is to be added to the loop.</summary>
    /// <param name="loop">Serves it.</param>
    /// <param name="listener">The listening socket, which does not block. It belongs to this one from now on.</param>
    /// <param name="accepted">Called for each connection, which belongs to the callee. On the loop's thread.</param>
    /// <param name="paused">Called each time that a pause begins, with the reason. On the loop's thread.</param>
    public Acceptor(PollLoop loop, Socket listener, Action<Socket> accepted, Action<SocketException> paused)
    {
        _loop = loop;
        _listener = listener;
        _accepted = accepted;
        _paused = paused;
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

    /// <inheritdoc/>
    public void OnWritable()
    {
        // A listening socket is never watched for this.
    }

    /// <inheritdoc/>
    public void OnTick()
    {
        // The end of a pause has a timer of its own.
    }

    /// <inheritdoc/>
    public void Dispose() => _listener.Dispose();

    private Socket? TryAccept()
    {
        try
        {
            return _listener.Accept();
        }
        catch (SocketException exception) when (exception.SocketErrorCode
            is SocketError.WouldBlock or SocketError.ConnectionAborted or SocketError.ConnectionReset or SocketError.Interrupted)
        {
            // The connection has ended before it was accepted.
            return null;
        }
        catch (SocketException exception)
        {
            // The connection is still in the queue, so without a pause the loop would come back at once, again and again.
            _loop.Watch(this, Interest.None);
            _loop.Set(_resume, Stopwatch.GetTimestamp() + (long)(s_pause.TotalSeconds * Stopwatch.Frequency));
            _paused(exception);
            return null;
        }
    }
}
