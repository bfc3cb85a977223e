namespace NetCoreNetworkBenchmark.Tests.Libraries.Streams;

/// <summary>Counts the resources of the whole process, so no other test may run at the same time.</summary>
[Collection(nameof(LeakTests))]
[Trait("Category", "Leak")]
public sealed class StreamLeakTests
{
    // Connections that are open at once.
    private const int Portion = 100;

    public static IEnumerable<TheoryDataRow<string, Protocol>> Servers() => LibraryUnderTest.OverTcp();

    /// <summary>With the number of connects. A reset within NetCoreServer's handshake costs several milliseconds of the processor.</summary>
    public static IEnumerable<TheoryDataRow<string, Protocol, int>> Resets() =>
        from row in Servers()
        let connects = row.Data is ("NetCoreServer", Protocol.Ssl) ? 1_000 : 10_000
        select new TheoryDataRow<string, Protocol, int>(row.Data.Item1, row.Data.Item2, connects);

    public static IEnumerable<TheoryDataRow<string, Protocol>> Clients() => LibraryUnderTest.ClientsOverTcp();

    [Theory, MemberData(nameof(Resets))]
    public async Task Thousands_of_connects_and_resets_leave_no_socket(string library, Protocol protocol, int connects)
    {
        // As many clients as connects: on a busy machine the server sees resets later than the next connects, and refuses more than its plan permits.
        await using StreamService service = await StartAsync(library, protocol, clients: connects);

        // Sockets alone: connects at the same time open other resources that the process keeps.
        int before = LeakTests.Sockets();
        for (int done = 0; done < connects; done += Portion)
        {
            await Task.WhenAll(Enumerable.Range(0, Portion).Select(_ => service.ConnectAndResetAsync()));
        }

        await service.AssertServesAsync();
        await LeakTests.SettlesAsync(before, LeakTests.Sockets, "open sockets");
    }

    [Theory, MemberData(nameof(Servers))]
    public async Task Many_connects_and_closes_leave_no_socket(string library, Protocol protocol)
    {
        int connects = protocol == Protocol.Ssl ? 200 : 2_000;
        int first = connects / 10;

        // As many clients as connects, as above.
        await using StreamService service = await StartAsync(library, protocol, clients: first + connects);
        await ConnectAndCloseAsync(service, first);
        int before = LeakTests.Descriptors();
        await ConnectAndCloseAsync(service, connects);
        await LeakTests.SettlesAsync(before, LeakTests.Descriptors, "open descriptors");
    }

    [Theory, MemberData(nameof(Clients))]
    public async Task Clients_that_come_and_go_leave_no_descriptor(string library, Protocol protocol)
    {
        // The server permits the clients of all rounds together, as it sees their ends later than the next round begins.
        const int Rounds = 6;
        await using StreamService service = await StartAsync(library, protocol, clients: Rounds * Portion);
        int sockets = LeakTests.Sockets();
        await using (await service.ConnectClientsAsync(OfOneRound))
        {
            // The first clients open resources that the process keeps.
        }

        await LeakTests.SettlesAsync(sockets, LeakTests.Sockets, "open sockets");
        int before = LeakTests.Descriptors();
        for (int round = 1; round < Rounds; round++)
        {
            await using IClientGroup clients = await service.ConnectClientsAsync(OfOneRound);
        }

        await LeakTests.SettlesAsync(before, LeakTests.Descriptors, "open descriptors");

        static RunPlan OfOneRound(RunPlan plan) => plan with { Clients = Portion };
    }

    private static async Task ConnectAndCloseAsync(StreamService service, int connects)
    {
        for (int connect = 0; connect < connects; connect++)
        {
            await (await service.ConnectAsync()).DisposeAsync();
        }

        await service.Handler.Closed.ReachesAsync(connects, "closes seen by the server");
    }

    // The first connections open resources that the process keeps.
    private static async Task<StreamService> StartAsync(string library, Protocol protocol, int clients)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Descriptors are counted in Linux's /proc.");
        var service = new StreamService(library, protocol, plan => plan with { Clients = clients });
        await service.AssertServesAsync();
        await service.Handler.Closed.ReachesAsync(1, "the first close seen by the server");
        return service;
    }
}
