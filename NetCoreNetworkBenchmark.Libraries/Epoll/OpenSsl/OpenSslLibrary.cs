using System.Reflection;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;

// OpenSSL is not loaded before a run needs it, so that a process that measures something else does not contain it.
internal static class OpenSslLibrary
{
    // The sonames of the libraries: another number has another ABI.
    public const string Ssl = "libssl.so.3";

    public const string Crypto = "libcrypto.so.3";

    // The folders in which the loader finds it on nearly every Linux (Debian and its derivatives, distributions with lib64, Alpine).
    private static readonly string[] s_folders =
    [
        $"/usr/lib/{Machine}-linux-gnu", $"/lib/{Machine}-linux-gnu", "/usr/lib64", "/lib64", "/usr/lib", "/lib", "/usr/local/lib64", "/usr/local/lib",
    ];

    private static string Machine => RuntimeInformation.ProcessArchitecture == Architecture.Arm64 ? "aarch64" : "x86_64";

    public static string? FindProblem() => FindProblem(s_folders, Ssl, Crypto);

    // The loader knows more folders than these.
    internal static string? FindProblem(IReadOnlyCollection<string> folders, params IReadOnlyCollection<string> libraries) =>
        libraries.FirstOrDefault(library => !folders.Any(folder => File.Exists(Path.Combine(folder, library))) && !CanLoad(library)) is { } missing
            ? $"{missing} (OpenSSL 3) was not found on this machine; install it with 'apt-get install libssl3', or your system's package of OpenSSL 3"
            : null;

    private static bool CanLoad(string library)
    {
        if (!NativeLibrary.TryLoad(library, Assembly.GetExecutingAssembly(), null, out nint handle))
        {
            return false;
        }

        NativeLibrary.Free(handle);
        return true;
    }
}
