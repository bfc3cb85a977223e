using System.Text;

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
