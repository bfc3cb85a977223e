namespace NetCoreNetworkBenchmark.Tests.Libraries;

/// <summary>The requirements for every library in the build. A new library is tested without any change here.</summary>
public sealed class LibraryContractTests
{
    private const int SmallSize = 32;
    private const int MaxUses = 3;

    public static IEnumerable<TheoryDataRow<string, Protocol>> Transports() => LibraryUnderTest.Transports();

    [Theory, MemberData(nameof(LibraryUnderTest.Checks), MemberType = typeof(LibraryUnderTest))]
    public Task Every_library_passes_every_applicable_check(string check, string name, Protocol protocol, Transmission transmission) =>
        LibraryUnderTest.CheckAsync(check, name, protocol, transmission);

    [Theory, MemberData(nameof(Transports))]
    public async Task A_port_can_be_used_again_at_once(string name, Protocol protocol)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        int uses = 0;

        // Another test may be given the port in between, but not every time.
        for (int attempt = 0; attempt < 5 && uses < MaxUses; attempt++)
        {
            uses = await UsePortAgainAsync(library, protocol);
        }

        Assert.Equal(MaxUses, uses);
    }

    [Theory, MemberData(nameof(Transports))]
    public async Task Clients_see_the_end_of_their_server_and_the_one_that_is_started_in_its_place_serves_others(string name, Protocol protocol)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        bool served = false;

        // Another test may be given the port in between, but not every time.
        for (int attempt = 0; attempt < 5 && !served; attempt++)
        {
            served = await RestartAsync(library, protocol);
        }

        Assert.True(served);
    }

    // Uses one port until it is taken; returns how often it was free.
    private static async Task<int> UsePortAgainAsync(INetworkBenchmark library, Protocol protocol)
    {
        int port = 0;
        for (int use = 0; use < MaxUses; use++)
        {
            await using var session = new LibrarySession(library, protocol, clients: 4, SmallSize);
            if (!StartsAt(port, session))
            {
                return use;
            }

            await session.ConnectAsync();
            port = session.EndPoint.Port;
        }

        return MaxUses;
    }

    // Starts a session's server, unless another program has taken the port.
    private static bool StartsAt(int port, LibrarySession session)
    {
        try
        {
            session.StartServer(port);
            return true;
        }
        catch (BenchmarkException exception) when (exception.Message.Contains("is in use. Use -p 0 for a free one.", StringComparison.Ordinal))
        {
            return false;
        }
    }

    // Ends a server while its clients are connected and starts another at its port; returns whether the port was free.
    private static async Task<bool> RestartAsync(INetworkBenchmark library, Protocol protocol)
    {
        const int Clients = 3;
        await using var first = new LibrarySession(library, protocol, Clients, SmallSize);
        await using var second = new LibrarySession(library, protocol, Clients, SmallSize);
        var (served, answers) = (new Tally(), new Tally());
        foreach ((LibrarySession session, Tally tally) in ((LibrarySession, Tally)[])[(first, served), (second, answers)])
        {
            session.Client.Started = peer => peer.Send(new byte[SmallSize]);
            session.Client.Message = (_, _) => tally.Add();
        }

        // A server that has not heard of a client yet cannot tell it of its end.
        first.StartServer();
        await first.ConnectAsync();
        first.Load();
        await served.ReachesAsync(Clients, "answers of the first server");
        await first.EndServerAsync();
        await first.Client.Closed.ReachesAsync(Clients, "clients that see the end of their server");
        if (!StartsAt(first.EndPoint.Port, second))
        {
            return false;
        }

        await second.ConnectAsync();
        second.Load();
        await answers.ReachesAsync(Clients, "answers of the new server");
        Assert.Empty(second.Recorder.Errors());
        return true;
    }
}
