using System.Net.Security;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

internal abstract class SocketsStreamPeer(StreamSide side, IConnectObserver? observer) : ReadingPeer(side, observer)
{
    private volatile Transport? _transport;

    protected Transport? Transport
    {
        get => _transport;
        set => _transport = value;
    }

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

    protected override void Shut(bool canSend) => _transport?.Shut(notifies: canSend);
}
