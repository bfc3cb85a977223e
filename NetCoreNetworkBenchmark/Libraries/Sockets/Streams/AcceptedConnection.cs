using System.Net.Security;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

/// <summary>A connection at the server, from its accept on.</summary>
internal sealed class AcceptedConnection(StreamSide side, DotNetTls? tls, Transport transport) : StreamConnection(side)
{
    private readonly StreamSide _side = side;

    /// <summary>Serves it until it ends. What fails in it ends it and no other.</summary>
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
            // A thread of the pool must not take the process down: the runner ends the run with this as its reason.
            _side.Recorder.ReportFault(exception);
        }
        finally
        {
            transport.Dispose();
        }
    }

    protected override void Shut(bool canSend) => transport.Shut(saysSo: canSend);

    // The stream over which messages go; null where there will be none.
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
