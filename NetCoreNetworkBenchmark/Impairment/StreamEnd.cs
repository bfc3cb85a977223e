using System.Diagnostics;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>One of the two sockets of a connection through the relay.</summary>
/// <param name="socket">The socket, which does not block.</param>
/// <param name="isConnecting">Whether the connect has not completed yet.</param>
/// <param name="loop">The event loop that serves the socket.</param>
/// <param name="buffer">The receive buffer. Its content is valid during one call only.</param>
/// <param name="open">The ends that are open, from which this one is removed when it is closed.</param>
internal sealed class StreamEnd(Socket socket, bool isConnecting, PollLoop loop, byte[] buffer, HashSet<StreamEnd> open) : IPollable
{
    private Interest _interest = Interest.Read;
    private bool _isConnecting = isConnecting;
    private bool _isClosed;

    public nint SocketHandle { get; } = socket.Handle;

    /// <summary>The flow of the bytes that are read from this socket.</summary>
    public StreamFlow From { get; set; } = null!;

    /// <summary>The flow of the bytes that are sent to this socket.</summary>
    public StreamFlow To { get; set; } = null!;

    private bool HasFailed => (int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)! != 0;

    /// <summary>Watches the socket for the operations that can continue, or closes it if both directions have ended.</summary>
    public void Watch()
    {
        if (_isClosed)
        {
            return;
        }

        if (From.HasEnded && To.IsDone)
        {
            loop.Remove(this);
            Dispose();
            return;
        }

        Interest read = _isConnecting || From.HasEnded || From.IsPaused ? Interest.None : Interest.Read;
        Interest write = _isConnecting || To.IsWaiting ? Interest.Write : Interest.None;
        if (_interest != (read | write))
        {
            _interest = read | write;
            loop.Watch(this, _interest);
        }
    }

    public void OnWritable()
    {
        if (_isConnecting)
        {
            if (!socket.Poll(0, SelectMode.SelectWrite))
            {
                return;
            }

            _isConnecting = false;
            if (HasFailed)
            {
                Break();
                return;
            }
        }

        To.Flush();
    }

    public void OnReadable()
    {
        if (_isConnecting)
        {
            return;
        }

        if (From.HasEnded)
        {
            // The socket is not watched for reads, so the connection may be broken.
            if (HasFailed)
            {
                Break();
            }

            return;
        }

        // A flow that is already paused is read nevertheless: the call means that the peer is gone, which only the last read shows.
        if (From.TryPause())
        {
            Watch();
            return;
        }

        Receive();
    }

    public void OnTick()
    {
        // Chunks with a time to leave are in the delay queue.
    }

    /// <summary>Sends as many of the bytes as the system accepts.</summary>
    /// <returns>The number of bytes that the system accepted; also 0 if the connection has just broken.</returns>
    public int Send(ReadOnlySpan<byte> bytes)
    {
        if (_isConnecting)
        {
            return 0;
        }

        int sent = socket.Send(bytes, SocketFlags.None, out SocketError error);
        if (error is SocketError.Success or SocketError.WouldBlock)
        {
            return sent;
        }

        Break();
        return 0;
    }

    /// <summary>Notifies the peer of the end of the stream.</summary>
    /// <returns>True if the peer is notified; false if that is not possible yet, or no longer possible.</returns>
    public bool TryEnd()
    {
        if (_isConnecting)
        {
            return false;
        }

        try
        {
            socket.Shutdown(SocketShutdown.Send);
            return true;
        }
        catch (SocketException)
        {
            // The peer is gone, and so is the connection.
            Break();
            return false;
        }
    }

    /// <summary>Breaks the connection at both ends.</summary>
    /// <returns>True if this end was open; otherwise, false.</returns>
    public bool TryBreak()
    {
        if (_isClosed)
        {
            return false;
        }

        Break();
        return true;
    }

    /// <summary>Closes the socket so that the peer sees a broken connection (RST).</summary>
    public void Abort()
    {
        if (!_isClosed)
        {
            _isClosed = true;
            open.Remove(this);
            loop.Remove(this);
            socket.Close(0);
        }
    }

    public void Dispose()
    {
        if (!_isClosed)
        {
            _isClosed = true;
            open.Remove(this);
            socket.Dispose();
        }
    }

    private void Receive()
    {
        int length = socket.Receive(buffer, SocketFlags.None, out SocketError error);
        if (error == SocketError.WouldBlock)
        {
            return;
        }

        if (error != SocketError.Success)
        {
            Break();
        }
        else if (length > 0)
        {
            From.Arrive(buffer.AsSpan(0, length), Stopwatch.GetTimestamp());
        }
        else
        {
            From.End(Stopwatch.GetTimestamp());
            Watch();
        }
    }

    // Closes both ends of the connection.
    private void Break()
    {
        From.Break();
        To.Break();
    }
}
