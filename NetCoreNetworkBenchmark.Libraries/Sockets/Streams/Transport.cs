using System.Net.Security;
using System.Security.Cryptography;

namespace NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

internal sealed class Transport(Socket socket) : IDisposable
{
    private volatile SslStream? _secure;
    private volatile bool _notifies;

    public NetworkStream Plain()
    {
        socket.NoDelay = true;
        return new NetworkStream(socket, ownsSocket: false);
    }

    public SslStream Secure() => _secure = new SslStream(Plain(), leaveInnerStreamOpen: false);

    // Lets a pending receive detect the end, from any thread, without a wait. The close_notify (RFC 8446, 6.1) requires that no write is in progress.
    public void Close(bool notifies)
    {
        // The thread that receives sends close_notify: a connection of OpenSSL is not for two threads at once. Windows does not wake a receive in this way.
        _notifies = notifies && _secure is not null && !OperatingSystem.IsWindows();
        try
        {
            if (_notifies)
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
            _notifies = false;
        }

        socket.Dispose();
    }

    public void Dispose()
    {
        if (_notifies && _secure is { IsAuthenticated: true } secure)
        {
            Notify(secure);
        }

        socket.Dispose();
        _secure?.Dispose();
    }

    private static void Notify(SslStream secure)
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
