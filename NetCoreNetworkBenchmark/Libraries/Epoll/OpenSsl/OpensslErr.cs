using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;

// Each thread has its own queue of errors.
internal static unsafe partial class OpensslErr
{
    /// <summary>The bits of a code that <c>ERR_GET_REASON</c> takes, if the error is not a system error.</summary>
    public const int ERR_REASON_MASK = 0x7FFFFF;

    /// <summary>The library of <c>pem.h</c>, in the bits that <c>ERR_GET_LIB</c> takes.</summary>
    public const int ERR_LIB_PEM = 9;

    /// <summary>The position of the first of those bits.</summary>
    public const int ERR_LIB_OFFSET = 23;

    /// <summary>No further object of the requested kind was found (<c>pemerr.h</c>).</summary>
    public const int PEM_R_NO_START_LINE = 108;

    [LibraryImport(OpenSslLibrary.Crypto)] public static partial nuint ERR_peek_error();
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial nuint ERR_peek_last_error();
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial void ERR_clear_error();
    [LibraryImport(OpenSslLibrary.Crypto)] public static partial byte* ERR_reason_error_string(nuint e);
}
