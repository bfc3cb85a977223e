namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>Servers of plain datagrams with the clients of each other.</summary>
public sealed class PlainDatagramTests
{
    private static readonly string[] s_ofPlain = ["Sockets", "NetCoreServer"];

    public static IEnumerable<TheoryDataRow<string, string>> Pairs() =>
        from server in LibraryUnderTest.Catalog.Infos
        where server is { HasPlainDatagrams: true, Unavailable: null }
        from clients in ClientLibraries.Over(Protocol.Udp, server, LibraryUnderTest.Catalog.Infos)
        where clients.Name != server.Name
        let row = new TheoryDataRow<string, string>(server.Name, clients.Name)
        select s_ofPlain.Contains(server.Name) && clients.Name == "Epoll" ? row : row.WithTrait("Category", "Long");

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Pairs))]
    public async Task Clients_of_plain_datagrams_drive_each_others_servers(string library, string clients)
    {
        RunResult run = await ProgramInFolder.ResultAsync(
            $"-l {library} --client-library {clients} -p 0 -c 10 -m 2 -d 0.2 --warmup 0.1 --any-machine --json");
        Assert.Equal((library, clients, clients), (run.Library, run.ClientLibrary, run.Plan.ClientLibrary));
        Assert.InRange(run.Messages.ClientReceived, 1, long.MaxValue);
        Assert.Equal((0, 0, 0, 0, 0), (run.Lost, run.Duplicated, run.Reordered, run.Corrupted, run.Errors));
        Assert.Contains($" --client-library {clients} ", run.Command, StringComparison.Ordinal);
    }
}
