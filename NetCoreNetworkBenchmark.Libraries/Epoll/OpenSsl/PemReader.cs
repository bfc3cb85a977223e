using System.Text;
using NetCoreNetworkBenchmark.Libraries.Epoll.Interop;
using static NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl.OpensslErr;
using static NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl.OpensslSsl;
using static NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl.OpensslX509;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;

internal static unsafe class PemReader
{
    // The callback counts its own reference to a certificate, and returns whether OpenSSL accepted it.
    public static void UseCertificates(string? pem, string what, Predicate<nint> use)
    {
        int count = 0;
        Read(pem, memory =>
        {
            while (OpensslPem.PEM_read_bio_X509(memory, 0, 0, null) is var certificate and not 0)
            {
                bool isUsed = use(certificate);
                OpensslX509.X509_free(certificate);
                Require(isUsed, $"OpenSSL does not accept the {what}");
                count++;
            }
        });
        Require(count > 0 && HasReachedEnd(), $"OpenSSL cannot read the {what}");

        // The end of the text was reported as an error too.
        OpensslErr.ERR_clear_error();
    }

    public static void UseKey(string? pem, string what, Predicate<nint> use) => Read(pem, memory =>
    {
        byte empty = 0;
        nint key = OpensslPem.PEM_read_bio_PrivateKey(memory, 0, 0, &empty);
        Require(key != 0, $"OpenSSL cannot read the {what}");
        bool isUsed = use(key);
        OpensslPem.EVP_PKEY_free(key);
        Require(isUsed, $"OpenSSL does not accept the {what}");
    });

    public static void Require(bool succeeded, string otherwise)
    {
        if (!succeeded)
        {
            throw new BenchmarkException($"{otherwise}: {TlsFailure.OfSetup()}.");
        }
    }

    // A damaged certificate ends the reading too, and those after it would be missing.
    private static bool HasReachedEnd() =>
        OpensslErr.ERR_peek_last_error() is var code
        && (int)(code >> OpensslErr.ERR_LIB_OFFSET) == OpensslErr.ERR_LIB_PEM
        && (int)(code & OpensslErr.ERR_REASON_MASK) == OpensslErr.PEM_R_NO_START_LINE;

    private static void Read(string? pem, Action<nint> read)
    {
        byte[] text = Encoding.ASCII.GetBytes(pem ?? string.Empty);
        fixed (byte* bytes = text)
        {
            nint memory = OpensslPem.BIO_new_mem_buf(bytes, text.Length);
            try
            {
                if (memory != 0)
                {
                    read(memory);
                }
            }
            finally
            {
                _ = OpensslPem.BIO_free(memory);
            }
        }
    }
}

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
            SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE => $"the {peer} presented no certificate",
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
        X509_V_ERR_HOSTNAME_MISMATCH or X509_V_ERR_IP_ADDRESS_MISMATCH => $"does not name '{name}'",
        X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT or X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY or X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE
            or X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT or X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN or X509_V_ERR_CERT_SIGNATURE_FAILURE
            or X509_V_ERR_CERT_UNTRUSTED => "is not signed by an authority that is trusted",
        _ => $"was not accepted: {Marshal.PtrToStringUTF8((nint)X509_verify_cert_error_string(code))}",
    };
}
