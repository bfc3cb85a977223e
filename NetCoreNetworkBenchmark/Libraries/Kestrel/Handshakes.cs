using System.Diagnostics;
using System.Net.Security;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using NetCoreNetworkBenchmark.AdapterKit.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Kestrel;

/// <summary>
/// The TLS handshakes of a server. Kestrel performs them and reports a failure to its log only. Each connection is therefore registered before its handshake
/// and marked after it. A connection that is not marked has failed.
/// </summary>
internal sealed class Handshakes(StreamSide side, DotNetTls tls)
{
    // A timer may end slightly before the clock shows the end.
    private static readonly TimeSpan s_timersError = TimeSpan.FromMilliseconds(20);

    private readonly TimeSpan _deadline = side.Plan.ConnectDeadline;

    /// <summary>The options that Kestrel receives: those of each connection, and the timeout of the handshake.</summary>
    public TlsHandshakeCallbackOptions Options => new()
    {
        OnConnection = context => ValueTask.FromResult(OptionsOf(context)),
        HandshakeTimeout = _deadline,
    };

    /// <summary>The middleware before the handshake.</summary>
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

    /// <summary>The middleware after the handshake.</summary>
    public ConnectionDelegate Count(ConnectionDelegate next) => context =>
    {
        context.Features.Get<PendingHandshake>()!.IsDone = true;
        ITlsHandshakeFeature agreed = context.Features.Get<ITlsHandshakeFeature>()!;
        side.Recorder.CountHandshake(DotNetTls.Read(agreed.Protocol, agreed.NegotiatedCipherSuite!.Value));
        return next(context);
    };

    /// <summary>
    /// Sends close_notify (RFC 8446, section 6.1) on a connection on which nothing else is written any more. Kestrel closes without it
    /// (dotnet/aspnetcore, <c>HttpsConnectionMiddleware</c>), which other TLS libraries report as a connection that was cut off. Does nothing over TCP.
    /// </summary>
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

    private SslServerAuthenticationOptions OptionsOf(TlsHandshakeCallbackContext context) =>
        tls.ForServer(context.Connection.Features.Get<PendingHandshake>()!.Verification);

    private sealed class PendingHandshake(PeerVerification verification)
    {
        public PeerVerification Verification => verification;

        public bool IsDone { get; set; }
    }
}
