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
    public static DotNetTls Of(ServerSetup setup) =>
        new(setup.Plan, setup.Credentials!, setup.Credentials!.ServerCertificate, setup.Credentials.ServerKey);

    /// <summary>Reads the certificates that clients present and trust.</summary>
    public static DotNetTls Of(ClientSetup setup) =>
        new(setup.Plan, setup.Credentials!, setup.Plan.Tls.Mutual ? setup.Credentials!.ClientCertificate : null, setup.Credentials!.ClientKey);

    /// <summary>Creates the record of the negotiated parameters. .NET reports neither the group nor whether a session was resumed.</summary>
    public static NegotiatedTls Read(SslProtocols version, TlsCipherSuite cipher) =>
        new(version == SslProtocols.Tls13 ? "1.3" : "1.2", cipher.ToString(), Group: null, Resumed: null);

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
        "1.2" => SslProtocols.Tls12,
        "1.3" => SslProtocols.Tls13,
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
