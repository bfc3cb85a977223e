using System.Net;
using DotNetty.Transport.Bootstrapping;
using DotNetty.Transport.Channels;
using DotNetty.Transport.Channels.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Callbacks;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;

namespace DotNettyAdapter;

internal sealed class DotNettyClient(IPEndPoint server, StreamSide side, MultithreadEventLoopGroup loops, IConnectObserver observer)
    : Connection(side, observer), ICallbackClient
{
    public void Connect() => _ = ConnectAsync();

    private async Task ConnectAsync()
    {
        try
        {
            IChannel channel = await new Bootstrap().Group(loops)
                .ChannelFactory(() => new TcpSocketChannel(server.AddressFamily))
                .Option(ChannelOption.TcpNodelay, true)
                .Handler(new ActionChannelInitializer<IChannel>(created => created.Pipeline.AddLast(Events)))
                .ConnectAsync(server).ConfigureAwait(false);
            if (IsClosed)
            {
                await channel.CloseAsync().ConfigureAwait(false);
            }
        }
        catch (Exception exception)
        {
            if (!IsClosed)
            {
                Observer!.Refused($"{server} cannot be reached: {StreamFailure.NameOf(exception)}");
            }
        }
    }
}

/// <summary>The clients and the threads that serve them, which end after them.</summary>
internal sealed class DotNettyClients(IClientGroup clients, MultithreadEventLoopGroup loops) : IClientGroup
{
    public void Start() => clients.Start();

    public void Pause() => clients.Pause();

    public async ValueTask DisposeAsync()
    {
        try
        {
            await clients.DisposeAsync().ConfigureAwait(false);
        }
        finally
        {
            loops.End();
        }
    }
}
