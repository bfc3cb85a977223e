using System.Net.Security;

namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>
/// The setting <c>context</c> of the libraries over <see cref="SslStream"/>: whether the connections of a server share OpenSSL's context (<c>SSL_CTX</c>).
/// .NET shares it only if sessions may be resumed (<see cref="SslServerAuthenticationOptions.AllowTlsResume"/>), so a server without tickets makes one for
/// each connection.
/// </summary>
public static class TlsContextSetting
{
    private const string Shared = "shared-context";

    /// <summary>The setting. It has an effect in a test that opens connections and resumes no session.</summary>
    public static LibrarySetting Setting { get; } = new(
        "context",
        ["own-context", Shared],
        Default: "own-context",
        "without resumption: an OpenSSL context for each connection, or one for all, which .NET has only with tickets")
    {
        HasVariants = true,
        Protocols = [Protocol.Ssl],
    };

    /// <summary>Returns whether a server may resume sessions, and makes tickets.</summary>
    public static bool MayResume(RunPlan plan) => plan.Tls.Resumption != TlsPlan.NoResumption || plan.Settings.GetValueOrDefault(Setting.Name) == Shared;
}
