using System.Net.Security;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

/// <summary>A connection at the server, starting with its accept.</summary>
internal sealed class AcceptedConnection(StreamSide side, DotNetTls? tls, Transport transport) : SocketsStreamPeer(side)
{
    private readonly StreamSide _side = side;

    /// <summary>Serves the connection until it ends. A failure ends this connection and no other.</summary>
    public async Task RunAsync()
    {
        try
        {
            if (await AgreeAsync().ConfigureAwait(false) is { } stream)
            {
                Open(stream);
                await ServeAsync().ConfigureAwait(false);
            }
        }
        catch (Exception exception)
        {
            // An exception on a pool thread must not end the process: the runner ends the run with this exception as the reason.
            _side.Recorder.ReportFault(exception);
        }
        finally
        {
            transport.Dispose();
        }
    }

    protected override void Shut(bool canSend) => transport.Shut(saysSo: canSend);

    // Returns the stream that carries the messages; null if there is none.
    private async Task<Stream?> AgreeAsync()
    {
        RunPlan plan = _side.Plan;
        var verification = new PeerVerification("client", name: null, plan.ConnectDeadline);
        try
        {
            return tls is null ? transport.Plain() : await HandshakeAsync(tls, verification, plan.ConnectDeadline).ConfigureAwait(false);
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            if (!IsClosed)
            {
                _side.CountError(tls is null ? StreamFailure.NameOf(exception) : $"TLS handshake failed: {verification.Explain(exception)}");
            }

            return null;
        }
    }

    private async Task<Stream> HandshakeAsync(DotNetTls options, PeerVerification verification, TimeSpan deadline)
    {
        SslStream secure = transport.Secure();
        using var timer = new CancellationTokenSource(deadline);
        await secure.AuthenticateAsServerAsync(options.ForServer(verification), timer.Token).ConfigureAwait(false);
        _side.Recorder.CountHandshake(DotNetTls.Read(secure.SslProtocol, secure.NegotiatedCipherSuite));
        return secure;
    }
}
