using System.Net.Security;

namespace NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

internal abstract class SocketsStreamPeer(StreamSide side, IConnectObserver? observer) : ReadingPeer(side, observer)
{
    private volatile Transport? _transport;

    protected Transport? Transport
    {
        get => _transport;
        set => _transport = value;
    }

    protected async Task<Stream> AuthenticateAsync(Func<SslStream, Task> authenticate)
    {
        SslStream secure = _transport!.Secure();
        await authenticate(secure).ConfigureAwait(false);
        Side.Recorder.CountHandshake(DotNetTls.Read(secure.SslProtocol, secure.NegotiatedCipherSuite));
        return secure;
    }

    protected override ValueTask ReleaseAsync()
    {
        _transport?.Dispose();
        return ValueTask.CompletedTask;
    }

    protected override void CloseTransport(bool canSend) => _transport?.Close(notifies: canSend);
}

internal sealed class SocketsServerPeer : SocketsStreamPeer
{
    private readonly DotNetTls? _tls;

    public SocketsServerPeer(StreamSide side, DotNetTls? tls, Transport transport)
        : base(side, observer: null) => (_tls, Transport) = (tls, transport);

    protected override async Task<Stream?> EstablishAsync()
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
            return await AuthenticateAsync(secure => secure.AuthenticateAsServerAsync(_tls.ForServer(verification), timer.Token)).ConfigureAwait(false);
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

internal sealed class SocketsStreamClient : SocketsStreamPeer, ICallbackClient
{
    private readonly ClientSetup _setup;
    private readonly DotNetTls? _tls;

    public SocketsStreamClient(ClientSetup setup, StreamSide side, DotNetTls? tls, IConnectObserver observer)
        : base(side, observer) => (_setup, _tls) = (setup, tls);

    // Not on the caller's thread: the handshakes of many clients are work for all cores.
    public void Connect() => _ = Task.Run(RunAsync);

    protected override async Task<Stream?> EstablishAsync()
    {
        var verification = new PeerVerification("server", _setup.Plan.ServerName, _setup.Plan.ConnectDeadline);
        try
        {
            var socket = new Socket(_setup.EndPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            if (!TryTake(new Transport(socket)))
            {
                return null;
            }

            CongestionControl.Set(socket, _setup.Plan);
            await socket.ConnectAsync(_setup.EndPoint).ConfigureAwait(false);
            SelfConnection.ThrowIf(socket, _setup.EndPoint);
            return _tls is null
                ? Transport!.Plain()
                : await AuthenticateAsync(secure => secure.AuthenticateAsClientAsync(_tls.ForClient(_setup.Plan.ServerName, verification)))
                    .ConfigureAwait(false);
        }
        catch (SocketException exception)
        {
            Refuse(LocalPorts.Explain(_setup.EndPoint, exception.SocketErrorCode) ?? $"{_setup.EndPoint} cannot be reached: {exception.SocketErrorCode}");
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            Refuse($"the TLS handshake failed: {verification.Explain(exception)}");
        }

        return null;
    }

    // A client that was closed before it began does not open a socket that would never be closed.
    private bool TryTake(Transport transport)
    {
        lock (Calls)
        {
            Transport = transport;
            return !IsClosed;
        }
    }
}
