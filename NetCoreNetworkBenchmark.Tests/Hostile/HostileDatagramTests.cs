using NetCoreNetworkBenchmark.AdapterKit.Datagrams;

namespace NetCoreNetworkBenchmark.Tests.Hostile;

/// <summary>Datagrams of strangers end no server, reach no client of the run and are counted.</summary>
public sealed class HostileDatagramTests
{
    public static IEnumerable<TheoryDataRow<string>> Servers() =>
        from row in LibraryUnderTest.TransportsWithNetwork()
        where row.Data.Item2 == Protocol.Udp
        select new TheoryDataRow<string>(row.Data.Item1);

    [Theory, MemberData(nameof(Servers))]
    public async Task A_server_lives_through_random_datagrams_and_its_clients_lose_nothing(string name)
    {
        await using var run = new HostileRun(name, Protocol.Udp, TimeSpan.FromSeconds(1));
        await run.BeginAsync();
        var flood = new DatagramFlood(run.EndPoint, datagrams: 4_000, rate: 8_000);
        await flood.RunAsync(TestContext.Current.CancellationToken);
        await run.ServesAsync();
        RunResult result = await run.EndAsync();
        Assert.Equal(4_000, flood.Sent);
        Assert.InRange(result.Lost, 0, HostileRun.InFlight * DatagramFlood.KernelDrops(run.EndPoint.Port));
        Assert.Equal(0, result.Corrupted);
        Assert.Empty(result.ErrorsByName);
        await run.CountsAsync(flood);
    }

    [Theory, MemberData(nameof(Servers))]
    public async Task Server_receives_from_its_clients_after_empty_datagrams(string name)
    {
        await using var run = new HostileRun(name, Protocol.Udp, TimeSpan.FromSeconds(0.2));
        using var stranger = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        for (int number = 0; number < 200; number++)
        {
            await stranger.SendToAsync(Array.Empty<byte>(), run.EndPoint);
        }

        await run.BeginAsync();
        RunResult result = await run.EndAsync();
        Assert.Equal(0, result.Lost);
        Assert.Empty(result.ErrorsByName);
    }

    // A run without strangers must not count these.
    [Theory, MemberData(nameof(Servers))]
    public async Task Datagrams_of_the_clients_of_the_run_are_not_unsolicited(string name)
    {
        await using var run = new HostileRun(name, Protocol.Udp, TimeSpan.FromSeconds(0.2));
        await run.BeginAsync();
        RunResult result = await run.EndAsync();
        Assert.Empty(result.Server!.Unsolicited);
        Assert.Equal(0, result.Lost);
    }

    [Theory, MemberData(nameof(Servers))]
    public async Task A_server_has_no_more_peers_than_the_plan_has_clients(string name)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), Protocol.Udp, clients: 2, messageSize: 32);
        await session.StartAsync();
        await session.Server.Connected.ReachesAsync(2, "clients seen by the server");
        await Assert.ThrowsAsync<BenchmarkException>(() => session.ConnectAsync(deadline: TimeSpan.FromSeconds(1)));
        Assert.Equal((2, 0), (session.Server.Connected.Count, session.Server.Closed.Count));
    }

    [Theory, InlineData("Sockets"), InlineData("Epoll"), InlineData("NetCoreServer")]
    public async Task Hellos_from_many_ports_make_no_more_peers_than_the_plan_has_clients(string name)
    {
        Assert.SkipUnless(LibraryUnderTest.Catalog.Libraries.Contains(name), $"{name} is not in this build.");
        await using var session = new Session(LibraryUnderTest.Create(name), Protocol.Udp, clients: 4, messageSize: 32);
        await session.StartAsync();
        await session.Server.Connected.ReachesAsync(4, "clients seen by the server");
        for (int number = 0; number < 100; number++)
        {
            using var stranger = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            stranger.SendTo(DatagramHandshake.Hello, session.EndPoint);
        }

        await Wait.UntilAsync(() => session.Recorder.Unsolicited().GetValueOrDefault(UnsolicitedTraffic.Datagrams) == 100, "100 greetings that are counted");
        Assert.Equal((4, 0), (session.Server.Connected.Count, session.Server.Closed.Count));
    }
}
