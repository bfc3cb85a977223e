using System.Net.Quic;
using System.Net.Security;

namespace NetCoreNetworkBenchmark.Libraries.Quic;

internal sealed class QuicServer : IBenchmarkServer
{
    // Limits the wait until msquic releases the port, which another program may bind first.
    private static readonly TimeSpan s_longestClose = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_closeInterval = TimeSpan.FromMilliseconds(1);

    private readonly StreamSide _side;
    private readonly QuicListener _listener;
    private readonly ConcurrentQueue<PeerVerification> _refusals;
    private readonly ReadingConnections _connections;
    private bool _isStopped;

    private QuicServer(ServerSetup setup, QuicListener listener, ConcurrentQueue<PeerVerification> refusals)
    {
        (_side, _listener, _refusals) = (StreamSide.For(setup), listener, refusals);
        EndPoint = listener.LocalEndPoint;
        _connections = new ReadingConnections(setup, _side, AcceptAsync, OnFailureAsync);
    }

    public IPEndPoint EndPoint { get; }

    public static QuicServer Start(ServerSetup setup)
    {
        // The library's sockets share a port (SO_REUSEPORT), also with those of another program. A plain socket does not.
        SharedPort.RequireFree(setup.EndPoint, Protocol.Quic);
        var tls = DotNetTls.For(setup);
        var refusals = new ConcurrentQueue<PeerVerification>();
        try
        {
            // It listens when the task is complete, which it is at once.
            return new QuicServer(setup, QuicListener.ListenAsync(OptionsOf(setup, tls, refusals)).AsTask().GetAwaiter().GetResult(), refusals);
        }
        catch (SocketException exception)
        {
            throw BindFailure.Explain(setup.EndPoint, exception);
        }
        catch (QuicException exception)
        {
            throw BindFailure.Find(setup.EndPoint, Protocol.Quic)
                ?? new BenchmarkException($"Quic could not bind its server to {setup.EndPoint}: {StreamFailure.NameOf(exception)}.", exception);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (!_isStopped)
        {
            _isStopped = true;
            await _connections.StopAsync(_listener.DisposeAsync).ConfigureAwait(false);
            await UntilFreeAsync().ConfigureAwait(false);
        }
    }

    // The library closes its sockets later, on threads of its own, and reports it to nobody.
    private async Task UntilFreeAsync()
    {
        long start = Stopwatch.GetTimestamp();
        while (BindFailure.Find(EndPoint, Protocol.Quic) is not null && Stopwatch.GetElapsedTime(start) < s_longestClose)
        {
            await Task.Delay(s_closeInterval).ConfigureAwait(false);
        }
    }

    private static QuicListenerOptions OptionsOf(ServerSetup setup, DotNetTls tls, ConcurrentQueue<PeerVerification> refusals) => new()
    {
        ListenEndPoint = setup.EndPoint,
        ApplicationProtocols = [QuicPeer.Application],
        ListenBacklog = ServerSocket.Backlog,
        ConnectionOptionsCallback = (_, _, _) => ValueTask.FromResult(new QuicServerConnectionOptions
        {
            ServerAuthenticationOptions = AuthenticationOf(setup, tls, refusals),
            DefaultCloseErrorCode = QuicPeer.NoError,
            DefaultStreamErrorCode = QuicPeer.NoError,
            HandshakeTimeout = setup.Plan.ConnectDeadline,
            IdleTimeout = TimeSpan.FromMilliseconds(PeerTimeout.LongestMilliseconds),
            MaxInboundBidirectionalStreams = 1,
            MaxInboundUnidirectionalStreams = 0,
        }),
    };

    private static SslServerAuthenticationOptions AuthenticationOf(ServerSetup setup, DotNetTls tls, ConcurrentQueue<PeerVerification> refusals)
    {
        var verification = new PeerVerification("client", name: null, setup.Plan.ConnectDeadline);
        SslServerAuthenticationOptions authentication = tls.ForServer(verification);
        authentication.ApplicationProtocols = [QuicPeer.Application];
        if (authentication.RemoteCertificateValidationCallback is { } accepts)
        {
            authentication.RemoteCertificateValidationCallback = (sender, certificate, chain, errors) =>
            {
                if (accepts(sender, certificate, chain, errors))
                {
                    return true;
                }

                refusals.Enqueue(verification);
                return false;
            };
        }

        return authentication;
    }

    private async Task<ReadingPeer> AcceptAsync() => new AcceptedConnection(_side, await _listener.AcceptConnectionAsync().ConfigureAwait(false));

    // An accept completes also after a failed handshake. The library does not report whose certificate was refused: of handshakes at the same time, one may
    // be counted with the reason of another.
    private Task OnFailureAsync(Exception exception)
    {
        string reason = _refusals.TryDequeue(out PeerVerification? refusal) ? refusal.Explain(exception) : StreamFailure.NameOf(exception);
        _side.CountError($"TLS handshake failed: {reason}");
        return Task.CompletedTask;
    }

    private sealed class AcceptedConnection : QuicPeer
    {
        public AcceptedConnection(StreamSide side, QuicConnection connection)
            : base(side, observer: null) => Connection = connection;

        protected override async Task<Stream?> EstablishAsync()
        {
            using var deadline = new CancellationTokenSource(Side.Plan.ConnectDeadline);
            try
            {
                QuicStream stream = await Connection!.AcceptInboundStreamAsync(deadline.Token).ConfigureAwait(false);
                await stream.ReadExactlyAsync(new byte[1], deadline.Token).ConfigureAwait(false);
                return Take(stream);
            }
            catch (Exception exception) when (StreamFailure.IsOne(exception))
            {
                if (!IsClosed && !IsClose(exception))
                {
                    Side.CountError($"no stream: {StreamFailure.NameOf(exception)}");
                }

                return null;
            }
        }
    }
}
