using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;

/// <summary>The part of OpenSSL 3's <c>openssl/evp.h</c> that is used here, under the names of that header.</summary>
internal static partial class OpensslEvp
{
    [LibraryImport(OpenSslLibrary.Crypto)]
    public static partial void EVP_PKEY_free(nint pkey);
}
