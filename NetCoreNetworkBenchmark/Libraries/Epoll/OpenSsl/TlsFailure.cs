using System.Runtime.InteropServices;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Libraries.Epoll.Interop;

using static NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl.OpensslErr;
using static NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl.OpensslSsl;
using static NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl.OpensslX509;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;

// Each method takes the errors of the thread, so that the next call begins without any.
internal static unsafe class TlsFailure
{
    public static string OfHandshake(nint ssl, int error, string peer, string? name)
    {
        int verified = (int)SSL_get_verify_result(ssl);
        if (verified != X509_V_OK)
        {
            ERR_clear_error();
            return $"the {peer}'s certificate {OfCertificate(verified, name)}";
        }

        return error == SSL_ERROR_ZERO_RETURN ? $"the {peer} closed the connection" : OfCall(error, peer);
    }

    public static string OfCall(int error, string peer)
    {
        nuint code = ERR_peek_error();
        string? text = Marshal.PtrToStringUTF8((nint)ERR_reason_error_string(code));
        ERR_clear_error();
        return (int)(code & ERR_REASON_MASK) switch
        {
            // OpenSSL reports nothing if the system reports the error.
            0 when Errno.LastError() is var system => system == SocketError.Success ? $"the {peer} closed the connection" : system.ToString(),
            _ when error == SSL_ERROR_SYSCALL => Errno.LastError().ToString(),
            SSL_R_WRONG_VERSION_NUMBER or SSL_R_HTTP_REQUEST or SSL_R_PACKET_LENGTH_TOO_LONG => $"the {peer} does not speak TLS",
            SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE => $"the {peer} shows no certificate",
            _ => text is null ? "OpenSSL reports no reason" : TlsAlert.Explain(text, peer),
        };
    }

    public static string OfSetup()
    {
        string? text = Marshal.PtrToStringUTF8((nint)ERR_reason_error_string(ERR_peek_error()));
        ERR_clear_error();
        return text ?? "OpenSSL reports no reason";
    }

    private static string OfCertificate(int code, string? name) => code switch
    {
        X509_V_ERR_CERT_HAS_EXPIRED => "has expired",
        X509_V_ERR_CERT_NOT_YET_VALID => "is not valid yet",
        X509_V_ERR_HOSTNAME_MISMATCH or X509_V_ERR_IP_ADDRESS_MISMATCH => $"is for another name than '{name}'",
        X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT or X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY or X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE
            or X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT or X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN or X509_V_ERR_CERT_SIGNATURE_FAILURE
            or X509_V_ERR_CERT_UNTRUSTED => "is not signed by an authority that is trusted",
        _ => $"was not accepted: {Marshal.PtrToStringUTF8((nint)X509_verify_cert_error_string(code))}",
    };
}
