using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;

internal static unsafe partial class OpensslPem
{
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial nint BIO_new_mem_buf(byte* buf, int len);
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial int BIO_free(nint a);
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial nint PEM_read_bio_X509(nint bp, nint x, nint cb, byte* u);

    /// <summary>Without a callback, <paramref name="u"/> is the password. Without both, OpenSSL would prompt at the terminal.</summary>
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial nint PEM_read_bio_PrivateKey(nint bp, nint x, nint cb, byte* u);
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial void EVP_PKEY_free(nint pkey);
}
