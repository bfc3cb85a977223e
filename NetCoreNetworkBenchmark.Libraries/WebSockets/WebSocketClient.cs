using System.Net.Security;
using System.Net.WebSockets;

namespace NetCoreNetworkBenchmark.Libraries.WebSockets;

// ClientWebSocket, and not WebSocket.CreateFromStream over a socket of the harness: the buffers of HttpClient are part of what its users pay.
internal sealed class WebSocketClient : WebSocketPeer, ICallbackClient
{
    private readonly ClientSetup _setup;
    private readonly DotNetTls? _tls;
    private readonly ClientWebSocket _socket;
    private bool _isOpened;

    public WebSocketClient(ClientSetup setup, StreamSide side, DotNetTls? tls, IConnectObserver observer)
        : this(setup, side, tls, observer, new ClientWebSocket())
    {
    }

    private WebSocketClient(ClientSetup setup, StreamSide side, DotNetTls? tls, IConnectObserver observer, ClientWebSocket socket)
        : base(side, socket, observer) => (_setup, _tls, _socket) = (setup, tls, socket);

    // Not on the caller's thread: the handshakes of many clients are work for all cores.
    public void Connect() => _ = Task.Run(RunAsync);

    protected override async Task<Stream?> EstablishAsync()
    {
        var verification = new PeerVerification("server", _setup.Plan.ServerName, _setup.Plan.ConnectDeadline);
        try
        {
            // The connection outlives the handler, which only makes it.
            using var invoker = new HttpMessageInvoker(HandlerOf(verification));
            var address = new UriBuilder(_tls is null ? Uri.UriSchemeWs : Uri.UriSchemeWss, _setup.Plan.ServerName, _setup.EndPoint.Port);
            await _socket.ConnectAsync(address.Uri, invoker, CancellationToken.None).ConfigureAwait(false);
            return await base.EstablishAsync().ConfigureAwait(false);
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            Refuse(Explain(exception, verification));
            return null;
        }
    }

    private SocketsHttpHandler HandlerOf(PeerVerification verification)
    {
        var handler = new SocketsHttpHandler
        {
            UseProxy = false,
            UseCookies = false,
            ConnectCallback = async (_, cancellationToken) => await OpenAsync(cancellationToken).ConfigureAwait(false),
            PlaintextStreamFilter = (context, _) => ValueTask.FromResult(CountHandshake(context.PlaintextStream)),
        };
        if (_tls is not null)
        {
            handler.SslOptions = _tls.ForClient(_setup.Plan.ServerName, verification);
        }

        return handler;
    }

    // HttpClient makes up to three further connections for a request if a server ends one without an answer.
    private async Task<NetworkStream> OpenAsync(CancellationToken cancellationToken)
    {
        if (_isOpened)
        {
            throw new IOException("the server ended the connection without an answer");
        }

        _isOpened = true;
        var socket = new Socket(_setup.EndPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(_setup.EndPoint, cancellationToken).ConfigureAwait(false);
            SelfConnection.ThrowIf(socket, _setup.EndPoint);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            socket.Dispose();
            throw;
        }
    }

    private Stream CountHandshake(Stream stream)
    {
        if (stream is SslStream secure)
        {
            Side.Recorder.CountHandshake(DotNetTls.Read(secure.SslProtocol, secure.NegotiatedCipherSuite));
        }

        return stream;
    }

    // Without an answer of HTTP, the inner exception tells how far the request came.
    private string Explain(Exception exception, PeerVerification verification) => exception.InnerException switch
    {
        HttpRequestException { HttpRequestError: HttpRequestError.ConnectionError, InnerException: SocketException error } =>
            LocalPorts.Explain(_setup.EndPoint, error.SocketErrorCode) ?? $"{_setup.EndPoint} cannot be reached: {error.SocketErrorCode}",
        HttpRequestException when _tls is not null => $"the TLS handshake failed: {verification.Explain(exception)}",
        _ => $"{_setup.EndPoint} is no server of WebSockets: {StreamFailure.NameOf(exception)}",
    };
}
