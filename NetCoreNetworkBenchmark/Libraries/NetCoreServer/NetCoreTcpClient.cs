using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Callbacks;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Contracts;

using TcpClient = NetCoreServer.TcpClient;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>One TCP client.</summary>
internal sealed class NetCoreTcpClient : TcpClient, ICallbackClient, INetCoreEndpoint
{
    private readonly NetCoreClientCalls _calls;

    public NetCoreTcpClient(ClientSetup setup, IConnectObserver observer)
        : base(setup.EndPoint)
    {
        _calls = new NetCoreClientCalls(setup, observer, this);
        OptionNoDelay = true;
        OptionSendBufferLimit = NetCoreServerBenchmark.MostUnsent(setup.Plan);
    }

    public long Unsent => BytesPending + BytesSending;

    void ICallbackClient.Connect() => ConnectAsync();

    public void Start() => _calls.Start();

    public void Due(long due) => _calls.Due(due);

    public void Tick() => _calls.Tick();

    public void Close() => Disconnect();

    protected override void OnConnected() => _calls.OnConnected();

    protected override void OnReceived(byte[] buffer, long offset, long size) => _calls.Peer.OnReceived(buffer.AsSpan((int)offset, (int)size));

    protected override void OnEmpty() => _calls.Peer.OnEmpty();

    protected override void OnDisconnected() => _calls.OnDisconnected();

    protected override void OnError(SocketError error) => _calls.OnError(error);
}
