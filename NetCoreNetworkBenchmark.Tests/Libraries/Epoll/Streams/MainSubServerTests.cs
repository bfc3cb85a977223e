using NetCoreNetworkBenchmark.Libraries.Epoll.Streams;
using NetCoreNetworkBenchmark.Tests.Hostile;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Epoll.Streams;

/// <summary>A server of Epoll whose main loop hands connections to sub loops.</summary>
public sealed class MainSubServerTests
{
    public static IEnumerable<TheoryDataRow<Protocol, int, int, string>> Divisions() =>
        from protocol in (Protocol[])[Protocol.Tcp, Protocol.Ssl]
        from division in ((int, int, string)[])[
            (1, 4, "1 event loop: 4"), (2, 5, "2 event loops round-robin: 3, 2"), (3, 3, "3 event loops round-robin: 1, 1, 1"),
            (3, 7, "3 event loops round-robin: 3, 2, 2"), (3, 2, "3 event loops round-robin: 1, 1, 0")]
        select new TheoryDataRow<Protocol, int, int, string>(protocol, division.Item1, division.Item2, division.Item3);

    [Theory, MemberData(nameof(Divisions))]
    public async Task Connections_are_handed_to_the_loops_in_turn_and_served(Protocol protocol, int loops, int connections, string handed)
    {
        await using StreamService service = Start(protocol, loops, connections);
        var open = new List<Stream>();
        byte[] message = new byte[StreamService.Size];
        for (int number = 0; number < connections; number++)
        {
            open.Add(await service.ConnectAsync());
            message[0] = (byte)number;
            Assert.Equal(message, await StreamService.ExchangeAsync(open[^1], message));
        }

        Assert.Equal([$"Connections were handed to {handed}."], service.Recorder.Remarks());
        open.ForEach(stream => stream.Dispose());
        await service.Handler.Closed.ReachesAsync(connections, "closes seen by the server");
        Assert.Empty(service.Recorder.Errors());
    }

    [Fact]
    public async Task A_connection_belongs_to_one_sub_loop_and_the_main_loop_serves_none()
    {
        const int Loops = 2;
        const int Connections = 6;
        var served = new ConcurrentBag<(IPeer Peer, int Thread, string? Name)>();
        await using StreamService service = Start(Protocol.Tcp, Loops, Connections);
        service.Handler.Message = (peer, message) =>
        {
            served.Add((peer, Environment.CurrentManagedThreadId, Thread.CurrentThread.Name));
            peer.Send(message);
        };
        Stream[] open = await Task.WhenAll(Enumerable.Range(0, Connections).Select(_ => service.ConnectAsync()));
        for (int round = 0; round < 3; round++)
        {
            await Task.WhenAll(open.Select(stream => StreamService.ExchangeAsync(stream, new byte[StreamService.Size])));
        }

        Assert.All(served, each => Assert.Equal("Epoll sub loop", each.Name));
        Assert.All(served.GroupBy(each => each.Peer), peer => Assert.Single(peer.Select(each => each.Thread).Distinct()));
        Assert.All(served.GroupBy(each => each.Thread), thread => Assert.Equal(Connections / Loops, thread.Select(each => each.Peer).Distinct().Count()));
        await Task.WhenAll(open.Select(stream => stream.DisposeAsync().AsTask()));
    }

    [Theory, InlineData("handoff"), InlineData("reuseport")]
    public async Task Connections_far_above_the_plans_clients_are_closed_at_once_for_all_loops_together(string accept)
    {
        // One client and 64 other connections are permitted.
        await using StreamService service = new("Epoll", Protocol.Tcp, PlanOf(loops: 3, clients: 1, accept));
        using var unsolicited = new UnsolicitedConnections(service.EndPoint);
        unsolicited.Open(UnsolicitedConnections.Kind.Silent, 85);
        await Wait.UntilAsync(() => unsolicited.Ended() == 20, "ends of those that are too many");
        await Wait.UntilAsync(() => service.Recorder.Unsolicited()[UnsolicitedTraffic.Connections] == 84, "the count of the others");
        string[] remarks = accept == "handoff" ? ["Connections were handed to 3 event loops round-robin: 22, 22, 21."] : [];
        Assert.Equal(remarks, service.Recorder.Remarks());
    }

    [Fact]
    public async Task Connections_that_a_loop_has_not_taken_are_closed_at_its_end()
    {
        const int Connections = 5;
        using var recorder = new RunRecorder();
        var handler = new ServerActions();
        ServerSetup setup = Setups.OfServer(
            new RunPlan { Library = "Epoll", Protocol = Protocol.Tcp, Transmission = Transmission.Reliable }, recorder, handler);
        var loop = new PollLoop("Epoll sub loop", recorder, servesClients: false);
        var subLoop = new SubLoop(setup, loop, new ConnectionLimit(setup), new EpollBenchmark().TransportFactoryOf(setup));
        using var isEnding = new ManualResetEventSlim();
        using var isBusy = new ManualResetEventSlim();
        loop.Post(() =>
        {
            isBusy.Set();
            Assert.True(isEnding.Wait(LibraryUnderTest.Deadline));
        });

        // What is posted from here on waits until the loop has looked at its stop.
        Assert.True(isBusy.Wait(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken));
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var clients = new List<NetworkStream>();
        for (int number = 0; number < Connections; number++)
        {
            var client = new TcpClient();
            await client.ConnectAsync((IPEndPoint)listener.LocalEndpoint, TestContext.Current.CancellationToken);
            clients.Add(client.GetStream());
            subLoop.HandOver(StreamSocket.Accept((int)listener.Server.Handle, out _));
        }

        Task ending = subLoop.StopAsync(LibraryUnderTest.Deadline);
        isEnding.Set();
        await ending;
        foreach (NetworkStream client in clients)
        {
            await StreamService.ReadToEndAsync(client);
            await client.DisposeAsync();
        }

        Assert.Equal((Connections, 0, false), ((int)subLoop.Count, handler.Connected.Count, recorder.Fault.IsCompleted));
    }

    [Fact]
    public void StartServer_names_an_address_that_is_in_use()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var exception = Assert.Throws<BenchmarkException>(() => new StreamService(
            "Epoll", Protocol.Tcp, PlanOf(loops: 2, clients: 1), start: setup => LibraryUnderTest.Create("Epoll").StartServer(
                setup with { EndPoint = (IPEndPoint)listener.LocalEndpoint })));
        exception.Message.AssertBegins($"Port {((IPEndPoint)listener.LocalEndpoint).Port} of 127.0.0.1 is in use");
    }

    internal static StreamService Start(Protocol protocol, int loops, int clients) => new("Epoll", protocol, PlanOf(loops, clients));

    private static Func<RunPlan, RunPlan> PlanOf(int loops, int clients, string accept = "handoff") => plan => plan with
    {
        Clients = clients,
        ServerThreads = loops,
        Settings = new Dictionary<string, string> { ["accept"] = accept },
    };
}

/// <summary>Counts the resources of the whole process, so no other test may run at the same time.</summary>
[Collection(nameof(LeakTests))]
[Trait("Category", "Leak")]
public sealed class MainSubServerLeakTests
{
    [Theory, InlineData(Protocol.Tcp), InlineData(Protocol.Ssl)]
    public async Task A_stop_while_connections_are_handed_over_leaves_no_descriptor(Protocol protocol)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Descriptors are counted in Linux's /proc.");

        // The first server opens resources that the process keeps.
        await ConnectAndStopAsync(protocol);
        int before = LeakTests.Descriptors();
        for (int round = 0; round < 5; round++)
        {
            await ConnectAndStopAsync(protocol);
        }

        await LeakTests.SettlesAsync(before, LeakTests.Descriptors, "open descriptors");
    }

    private static async Task ConnectAndStopAsync(Protocol protocol)
    {
        const int Connections = 100;
        await using StreamService service = MainSubServerTests.Start(protocol, loops: 3, Connections);
        await service.AssertServesAsync();
        Stream[] open = await Task.WhenAll(Enumerable.Range(0, Connections).Select(async Task<Stream> (_) => await service.ConnectPlainAsync()));
        await service.StopAsync();
        await Task.WhenAll(open.Select(stream => stream.DisposeAsync().AsTask()));
    }
}
