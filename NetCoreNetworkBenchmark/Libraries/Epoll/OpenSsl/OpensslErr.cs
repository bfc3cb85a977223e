using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;

/// <summary>The part of OpenSSL 3's <c>openssl/err.h</c> that is used here, under the names of that header. Each thread has a queue of errors of its own.</summary>
internal static unsafe partial class OpensslErr
{
    /// <summary>The bits of a code that <c>ERR_GET_REASON</c> takes, where the error is not the system's.</summary>
    public const int ERR_REASON_MASK = 0x7FFFFF;

    [LibraryImport(OpenSslLibrary.Crypto)]
    public static partial nuint ERR_peek_error();

    [LibraryImport(OpenSslLibrary.Crypto)]
    public static partial void ERR_clear_error();

    [LibraryImport(OpenSslLibrary.Crypto)]
    public static partial byte* ERR_reason_error_string(nuint e);
}
