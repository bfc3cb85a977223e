using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;

/// <summary>The part of OpenSSL 3's <c>openssl/bio.h</c> that is used here, under the names of that header.</summary>
internal static unsafe partial class OpensslBio
{
    [LibraryImport(OpenSslLibrary.Crypto)]
    public static partial nint BIO_new_mem_buf(byte* buf, int len);

    [LibraryImport(OpenSslLibrary.Crypto)]
    public static partial int BIO_free(nint a);
}
