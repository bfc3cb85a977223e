using System.Net.Quic;
using System.Security.Authentication;

namespace NetCoreNetworkBenchmark.Libraries.Quic;

internal sealed class QuicClient : QuicPeer, ICallbackClient
{
    // The connection of a load that is paused stays.
    private static readonly TimeSpan s_keepAlive = TimeSpan.FromSeconds(10);
    private static readonly byte[] s_announcement = [0];

    private readonly ClientSetup _setup;
    private readonly DotNetTls _tls;

    private Action? _cancel;

    public QuicClient(ClientSetup setup, StreamSide side, DotNetTls tls, IConnectObserver observer)
        : base(side, observer) => (_setup, _tls) = (setup, tls);

    // Not on the caller's thread: the handshakes of many clients are work for all cores.
    public void Connect() => _ = Task.Run(RunAsync);

    protected override async Task<Stream?> EstablishAsync()
    {
        var verification = new PeerVerification("server", _setup.Plan.ServerName, _setup.Plan.ConnectDeadline);
        using var closed = new CancellationTokenSource();
        if (!TrySetCancel(closed.Cancel))
        {
            return null;
        }

        try
        {
            Connection = await QuicConnection.ConnectAsync(OptionsOf(verification), closed.Token).ConfigureAwait(false);
            QuicStream stream = await Connection.OpenOutboundStreamAsync(QuicStreamType.Bidirectional, closed.Token).ConfigureAwait(false);
            await stream.WriteAsync(s_announcement, closed.Token).ConfigureAwait(false);
            return Take(stream);
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            string fault = verification.HasObjection || IsOfTls(exception) ? "the TLS handshake failed" : $"{_setup.EndPoint} cannot be reached";
            Refuse($"{fault}: {verification.Explain(exception)}");
            return null;
        }
        finally
        {
            TrySetCancel(null);
        }
    }

    protected override void CloseTransport(bool canSend)
    {
        _cancel?.Invoke();
        base.CloseTransport(canSend);
    }

    // With TLS 1.3 the server may refuse a client that has completed its own part of the handshake. CRYPTO_ERROR has 256 codes: RFC 9000, section 20.1.
    private static bool IsOfTls(Exception exception) =>
        exception is AuthenticationException or QuicException { TransportErrorCode: >= 0x100 and <= 0x1FF };

    // A client that was closed before it began does not connect.
    private bool TrySetCancel(Action? cancel)
    {
        lock (Calls)
        {
            _cancel = cancel;
            return !IsClosed;
        }
    }

    private QuicClientConnectionOptions OptionsOf(PeerVerification verification)
    {
        var authentication = _tls.ForClient(_setup.Plan.ServerName, verification);
        authentication.ApplicationProtocols = [Application];
        return new QuicClientConnectionOptions
        {
            RemoteEndPoint = _setup.EndPoint,
            ClientAuthenticationOptions = authentication,
            DefaultCloseErrorCode = NoError,
            DefaultStreamErrorCode = NoError,
            HandshakeTimeout = _setup.Plan.ConnectDeadline,
            KeepAliveInterval = s_keepAlive,
            IdleTimeout = TimeSpan.FromMilliseconds(PeerTimeout.LongestMilliseconds),
        };
    }
}
