using System.Net.Sockets;
using System.Security.Authentication;

namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>Converts exceptions of .NET's sockets, and of the classes that are built on them, to names of errors.</summary>
public static class StreamFailure
{
    /// <summary>Determines whether an exception indicates the failure of a connection, which concerns this connection only.</summary>
    /// <returns>True if it does; false for an exception that a defect of this program causes.</returns>
    public static bool IsOne(Exception exception) =>
        exception is IOException or SocketException or AuthenticationException or ObjectDisposedException or OperationCanceledException;

    /// <summary>Gets a name for the error.</summary>
    /// <param name="exception">The error.</param>
    /// <param name="other">The other side of the connection, such as server or client.</param>
    /// <returns>The name of the socket's error if an inner exception has one; otherwise, a few words without a full stop.</returns>
    public static string NameOf(Exception exception, string other = "other side")
    {
        Exception innermost = exception;
        while (innermost.InnerException is { } inner && innermost is not SocketException)
        {
            innermost = inner;
        }

        if (innermost is SocketException socket)
        {
            return socket.SocketErrorCode.ToString();
        }

        // OpenSSL's messages have the form error:0A000086:SSL routines::certificate verify failed.
        string words = innermost.Message.Trim().Split('\n')[0];
        int routine = words.LastIndexOf("::", StringComparison.Ordinal);
        return routine < 0 ? words.TrimEnd('.', '\r', ' ') : TlsAlert.Explain(words[(routine + 2)..].TrimEnd('.', '\r', ' '), other);
    }
}
