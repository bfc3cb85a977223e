using System.Diagnostics;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>One of the two sockets of a connection through the relay.</summary>
/// <param name="socket">The socket, which does not block.</param>
/// <param name="isConnecting">Whether its connect has not come to its end yet.</param>
/// <param name="connection">Whose end it is.</param>
/// <param name="loop">Serves it.</param>
/// <param name="buffer">To receive into; its content lasts for one call only.</param>
internal sealed class StreamEnd(Socket socket, bool isConnecting, StreamConnection connection, PollLoop loop, byte[] buffer) : IWritablePollable
{
    private Interest _interest = Interest.Read;
    private bool _isConnecting = isConnecting;
    private bool _isClosed;

    public nint SocketHandle { get; } = socket.Handle;

    /// <summary>Where goes what is read here.</summary>
    public StreamFlow From { get; set; } = null!;

    /// <summary>What is to be sent here.</summary>
    public StreamFlow To { get; set; } = null!;

    private bool HasFailed => (int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)! != 0;

    /// <summary>Watches the socket for what can go on, or closes it where nothing will.</summary>
    public void Watch()
    {
        if (_isClosed)
        {
            return;
        }

        if (From.HasEnded && To.IsDone)
        {
            Close(isAborted: false);
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
                connection.Break();
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
            // It is not watched for this, so the connection may be broken.
            if (HasFailed)
            {
                connection.Break();
            }

            return;
        }

        // One that is paused already is read nevertheless: it is called because the other side is gone, which only the last read tells.
        if (From.TryPause())
        {
            Watch();
            return;
        }

        Receive();
    }

    public void OnTick()
    {
        // Whatever has a time is in the queue of departures.
    }

    /// <summary>Sends what the system takes of some bytes.</summary>
    /// <returns>How many it took; 0 also where the connection has just broken.</returns>
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

        connection.Break();
        return 0;
    }

    /// <summary>Tells the other side that nothing more will come.</summary>
    /// <returns>False where that cannot be told yet, or no more.</returns>
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
            // The other side is gone, and so is the connection.
            connection.Break();
            return false;
        }
    }

    /// <summary>Closes the socket so that the other side sees a broken connection (RST).</summary>
    public void Abort() => Close(isAborted: true);

    public void Dispose()
    {
        if (!_isClosed)
        {
            _isClosed = true;
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
            connection.Break();
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

    private void Close(bool isAborted)
    {
        if (_isClosed)
        {
            return;
        }

        _isClosed = true;
        loop.Remove(this);
        if (isAborted)
        {
            socket.Close(0);
        }
        else
        {
            socket.Dispose();
        }
    }
}
