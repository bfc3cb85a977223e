namespace NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;

internal static unsafe partial class OpensslX509
{
    public const int EVP_PKEY_RSA = 6;
    public const int EVP_PKEY_EC = 408;
    public const int X509_V_OK = 0;
    public const int X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT = 2;
    public const int X509_V_ERR_CERT_SIGNATURE_FAILURE = 7;
    public const int X509_V_ERR_CERT_NOT_YET_VALID = 9;
    public const int X509_V_ERR_CERT_HAS_EXPIRED = 10;
    public const int X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT = 18;
    public const int X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN = 19;
    public const int X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY = 20;
    public const int X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE = 21;
    public const int X509_V_ERR_CERT_UNTRUSTED = 27;
    public const int X509_V_ERR_HOSTNAME_MISMATCH = 62;
    public const int X509_V_ERR_IP_ADDRESS_MISMATCH = 64;

    /// <summary>The function accepts null.</summary>
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial void X509_free(nint a);

    /// <summary>Encodes in memory that the function allocates, if <paramref name="ppout"/> points to null. <c>CRYPTO_free</c> frees it.</summary>
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial int i2d_X509(nint a, byte** ppout);

    /// <summary>The function accepts null. The file and the line are for a memory debugger.</summary>
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial void CRYPTO_free(byte* ptr, byte* file, int line);
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial int X509_verify_cert(nint ctx);

    /// <summary>The function does not add a reference.</summary>
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial nint X509_STORE_CTX_get0_cert(nint ctx);
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial void X509_STORE_CTX_set_error(nint ctx, int s);

    /// <summary>The function does not add a reference.</summary>
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial nint X509_get0_pubkey(nint x);
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial int EVP_PKEY_get_base_id(nint pkey);
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial int EVP_PKEY_get_bits(nint pkey);
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial nint X509_STORE_new();
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial int X509_STORE_add_cert(nint ctx, nint x);

    [LibraryImport(OpenSslLibrary.Crypto, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int X509_VERIFY_PARAM_set1_host(nint param, string name, nuint namelen);

    [LibraryImport(OpenSslLibrary.Crypto, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int X509_VERIFY_PARAM_set1_ip_asc(nint param, string ipasc);

    [LibraryImport(OpenSslLibrary.Crypto)] public static partial byte* X509_verify_cert_error_string(nint n);
}

// Each thread has its own queue of errors.
internal static unsafe partial class OpensslErr
{
    /// <summary>The bits of a code that <c>ERR_GET_REASON</c> takes, if the error is not a system error.</summary>
    public const int ERR_REASON_MASK = 0x7FFFFF;

    /// <summary>The library of <c>pem.h</c>, in the bits that <c>ERR_GET_LIB</c> takes.</summary>
    public const int ERR_LIB_PEM = 9;

    public const int ERR_LIB_OFFSET = 23;

    /// <summary>No further object of the requested kind was found (<c>pemerr.h</c>).</summary>
    public const int PEM_R_NO_START_LINE = 108;

    [LibraryImport(OpenSslLibrary.Crypto)] public static partial nuint ERR_peek_error();
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial nuint ERR_peek_last_error();
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial void ERR_clear_error();
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial byte* ERR_reason_error_string(nuint e);
}

internal static unsafe partial class OpensslPem
{
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial nint BIO_new_mem_buf(byte* buf, int len);
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial int BIO_free(nint a);
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial nint PEM_read_bio_X509(nint bp, nint x, nint cb, byte* u);

    /// <summary>Without a callback, <paramref name="u"/> is the password. Without both, OpenSSL would prompt at the terminal.</summary>
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial nint PEM_read_bio_PrivateKey(nint bp, nint x, nint cb, byte* u);
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial void EVP_PKEY_free(nint pkey);
}
