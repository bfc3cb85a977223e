using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Microsoft.AspNetCore.Server.Kestrel.Https;

namespace NetCoreNetworkBenchmark.Libraries.AspNetCore;

// Kestrel reports a failed handshake to its log only, so a connection that was registered before its handshake and not marked after it has failed.
internal sealed class Handshakes(StreamSide side, DotNetTls tls)
{
    // A timer may end slightly before the clock shows the end.
    private static readonly TimeSpan s_timersError = TimeSpan.FromMilliseconds(20);

    private readonly TimeSpan _deadline = side.Plan.ConnectDeadline;

    public TlsHandshakeCallbackOptions Options => new()
    {
        OnConnection = context => ValueTask.FromResult(tls.ForServer(context.Connection.Features.Get<PendingHandshake>()!.Verification)),
        HandshakeTimeout = _deadline,
    };

    public ConnectionDelegate Watch(ConnectionDelegate next) => async context =>
    {
        var handshake = new PendingHandshake(new PeerVerification("client", name: null, _deadline));
        context.Features.Set(handshake);
        long start = Stopwatch.GetTimestamp();
        await next(context).ConfigureAwait(false);
        if (!handshake.IsDone)
        {
            bool tookTooLong = Stopwatch.GetElapsedTime(start) >= _deadline - s_timersError;
            side.CountError($"TLS handshake failed: {handshake.Verification.Explain(tookTooLong ? new TimeoutException() : null)}");
        }
    };

    public ConnectionDelegate Count(ConnectionDelegate next) => context =>
    {
        context.Features.Get<PendingHandshake>()!.IsDone = true;
        ITlsHandshakeFeature handshake = context.Features.Get<ITlsHandshakeFeature>()!;
        side.Recorder.CountHandshake(DotNetTls.Read(handshake.Protocol, handshake.NegotiatedCipherSuite!.Value));
        return next(context);
    };

    // Sends close_notify (RFC 8446, section 6.1) when nothing else is written any more. Kestrel closes without it (dotnet/aspnetcore,
    // HttpsConnectionMiddleware), which other TLS libraries report as a connection that was cut off.
    public static async Task EndAsync(ConnectionContext context)
    {
        if (context.Features.Get<ISslStreamFeature>() is not { } secure || context.ConnectionClosed.IsCancellationRequested)
        {
            return;
        }

        try
        {
            await secure.SslStream.ShutdownAsync().ConfigureAwait(false);
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception) || exception is InvalidOperationException)
        {
            // The connection broke in the meantime, so there is no other side to notify.
            return;
        }
    }

    private sealed class PendingHandshake(PeerVerification verification)
    {
        public PeerVerification Verification => verification;

        public bool IsDone { get; set; }
    }
}
