using System.Text;
using NetCoreNetworkBenchmark.Plans;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;

/// <summary>Reads certificates and keys from PEM in memory (RFC 7468) and passes them to OpenSSL.</summary>
internal static unsafe class PemReader
{
    /// <summary>Passes every certificate to a callback, in order.</summary>
    /// <param name="pem">One certificate or several.</param>
    /// <param name="what">The name of the object in the message of the exception.</param>
    /// <param name="use">Takes a certificate and counts its own reference to it. Returns true if OpenSSL accepted the certificate; otherwise, false.</param>
    /// <exception cref="BenchmarkException">There is no certificate, a certificate is damaged, or OpenSSL does not accept one.</exception>
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

    /// <summary>Passes a private key to a callback.</summary>
    /// <param name="pem">The key, not encrypted.</param>
    /// <param name="what">The name of the object in the message of the exception.</param>
    /// <param name="use">Takes the key and counts its own reference to it. Returns true if OpenSSL accepted the key; otherwise, false.</param>
    /// <exception cref="BenchmarkException">There is no key, or OpenSSL does not accept it.</exception>
    public static void UseKey(string? pem, string what, Predicate<nint> use) => Read(pem, memory =>
    {
        byte empty = 0;
        nint key = OpensslPem.PEM_read_bio_PrivateKey(memory, 0, 0, &empty);
        Require(key != 0, $"OpenSSL cannot read the {what}");
        bool isUsed = use(key);
        OpensslPem.EVP_PKEY_free(key);
        Require(isUsed, $"OpenSSL does not accept the {what}");
    });

    /// <summary>Throws an exception if a call of OpenSSL failed.</summary>
    /// <param name="succeeded">True if the call succeeded; otherwise, false.</param>
    /// <param name="otherwise">The meaning of the failure, without a full stop.</param>
    /// <exception cref="BenchmarkException">The call failed.</exception>
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
