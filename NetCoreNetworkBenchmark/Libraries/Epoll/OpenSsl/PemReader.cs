using System.Text;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;

/// <summary>Reads certificates and keys from PEM in memory (RFC 7468) and hands them to OpenSSL.</summary>
internal static unsafe class PemReader
{
    /// <summary>Hands every certificate on, in order.</summary>
    /// <param name="pem">One certificate or several.</param>
    /// <param name="what">What it is, for the sentence.</param>
    /// <param name="use">Takes one, and counts its own use of it; tells whether OpenSSL accepted it.</param>
    /// <exception cref="BenchmarkException">There is none, or one is damaged, or OpenSSL does not take one.</exception>
    public static void UseCertificates(string? pem, string what, Predicate<nint> use)
    {
        int count = 0;
        Read(pem, memory =>
        {
            while (OpensslPem.PEM_read_bio_X509(memory, 0, 0, null) is var certificate and not 0)
            {
                bool isUsed = use(certificate);
                OpensslX509.X509_free(certificate);
                Require(isUsed, $"OpenSSL does not take the {what}");
                count++;
            }
        });
        Require(count > 0 && HasReachedEnd(), $"OpenSSL cannot read the {what}");

        // The end of the text was an error too.
        OpensslErr.ERR_clear_error();
    }

    /// <summary>Hands a private key on.</summary>
    /// <param name="pem">The key, not encrypted.</param>
    /// <param name="what">What it is, for the sentence.</param>
    /// <param name="use">Takes it, and counts its own use of it; tells whether OpenSSL accepted it.</param>
    /// <exception cref="BenchmarkException">There is none, or OpenSSL does not take it.</exception>
    public static void UseKey(string? pem, string what, Predicate<nint> use) => Read(pem, memory =>
    {
        byte empty = 0;
        nint key = OpensslPem.PEM_read_bio_PrivateKey(memory, 0, 0, &empty);
        Require(key != 0, $"OpenSSL cannot read the {what}");
        bool isUsed = use(key);
        OpensslEvp.EVP_PKEY_free(key);
        Require(isUsed, $"OpenSSL does not take the {what}");
    });

    /// <summary>Throws where a call of OpenSSL failed.</summary>
    /// <param name="succeeded">Whether it did not.</param>
    /// <param name="otherwise">What it means that it did, without a full stop.</param>
    /// <exception cref="BenchmarkException">It failed.</exception>
    public static void Require(bool succeeded, string otherwise)
    {
        if (!succeeded)
        {
            throw new BenchmarkException($"{otherwise}: {TlsFailure.OfSetup()}.");
        }
    }

    // What is damaged ends the reading too, and those after it would be missing.
    private static bool HasReachedEnd() =>
        OpensslErr.ERR_peek_last_error() is var code
        && (int)(code >> OpensslErr.ERR_LIB_OFFSET) == OpensslErr.ERR_LIB_PEM
        && (int)(code & OpensslErr.ERR_REASON_MASK) == OpensslErr.PEM_R_NO_START_LINE;

    private static void Read(string? pem, Action<nint> read)
    {
        byte[] text = Encoding.ASCII.GetBytes(pem ?? string.Empty);
        fixed (byte* bytes = text)
        {
            nint memory = OpensslBio.BIO_new_mem_buf(bytes, text.Length);
            try
            {
                if (memory != 0)
                {
                    read(memory);
                }
            }
            finally
            {
                _ = OpensslBio.BIO_free(memory);
            }
        }
    }
}
