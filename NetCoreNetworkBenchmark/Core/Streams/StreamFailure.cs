using System.Net.Sockets;
using System.Security.Authentication;

namespace NetCoreNetworkBenchmark.Core.Streams;

/// <summary>Exceptions of .NET's sockets and of what is built on them, in the words of an error's name.</summary>
public static class StreamFailure
{
    /// <summary>Whether an exception says that a connection failed, so that it is this connection's matter alone.</summary>
    /// <param name="exception">The exception.</param>
    /// <returns>False for what is nobody's fault but ours.</returns>
    public static bool IsOne(Exception exception) =>
        exception is IOException or SocketException or AuthenticationException or ObjectDisposedException or OperationCanceledException;

    /// <summary>A name for the error.</summary>
    /// <param name="exception">The exception.</param>
    /// <returns>The name of the socket's error where there is one below; otherwise a few words without a full stop.</returns>
    public static string NameOf(Exception exception)
    {
        ArgumentNullException.ThrowIfNull(exception);
        Exception innermost = exception;
        while (innermost.InnerException is { } inner && innermost is not SocketException)
        {
            innermost = inner;
        }

        if (innermost is SocketException socket)
        {
            return socket.SocketErrorCode.ToString();
        }

        // OpenSSL's words come as error:0A000086:SSL routines::certificate verify failed.
        string words = innermost.Message.Trim().Split('\n')[0];
        int routine = words.LastIndexOf("::", StringComparison.Ordinal);
        return (routine < 0 ? words : words[(routine + 2)..]).TrimEnd('.', '\r', ' ');
    }
}
