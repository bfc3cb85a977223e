using System.Security.Authentication;

namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>Converts exceptions of .NET's sockets, and of the classes that are built on them, to names of errors.</summary>
public static class StreamFailure
{
    /// <summary>Determines whether an exception indicates the failure of a connection, and not a defect of this program.</summary>
    public static bool IsOne(Exception exception) =>
        exception is IOException or SocketException or AuthenticationException or ObjectDisposedException or OperationCanceledException;

    /// <summary>Gets the socket's error if an inner exception has one; otherwise, a few words about the error without a full stop.</summary>
    public static string NameOf(Exception exception, string peer = "other side")
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
        return routine < 0 ? words.TrimEnd('.', '\r', ' ') : TlsAlert.Explain(words[(routine + 2)..].TrimEnd('.', '\r', ' '), peer);
    }
}
