using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Streams;
using SslContext = NetCoreServer.SslContext;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>
/// A plan's TLS as the library's <c>SslContext</c>. The library verifies against the system's store and against the address that it connects to;
/// its callback overrules both by the run's own authority and the name that was asked for.
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

    /// <summary>The TLS stream of the connection, as far as the library shows it; null before its handshake has come to the certificates.</summary>
    public SslStream? Stream { get; private set; }

    /// <summary>Makes the context of a server; all its connections share it.</summary>
    public static SslContext ForServer(ServerSetup setup)
    {
        var tls = DotNetTls.Of(setup);
        var own = new NetCoreTls(setup.Plan, tls, "client", serverName: null);
        return new SslContext(tls.Versions, tls.Certificate, setup.Plan.Tls.Mutual ? own.Verify : null)
        {
            ClientCertificateRequired = setup.Plan.Tls.Mutual,
        };
    }

    /// <summary>Makes the context of one client.</summary>
    public static (NetCoreTls Tls, SslContext Context) ForClient(ClientSetup setup, DotNetTls tls)
    {
        var own = new NetCoreTls(setup.Plan, tls, "server", setup.ServerName);

        // Also where there is none: without a collection the library would offer what .NET offers by default, whatever the versions.
        X509Certificate2Collection shown = tls.Certificate is { } certificate ? [certificate] : [];
        return (own, new SslContext(tls.Versions, shown, own.Verify));
    }

    /// <summary>Why the handshake failed.</summary>
    public string Explain() => _verification.Explain(null);

    private bool Verify(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        Stream = sender as SslStream;
        if (certificate is not X509Certificate2 shown)
        {
            return _verification.Verify(sender, certificate, chain, SslPolicyErrors.RemoteCertificateNotAvailable);
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

        return _verification.Verify(sender, certificate, ours, found);
    }
}
