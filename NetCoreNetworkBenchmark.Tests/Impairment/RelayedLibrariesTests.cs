using NetCoreNetworkBenchmark.Impairment;

namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>A library cannot distinguish a relay from its server.</summary>
public sealed class RelayedLibrariesTests
{
    private const int Clients = 20;

    public static IEnumerable<TheoryDataRow<string, Protocol>> Transports() => LibraryUnderTest.TransportsWithNetwork();

    [Theory, MemberData(nameof(Transports))]
    public async Task Every_library_connects_and_gets_its_answers_through_a_relay(string name, Protocol protocol)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        var answered = new Tally();
        await using var session = new Session(
            library, protocol, Clients, messageSize: 32, transmission: library.Info.TransmissionsOver(protocol)[0].Transmission);
        session.Client.Started = peer => peer.Send(new byte[32]);
        session.Client.Message = (_, _) => answered.Add();
        session.StartServer();
        var setup = new RelaySetup
        {
            EndPoint = new IPEndPoint(IPAddress.Loopback, 0),
            Server = session.EndPoint,
            Impairment = new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(1) },
            Plan = new RunPlan { Library = name, Protocol = protocol, Clients = Clients },
            Recorder = session.Recorder,
        };
        await using Relay relay = Relay.Start(setup);
        await session.ConnectAsync(relay.EndPoint);
        await relay.BeginAsync();
        session.Load();
        await answered.ReachesAsync(Clients, "answers came through the relay");
        Assert.Equal(Clients, (await relay.CountAsync()).Clients);
        await session.CloseClientsAsync();
        Assert.False(session.Recorder.Fault.IsCompleted);
    }
}
