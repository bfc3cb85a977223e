using NetCoreNetworkBenchmark.AdapterKit.Callbacks;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

internal sealed class ConnectingClient : SocketsStreamPeer, ICallbackClient
{
    private readonly ClientSetup _setup;
    private readonly DotNetTls? _tls;

    public ConnectingClient(ClientSetup setup, StreamSide side, DotNetTls? tls, IConnectObserver observer)
        : base(side, observer) => (_setup, _tls) = (setup, tls);

    // Not on the caller's thread: the handshakes of many clients are work for all cores.
    public void Connect() => _ = Task.Run(RunAsync);

    protected override async Task<Stream?> AgreeAsync()
    {
        var verification = new PeerVerification("server", _setup.Plan.ServerName, _setup.Plan.ConnectDeadline);
        try
        {
            var socket = new Socket(_setup.EndPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            if (!TryTake(new Transport(socket)))
            {
                return null;
            }

            await socket.ConnectAsync(_setup.EndPoint).ConfigureAwait(false);
            return _tls is null
                ? Transport!.Plain()
                : await HandshakeAsync(secure => secure.AuthenticateAsClientAsync(_tls.ForClient(_setup.Plan.ServerName, verification))).ConfigureAwait(false);
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
