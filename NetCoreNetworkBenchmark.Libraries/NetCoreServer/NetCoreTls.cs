using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using SslContext = NetCoreServer.SslContext;
using SslSession = NetCoreServer.SslSession;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

// The library verifies against the system's store and the address. Its callback overrides both with the run's own authority and the requested name.
internal sealed class NetCoreTls
{
    private readonly DotNetTls _tls;
    private readonly string? _serverName;
    private readonly PeerVerification _verification;
    private readonly TimeSpan _deadline;

    public NetCoreTls(ServerSetup setup)
    {
        bool mutual = setup.Plan.Tls.Mutual;
        _tls = DotNetTls.For(setup);
        _deadline = setup.Plan.ConnectDeadline;
        _verification = new PeerVerification("client", name: null, setup.Plan.ConnectDeadline);
        Context = new SslContext(_tls.Versions, _tls.Certificate, mutual ? Verify : null) { ClientCertificateRequired = mutual };
    }

    public NetCoreTls(ClientSetup setup, DotNetTls tls)
    {
        (_tls, _serverName) = (tls, setup.Plan.ServerName);
        _verification = new PeerVerification("server", _serverName, setup.Plan.ConnectDeadline);

        // Also if there is no certificate: without a collection, the library would offer the defaults of .NET, regardless of the versions.
        X509Certificate2Collection shown = tls.Certificate is { } certificate ? [certificate] : [];
        Context = new SslContext(tls.Versions, shown, Verify);
    }

    public SslContext Context { get; }

    /// <summary>Null before the handshake has reached the certificates.</summary>
    public SslStream? Stream { get; private set; }

    public void ShowChain(SslSession session)
    {
        if (_tls.HasChain)
        {
            ChainStream.Use(session, _tls.ForServer(new PeerVerification("client", name: null, _deadline)));
        }
    }

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

        SslPolicyErrors problems = ours.Build(shown) ? SslPolicyErrors.None : SslPolicyErrors.RemoteCertificateChainErrors;
        if (_serverName is not null && !shown.MatchesHostname(_serverName))
        {
            problems |= SslPolicyErrors.RemoteCertificateNameMismatch;
        }

        return _verification.Accepts(ours, problems);
    }
}

// Shows the whole chain of the server's certificate: .NET looks for those between it and the authority in the stores of the system alone.
internal sealed class ChainStream : SslStream
{
    private readonly SslServerAuthenticationOptions _options;

    private ChainStream(Socket socket, SslServerAuthenticationOptions options)
        : base(new NetworkStream(socket, ownsSocket: false), leaveInnerStreamOpen: false) => _options = options;

    public static void Use(SslSession session, SslServerAuthenticationOptions options) => StreamOf(session) = new ChainStream(session.Socket, options);

    public override IAsyncResult BeginAuthenticateAsServer(
        X509Certificate serverCertificate, bool clientCertificateRequired, SslProtocols enabledSslProtocols, bool checkCertificateRevocation,
        AsyncCallback? asyncCallback, object? asyncState) => TaskToAsyncResult.Begin(AuthenticateAsServerAsync(_options), asyncCallback, asyncState);

    public override void EndAuthenticateAsServer(IAsyncResult asyncResult) => TaskToAsyncResult.End(asyncResult);

    // The library has no other way to its stream.
    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_sslStream")]
    private static extern ref SslStream StreamOf(SslSession session);
}
