using System.Net.Security;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

/// <summary>What lies under a connection: the socket, and the streams over it as they come about. From any thread.</summary>
/// <param name="socket">The socket.</param>
internal sealed class Transport(Socket socket) : IDisposable
{
    private volatile SslStream? _secure;

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

    /// <summary>Closes all of it; whoever reads finds that out.</summary>
    /// <param name="saysSo">Whether the other side is told in TLS' own words (close_notify, RFC 8446, section 6.1), for which nothing may be under way.</param>
    public void Shut(bool saysSo)
    {
        if (saysSo && _secure is { IsAuthenticated: true } secure)
        {
            Say(secure);
        }

        socket.Dispose();
    }

    /// <summary>Frees what the streams have; when nobody uses them any more.</summary>
    public void Dispose()
    {
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
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            // It broke at this moment, on the thread that receives: nobody is there to be told.
            return;
        }
    }
}
