using System.Diagnostics;
using DotNetty.Transport.Channels;
using NetCoreNetworkBenchmark.AdapterKit.Callbacks;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Plans;

namespace DotNettyAdapter;

/// <summary>DotNetty over TCP, with its event loops and pooled buffers. It has no codec here: the base class divides the stream into messages.</summary>
public sealed class DotNettyBenchmark : INetworkBenchmark
{
    public LibraryInfo Info { get; } = new()
    {
        Name = "DotNetty",
        Version = FileVersionInfo.GetVersionInfo(typeof(IChannel).Assembly.Location).ProductVersion!,
        Protocols = [Protocol.Tcp],
        Framings = Enum.GetValues<Framing>(),
        ServerPushTransports = [Protocol.Tcp],
        Transmissions = [new TransmissionInfo(Transmission.Reliable, OverheadBytes: 0, RunPlan.LargestStreamMessage)],
        Settings = [StreamSendSetting.Setting],
        MaxServerThreads = null,
        ClientThreadsByPlan = true,

        // A task for each write.
        AllocatingTransports = [Protocol.Tcp],
    };

    public IBenchmarkServer StartServer(ServerSetup setup) => new DotNettyServer(setup);

    public async Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        var side = StreamSide.For(setup);
        var loops = new MultithreadEventLoopGroup(setup.Plan.UsedClientThreads);
        try
        {
            // The library's threads are schedulers of tasks: without ConfigureAwait, what follows could wait for a thread that has ended.
            IClientGroup clients = await CallbackClientGroup.ConnectAsync(
                Info.Name, setup, observer => new DotNettyClient(setup.EndPoint, side, loops, observer), cancellationToken).ConfigureAwait(false);
            return new DotNettyClients(clients, loops);
        }
        catch
        {
            loops.End();
            throw;
        }
    }
}

internal static class EventLoops
{
    /// <summary>Ends the threads after what they have to do. In 0.7.6 a wait for their end can last until its deadline, so there is none.</summary>
    public static void End(this MultithreadEventLoopGroup loops) => _ = loops.ShutdownGracefullyAsync(TimeSpan.Zero, TimeSpan.FromSeconds(1));
}
