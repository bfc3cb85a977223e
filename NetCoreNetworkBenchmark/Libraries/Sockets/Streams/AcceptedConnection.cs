using NetCoreNetworkBenchmark.AdapterKit.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

internal sealed class AcceptedConnection : SocketsStreamPeer
{
    private readonly DotNetTls? _tls;

    public AcceptedConnection(StreamSide side, DotNetTls? tls, Transport transport)
        : base(side, observer: null) => (_tls, Transport) = (tls, transport);

    protected override async Task<Stream?> AgreeAsync()
    {
        TimeSpan deadline = Side.Plan.ConnectDeadline;
        var verification = new PeerVerification("client", name: null, deadline);
        try
        {
            if (_tls is null)
            {
                return Transport!.Plain();
            }

            using var timer = new CancellationTokenSource(deadline);
            return await HandshakeAsync(secure => secure.AuthenticateAsServerAsync(_tls.ForServer(verification), timer.Token)).ConfigureAwait(false);
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            if (!IsClosed)
            {
                Side.CountError(_tls is null ? StreamFailure.NameOf(exception) : $"TLS handshake failed: {verification.Explain(exception)}");
            }

            return null;
        }
    }
}
