using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Scenarios;

using SslContext = NetCoreServer.SslContext;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>
/// A plan's TLS as the library's <c>SslContext</c>. The library verifies against the system's store and against the address that it connects to. Its callback
/// overrides both with the run's own authority and the requested name.
/// </summary>
internal sealed class NetCoreTls
{
    private readonly DotNetTls _tls;
    private readonly string? _serverName;
    private readonly PeerVerification _verification;

    private NetCoreTls(RunPlan plan, DotNetTls tls, string other, string? serverName)
    {
        (_tls, _serverName) = (tls, serverName);
        _verification = new PeerVerification(other, serverName, plan.ConnectDeadline);
    }

    /// <summary>The TLS stream of the connection, as far as the library exposes it; null before its handshake has reached the certificates.</summary>
    public SslStream? Stream { get; private set; }

    /// <summary>Creates the context of a server. All its connections share it.</summary>
    public static SslContext ForServer(ServerSetup setup)
    {
        var tls = DotNetTls.Of(setup);
        var own = new NetCoreTls(setup.Plan, tls, "client", serverName: null);
        return new SslContext(tls.Versions, tls.Certificate, setup.Plan.Tls.Mutual ? own.Verify : null)
        {
            ClientCertificateRequired = setup.Plan.Tls.Mutual,
        };
    }

    /// <summary>Creates the context of one client.</summary>
    public static (NetCoreTls Tls, SslContext Context) ForClient(ClientSetup setup, DotNetTls tls)
    {
        var own = new NetCoreTls(setup.Plan, tls, "server", setup.ServerName);

        // Also if there is no certificate: without a collection, the library would offer the defaults of .NET, regardless of the versions.
        X509Certificate2Collection shown = tls.Certificate is { } certificate ? [certificate] : [];
        return (own, new SslContext(tls.Versions, shown, own.Verify));
    }

    /// <summary>Returns the reason that the handshake failed.</summary>
    public string Explain() => _verification.Explain(null);

    private bool Verify(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        Stream = sender as SslStream;
        if (certificate is not X509Certificate2 shown)
        {
            return _verification.Accepts(chain, SslPolicyErrors.RemoteCertificateNotAvailable);
        }

        using var ours = new X509Chain { ChainPolicy = _tls.TrustsTheAuthorityAlone() };
        if (chain is not null)
        {
            ours.ChainPolicy.ExtraStore.AddRange(chain.ChainElements.Select(element => element.Certificate).ToArray());
        }

        SslPolicyErrors found = ours.Build(shown) ? SslPolicyErrors.None : SslPolicyErrors.RemoteCertificateChainErrors;
        if (_serverName is not null && !shown.MatchesHostname(_serverName))
        {
            found |= SslPolicyErrors.RemoteCertificateNameMismatch;
        }

        return _verification.Accepts(ours, found);
    }
}
