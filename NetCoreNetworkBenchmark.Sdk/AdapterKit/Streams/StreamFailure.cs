using System.Net.WebSockets;
using System.Security.Authentication;

namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>Converts exceptions of .NET's sockets, and of the classes that are built on them, to names of errors.</summary>
public static class StreamFailure
{
    /// <summary>Determines whether an exception indicates the failure of a connection, and not a defect of this program.</summary>
    public static bool IsOne(Exception exception) =>
        exception is IOException or SocketException or AuthenticationException or ObjectDisposedException or OperationCanceledException or WebSocketException;

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

/// <summary>Explains what the other side of a TLS connection objects to.</summary>
public static class TlsAlert
{
    private const string Alert = "alert ";

    /// <summary>Explains an error in OpenSSL's words, such as <c>tlsv1 alert protocol version</c>. Most are alerts of the other side (RFC 8446, 6.2).</summary>
    public static string Explain(string reason, string peer)
    {
        // Versions of OpenSSL write "sslv3 alert" or "ssl/tls alert" before the same words.
        int alert = reason.LastIndexOf(Alert, StringComparison.Ordinal);
        string? meaning = (alert < 0 ? reason : reason[(alert + Alert.Length)..]) switch
        {
            "protocol version" or "unsupported protocol" or "no protocols available" => "has no TLS version in common with this side",
            "handshake failure" => "has no group or cipher in common with this side or requires a certificate",
            "no suitable key share" or "no suitable groups" or "no shared group" or "no shared cipher" => "has no group or cipher in common with this side",
            "certificate required" => "requires a certificate of this side",
            "unknown ca" => "does not trust the certificate of this side",
            "bad certificate" or "certificate unknown" or "certificate expired" or "unsupported certificate" => "refuses the certificate of this side",
            _ => null,
        };
        return meaning is null ? reason : $"the {peer} {meaning} ({reason})";
    }
}
