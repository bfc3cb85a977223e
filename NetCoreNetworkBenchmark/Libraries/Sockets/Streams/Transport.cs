using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using NetCoreNetworkBenchmark.AdapterKit.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

/// <summary>The layers below a connection: the socket, and the streams over it as they are created.</summary>
internal sealed class Transport(Socket socket) : IDisposable
{
    private volatile SslStream? _secure;
    private volatile bool _saysSo;

    /// <summary>Creates the stream over the connected socket.</summary>
    /// <returns>The stream. Bytes that are sent on it leave at once.</returns>
    public NetworkStream Plain()
    {
        socket.NoDelay = true;
        return new NetworkStream(socket, ownsSocket: false);
    }

    /// <summary>Creates the stream for TLS over the connected socket.</summary>
    /// <returns>The stream, before its handshake.</returns>
    public SslStream Secure() => _secure = new SslStream(Plain(), leaveInnerStreamOpen: false);

    /// <summary>Lets a pending receive detect the end. Can be called from any thread, and does not wait.</summary>
    /// <param name="saysSo">Whether the other side is notified by TLS itself (close_notify, RFC 8446, section 6.1), for which no write may be in
    /// progress.</param>
    public void Shut(bool saysSo)
    {
        // The close_notify is left to the thread that receives: a connection of OpenSSL is not for two threads at once. Windows does not wake a receive in this
        // way.
        _saysSo = saysSo && _secure is not null && !OperatingSystem.IsWindows();
        try
        {
            if (_saysSo)
            {
                socket.Shutdown(SocketShutdown.Receive);
                return;
            }

            // .NET resets a connection that is disposed with a receive in progress, unless it was shut down before.
            socket.Shutdown(SocketShutdown.Both);
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            // The other side is gone, and need not be notified.
            _saysSo = false;
        }

        socket.Dispose();
    }

    /// <summary>Closes the socket and the streams. It is called when no thread receives any more.</summary>
    public void Dispose()
    {
        if (_saysSo && _secure is { IsAuthenticated: true } secure)
        {
            Say(secure);
        }

        socket.Dispose();
        _secure?.Dispose();
    }

    private static void Say(SslStream secure)
    {
        try
        {
            // The record is sent at once, or the other side accepts nothing and need not be notified.
            _ = secure.ShutdownAsync();
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception) || exception is CryptographicException)
        {
            // The connection broke in the meantime, so there is no other side to notify.
            return;
        }
    }
}
