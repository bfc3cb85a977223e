using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>
/// Applies a plan and credentials to .NET's <see cref="SslStream"/>. The authority of the run is the only trusted one, and nothing is looked up on the
/// network. All other options have .NET's defaults. This includes resumption: on Linux, a client may resume the session of an earlier connection of this
/// process to the same server (RFC 8446, section 2.2).
/// </summary>
public sealed class DotNetTls
{
    private readonly RunPlan _plan;
    private readonly X509Certificate2Collection _authority = [];
    private readonly SslStreamCertificateContext? _own;

    private DotNetTls(RunPlan plan, TlsCredentials credentials, string? certificate, string? key)
    {
        _plan = plan;
        _authority.ImportFromPem(credentials.Authority);
        _own = certificate is null ? null : Own(certificate, key);
    }

    /// <summary>Reads the certificates that a server presents and trusts.</summary>
    public static DotNetTls For(ServerSetup setup) =>
        new(setup.Plan, setup.Credentials!, setup.Credentials!.ServerCertificate, setup.Credentials.ServerKey);

    /// <summary>Reads the certificates that clients present and trust.</summary>
    public static DotNetTls For(ClientSetup setup) =>
        new(setup.Plan, setup.Credentials!, setup.Plan.Tls.Mutual ? setup.Credentials!.ClientCertificate : null, setup.Credentials!.ClientKey);

    /// <summary>Creates the record of the negotiated parameters. .NET reports neither the group nor whether a session was resumed.</summary>
    public static NegotiatedTls Read(SslProtocols version, TlsCipherSuite cipher) =>
        new(version == SslProtocols.Tls13 ? TlsPlan.Version13 : TlsPlan.Version12, cipher.ToString(), Group: null, Resumed: null);

    /// <summary>Creates the options of one connection at a server, which verifies the client if the plan requires its certificate.</summary>
    public SslServerAuthenticationOptions ForServer(PeerVerification verification) => new()
    {
        ServerCertificateContext = _own,
        EnabledSslProtocols = Versions,
        ClientCertificateRequired = _plan.Tls.Mutual,
        AllowTlsResume = TlsContextSetting.MayResume(_plan),
        CertificateChainPolicy = TrustsTheAuthorityAlone(),
        RemoteCertificateValidationCallback = _plan.Tls.Mutual ? (_, _, chain, errors) => verification.Accepts(chain, errors) : null,
    };

    /// <summary>Creates the options of one connection at a client. The server's certificate must be for the given name or address.</summary>
    public SslClientAuthenticationOptions ForClient(string serverName, PeerVerification verification) => new()
    {
        TargetHost = serverName,
        ClientCertificateContext = _own,
        EnabledSslProtocols = Versions,
        CertificateChainPolicy = TrustsTheAuthorityAlone(),
        RemoteCertificateValidationCallback = (_, _, chain, errors) => verification.Accepts(chain, errors),
    };

    // Offline and once, not for each connection: the certificates between this certificate and the authority follow it in the PEM.
    private static SslStreamCertificateContext Own(string certificate, string? key)
    {
        var between = new X509Certificate2Collection();
        between.ImportFromPem(certificate);
        between.RemoveAt(0);
        var own = X509Certificate2.CreateFromPem(certificate, key);
        if (OperatingSystem.IsWindows())
        {
            // TLS on Windows does not accept a key that is only in memory.
            own = X509CertificateLoader.LoadPkcs12(own.Export(X509ContentType.Pkcs12), password: null);
        }

        return SslStreamCertificateContext.Create(own, between, offline: true);
    }

    /// <summary>The versions that are offered.</summary>
    public SslProtocols Versions => _plan.Tls.Version switch
    {
        TlsPlan.Version12 => SslProtocols.Tls12,
        TlsPlan.Version13 => SslProtocols.Tls13,
        _ => SslProtocols.Tls12 | SslProtocols.Tls13,
    };

    /// <summary>The certificate that this side presents; null if it presents none.</summary>
    public X509Certificate2? Certificate => _own?.TargetCertificate;

    /// <summary>Whether there are certificates between the one of this side and the authority.</summary>
    public bool HasChain => _own?.IntermediateCertificates.Count > 0;

    /// <summary>Creates the policy by which certificates are verified. Each connection needs a new one, because SslStream adds to it.</summary>
    public X509ChainPolicy TrustsTheAuthorityAlone()
    {
        var policy = new X509ChainPolicy
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            RevocationMode = X509RevocationMode.NoCheck,
            DisableCertificateDownloads = true,
        };
        policy.CustomTrustStore.AddRange(_authority);
        return policy;
    }
}

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

/// <summary>
/// Adopts the result of .NET's <see cref="SslStream"/> for one TLS handshake, and describes the objection to the other side (server or client) in words. Any
/// name is valid if the name is null.
/// </summary>
public sealed class PeerVerification(string peer, string? name, TimeSpan deadline)
{
    private string? _objection;

    /// <summary>Adopts the result of <see cref="SslStream"/>, which has checked the certificate.</summary>
    public bool Accepts(X509Chain? chain, SslPolicyErrors errors)
    {
        // QUIC of .NET also compares the name of a client's certificate, although a client needs no name.
        errors = name is null ? errors & ~SslPolicyErrors.RemoteCertificateNameMismatch : errors;
        _objection = errors switch
        {
            SslPolicyErrors.None => null,
            _ when errors.HasFlag(SslPolicyErrors.RemoteCertificateNotAvailable) => $"the {peer} presented no certificate",
            _ when errors.HasFlag(SslPolicyErrors.RemoteCertificateChainErrors) => $"the {peer}'s certificate {ObjectionTo(chain)}",
            _ => $"the {peer}'s certificate does not name '{name}'",
        };
        return _objection is null;
    }

    /// <summary>Whether the other side was verified and refused.</summary>
    public bool HasObjection => _objection is not null;

    /// <summary>Explains why a handshake failed, without a full stop. The exception is null if it is not known.</summary>
    public string Explain(Exception? exception) => _objection ?? exception switch
    {
        null => $"the {peer} violated the TLS protocol or closed the connection",
        OperationCanceledException or TimeoutException => FormattableString.Invariant($"the {peer} did not complete it within {deadline.TotalSeconds:0.#} s"),
        _ => StreamFailure.NameOf(exception, peer),
    };

    private static string ObjectionTo(X509Chain? chain)
    {
        X509ChainStatusFlags status = (chain?.ChainStatus ?? []).Aggregate(X509ChainStatusFlags.NoError, (flags, element) => flags | element.Status);
        return status switch
        {
            _ when (status & (X509ChainStatusFlags.PartialChain | X509ChainStatusFlags.UntrustedRoot)) != 0 => "is not signed by an authority that is trusted",
            _ when !status.HasFlag(X509ChainStatusFlags.NotTimeValid) => $"is not valid ({status})",
            _ when chain!.ChainElements[0].Certificate.NotBefore > DateTime.Now => "is not valid yet",
            _ => "has expired",
        };
    }
}
