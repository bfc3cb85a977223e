namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

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
