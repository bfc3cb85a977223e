#if (!polled)
using NetCoreNetworkBenchmark.AdapterKit.Callbacks;
#endif
#if (!callbacks && !stream)
using NetCoreNetworkBenchmark.AdapterKit.Polling;
#endif
#if (!callbacks && !polled)
using NetCoreNetworkBenchmark.AdapterKit.Streams;
#endif
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Plans;

namespace MyLibrary;

/// <summary>What the library can do, and how its server and its clients start. netbench finds the class by its interface.</summary>
public sealed class MyLibraryBenchmark : INetworkBenchmark
{
    public LibraryInfo Info { get; } = new()
    {
        Name = "MyLibrary",

        // Replace Socket by a type of the library, whose version is in the results, and not that of this adapter.
        Version = LibraryInfo.VersionOf(typeof(System.Net.Sockets.Socket)),
#if (polled)
        Protocols = [Protocol.Udp],
        ServerPushTransports = [Protocol.Udp],
        UpdateTransports = [Protocol.Udp],
        Transmissions = [new TransmissionInfo(Transmission.Unreliable, OverheadBytes: 0, RunPlan.LargestDatagram)],
        ClientThreadsByPlan = true,
#elif (callbacks)
        Protocols = [Protocol.Udp],
        Transmissions = [new TransmissionInfo(Transmission.Unreliable, OverheadBytes: 0, RunPlan.LargestDatagram)],
#elif (stream)
        Protocols = [Protocol.Tcp],

        // The base class of Streams.cs has them. Omit it if the library divides its streams itself.
        Framings = Enum.GetValues<Framing>(),
        ServerPushTransports = [Protocol.Tcp],
        Transmissions = [new TransmissionInfo(Transmission.Reliable, OverheadBytes: 0, RunPlan.LargestStreamMessage)],
#else
        Protocols = [Protocol.Udp, Protocol.Tcp],

        // The base class of Streams.cs has them. Omit it if the library divides its streams itself.
        Framings = Enum.GetValues<Framing>(),
        ServerPushTransports = [Protocol.Udp, Protocol.Tcp],
        UpdateTransports = [Protocol.Udp],
        OwnThreads = [Protocol.Tcp],
        Transmissions = [new TransmissionInfo(Transmission.Unreliable, OverheadBytes: 0, RunPlan.LargestDatagram)],
        ClientThreadsByPlan = true,
#endif
    };

#if (polled)
    public IBenchmarkServer StartServer(ServerSetup setup) => PolledServer.Start(Info.Name, setup, (loop, each) => new DatagramServer(each, loop));

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken) =>
        PolledClientGroup.ConnectAsync(Info.Name, setup, (loop, observer) => new DatagramClient(setup, loop, observer), cancellationToken);
#elif (callbacks)
    public IBenchmarkServer StartServer(ServerSetup setup) => new CallbackServer(setup);

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken) =>
        CallbackClientGroup.ConnectAsync(Info.Name, setup, observer => new CallbackClient(setup, observer), cancellationToken);
#elif (stream)
    public IBenchmarkServer StartServer(ServerSetup setup) => new StreamServer(setup);

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        var side = StreamSide.For(setup);
        return CallbackClientGroup.ConnectAsync(Info.Name, setup, observer => new StreamClient(setup, side, observer), cancellationToken);
    }
#else
    public IBenchmarkServer StartServer(ServerSetup setup) => setup.Plan.Protocol == Protocol.Tcp
        ? new StreamServer(setup)
        : PolledServer.Start(Info.Name, setup, (loop, each) => new DatagramServer(each, loop));

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        if (setup.Plan.Protocol == Protocol.Udp)
        {
            return PolledClientGroup.ConnectAsync(
                Info.Name, setup, (loop, observer) => new DatagramClient(setup, loop, observer), cancellationToken);
        }

        var side = StreamSide.For(setup);
        return CallbackClientGroup.ConnectAsync(Info.Name, setup, observer => new StreamClient(setup, side, observer), cancellationToken);
    }
#endif
}
