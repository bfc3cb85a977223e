using System.Net.Security;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

/// <summary>
/// A connection at either side, over TCP (<see cref="System.Net.Sockets.NetworkStream"/>) or TLS (<see cref="SslStream"/>).
/// </summary>
internal abstract class SocketsStreamPeer(StreamSide side, IConnectObserver? observer) : ReadingPeer(side, observer)
{
    private volatile Transport? _transport;

    /// <summary>The layers below the connection; null before they exist.</summary>
    protected Transport? Transport
    {
        get => _transport;
        set => _transport = value;
    }

    /// <summary>Performs the handshake of TLS over the connected socket.</summary>
    protected async Task<Stream> HandshakeAsync(Func<SslStream, Task> authenticate)
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

    protected override void Shut(bool canSend) => _transport?.Shut(saysSo: canSend);
}
