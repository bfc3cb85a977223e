using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using NetCoreNetworkBenchmark.Core.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

/// <summary>What lies under a connection: the socket, and the streams over it as they come about.</summary>
/// <param name="socket">The socket.</param>
internal sealed class Transport(Socket socket) : IDisposable
{
    private volatile SslStream? _secure;
    private volatile bool _saysSo;

    /// <summary>The stream over the connected socket.</summary>
    /// <returns>The stream; what is sent on it goes at once.</returns>
    public NetworkStream Plain()
    {
        socket.NoDelay = true;
        return new NetworkStream(socket, ownsSocket: false);
    }

    /// <summary>The stream for TLS over the connected socket.</summary>
    /// <returns>The stream, before its handshake.</returns>
    public SslStream Secure() => _secure = new SslStream(Plain(), leaveInnerStreamOpen: false);

    /// <summary>Lets whoever receives find the end. From any thread, and without waiting.</summary>
    /// <param name="saysSo">Whether the other side is told in TLS' own words (close_notify, RFC 8446, section 6.1), for which nothing may be under way.</param>
    public void Shut(bool saysSo)
    {
        // The last word is left to the thread that receives: OpenSSL's connections are not for two at once. Windows does not wake a
        // receive in this way.
        _saysSo = saysSo && _secure is not null && !OperatingSystem.IsWindows();
        try
        {
            if (_saysSo)
            {
                socket.Shutdown(SocketShutdown.Receive);
                return;
            }

            // .NET resets a connection that is disposed with a receive under way, unless its end was told before.
            socket.Shutdown(SocketShutdown.Both);
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            // The other side is gone, and need not be told.
            _saysSo = false;
        }

        socket.Dispose();
    }

    /// <summary>Closes all of it; when nobody receives any more.</summary>
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
            // The record goes at once, or the other side takes nothing and need not be told.
            _ = secure.ShutdownAsync();
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception) || exception is CryptographicException)
        {
            // It broke meanwhile, so there is nobody to be told.
            return;
        }
    }
}
