namespace NetCoreNetworkBenchmark.Tests.Hostile;

/// <summary>Packages that were changed at random end the connections that sent them, are counted by name, and leave nothing else behind.</summary>
[Trait("Category", "Leak")]
public sealed class HostilePackageTests
{
    // A million of them are sent by TortureTests.
    private const int Mutations = 1_000;
    private const int MutationsOverTls = 200;

    /// <summary>Every library over every stream, and Epoll over TCP with two event loops and with a thread for each connection.</summary>
    public static IEnumerable<TheoryDataRow<string, Protocol, string>> Servers() =>
    [
        .. from row in LibraryUnderTest.OverTcp()
           select new TheoryDataRow<string, Protocol, string>(row.Data.Item1, row.Data.Item2, string.Empty),
        .. from settings in (string[])["--server-threads 2", "--set epoll.architecture=threads"]
           select new TheoryDataRow<string, Protocol, string>("Epoll", Protocol.Tcp, settings),
    ];

    [Theory, MemberData(nameof(Servers))]
    public async Task A_server_ends_the_connections_that_sent_what_is_no_package_and_serves_all_others(string library, Protocol protocol, string settings)
    {
        using var run = new PackageFuzzRun(library, protocol, settings);
        await run.RunAsync(protocol == Protocol.Ssl ? MutationsOverTls : Mutations);
        Assert.InRange(run.Served, 1, long.MaxValue);
        Assert.InRange(run.Fuzz!.Refused, 1, long.MaxValue);
    }
}
