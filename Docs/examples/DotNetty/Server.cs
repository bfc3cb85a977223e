using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using DotNetty.Transport.Bootstrapping;
using DotNetty.Transport.Channels;
using DotNetty.Transport.Channels.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;

namespace DotNettyAdapter;

internal sealed class DotNettyServer : IBenchmarkServer
{
    private readonly StreamSide _side;
    private readonly ConnectionLimit _limit;
    private readonly ConcurrentDictionary<Connection, IChannel> _connections = new();
    private readonly MultithreadEventLoopGroup _acceptor = new(1);
    private readonly MultithreadEventLoopGroup _loops;
    private readonly IChannel _listener;

    public DotNettyServer(ServerSetup setup)
    {
        (_side, _limit) = (StreamSide.For(setup), new ConnectionLimit(setup));
        _loops = new MultithreadEventLoopGroup(setup.Plan.ServerThreads);
        try
        {
            _listener = new ServerBootstrap().Group(_acceptor, _loops)
                .ChannelFactory(() => new TcpServerSocketChannel(setup.EndPoint.AddressFamily))
                .Option(ChannelOption.SoBacklog, ServerSocket.Backlog)
                .ChildOption(ChannelOption.TcpNodelay, true)
                .ChildHandler(new ActionChannelInitializer<IChannel>(Accept))
                .BindAsync(setup.EndPoint).GetAwaiter().GetResult();
        }
        catch (SocketException exception)
        {
            throw BindFailure.Explain(setup.EndPoint, exception);
        }
    }

    public IPEndPoint EndPoint => (IPEndPoint)_listener.LocalAddress;

    public async ValueTask DisposeAsync()
    {
        if (!_listener.Open)
        {
            return;
        }

        await _listener.CloseAsync().WaitAsync(_side.Plan.StopDeadline).ConfigureAwait(false);
        IChannel[] channels = [.. _connections.Values];
        foreach (Connection connection in _connections.Keys)
        {
            connection.Close();
        }

        await Task.WhenAll(channels.Select(channel => channel.CloseCompletion)).WaitAsync(_side.Plan.StopDeadline).ConfigureAwait(false);
        _acceptor.End();
        _loops.End();
    }

    private void Accept(IChannel channel)
    {
        if (!_limit.TryEnter())
        {
            _ = channel.CloseAsync();
            return;
        }

        var connection = new Connection(_side);
        _connections[connection] = channel;
        channel.Pipeline.AddLast(connection.Events);
        _ = channel.CloseCompletion.ContinueWith(_ => Forget(connection), TaskScheduler.Default);
    }

    private void Forget(Connection connection)
    {
        _connections.TryRemove(connection, out _);
        _limit.Leave();
    }
}
