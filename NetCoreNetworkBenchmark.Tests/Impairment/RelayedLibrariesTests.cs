using System.Net;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Impairment;
using NetCoreNetworkBenchmark.Tests.Libraries;

namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>A library cannot tell a relay from its server.</summary>
public sealed class RelayedLibrariesTests
{
    private const int Clients = 20;

    // Memory has no datagrams.
    public static IEnumerable<TheoryDataRow<string>> Names() => LibraryUnderTest.Names().Where(row => row.Data != "Memory");

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Every_library_connects_and_gets_its_answers_through_a_relay(string name)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        var answered = new Tally();
        await using var session = new Session(library, Protocol.Udp, Clients, messageSize: 32, transmission: library.Info.Transmissions[0].Transmission);
        session.Client.Started = peer => peer.Send(new byte[32]);
        session.Client.Message = (_, _) => answered.Add();
        session.StartServer();
        await using UdpRelay relay = UdpRelay.Start(new RelaySetup
        {
            EndPoint = new IPEndPoint(IPAddress.Loopback, 0),
            Server = session.EndPoint,
            Impairment = new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(1) },
            Plan = new RunPlan { Library = name, Clients = Clients },
            Recorder = session.Recorder,
        });
        await session.ConnectAsync(relay.EndPoint);
        await relay.BeginAsync();
        session.Load();
        await answered.ReachesAsync(Clients, "answers came through the relay");
        Assert.Equal(Clients, (await relay.CountAsync()).Clients);
        await session.CloseClientsAsync();
        Assert.False(session.Recorder.Fault.IsCompleted);
    }
}
