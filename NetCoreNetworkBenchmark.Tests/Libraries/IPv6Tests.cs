using NetCoreNetworkBenchmark.Microbenchmarks.Memory;

namespace NetCoreNetworkBenchmark.Tests.Libraries;

/// <summary>The requirements for every library over IPv6, unless it reports that it does not support it.</summary>
public sealed class IPv6Tests
{
    private const int Size = 1_000;
    private const int Clients = 4;

    public static IEnumerable<TheoryDataRow<string, Protocol>> WithIPv6() => Transports(isIPv4Only: false);

    public static IEnumerable<TheoryDataRow<string, Protocol>> WithoutIPv6() => Transports(isIPv4Only: true);

    [Theory, MemberData(nameof(WithIPv6))]
    public async Task Messages_come_back_as_they_were_sent_and_closes_are_seen(string name, Protocol protocol)
    {
        LibraryUnderTest.RequireIPv6Loopback();
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, Size);
        byte[] message = new byte[Size];
        new Random(Size).NextBytes(message);
        var (right, wrong) = (new Tally(), new Tally());
        session.Client.Started = peer => peer.Send(message);
        session.Client.Message = (_, answer) => (answer.AsSpan().SequenceEqual(message) ? right : wrong).Add();
        session.StartServer(address: IPAddress.IPv6Loopback);
        await session.ConnectAsync();
        session.Load();
        await right.ReachesAsync(Clients, "messages came back as they were sent");
        Assert.Equal(0, wrong.Count);
        Assert.Empty(session.Recorder.Errors());
        await session.CloseClientsAsync();
        await session.Server.Closed.ReachesAsync(Clients, "closes seen by the server");
    }

    [Theory, MemberData(nameof(WithIPv6))]
    public async Task StartServer_binds_the_requested_end_point_and_names_a_port_in_use(string name, Protocol protocol)
    {
        LibraryUnderTest.RequireIPv6Loopback();
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        await using var first = new Session(library, protocol, clients: 1, Size);
        await using var second = new Session(library, protocol, clients: 1, Size);
        first.StartServer(address: IPAddress.IPv6Loopback);
        Assert.Equal(IPAddress.IPv6Loopback, first.EndPoint.Address);
        Assert.SkipWhen(library is MemoryBenchmark, $"{name} has no ports.");
        var exception = Assert.Throws<BenchmarkException>(() => second.StartServer(first.EndPoint.Port, IPAddress.IPv6Loopback));
        Assert.StartsWith($"Port {first.EndPoint.Port} of ::1 is in use. Use -p 0 for a free one.", exception.Message, StringComparison.Ordinal);
    }

    [Theory, MemberData(nameof(WithoutIPv6))]
    public async Task A_library_without_IPv6_refuses_the_address(string name, Protocol protocol)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, Size);
        var exception = Assert.Throws<BenchmarkException>(() => session.StartServer(address: IPAddress.IPv6Loopback));
        Assert.True(exception.IsBadInput);
        Assert.Equal($"--address: {name} has no IPv6, and ::1 is an IPv6 address. Use an IPv4 address, such as 127.0.0.1.", exception.Message);
    }

    [Theory]
    [InlineData("ENet", true)]
    [InlineData("ENet-CSharp", false)]
    [InlineData("Epoll", false)]
    [InlineData("kcp2k", false)]
    [InlineData("Kestrel", false)]
    [InlineData("LiteNetLib", false)]
    [InlineData("NetCoreServer", false)]
    [InlineData("Sockets", false)]
    public void Info_says_whether_the_library_has_IPv6(string name, bool isIPv4Only)
    {
        Assert.SkipUnless(LibraryUnderTest.Catalog.Libraries.Contains(name), $"{name} is not in this build.");
        Assert.Equal(isIPv4Only, LibraryUnderTest.Catalog.CreateLibrary(name)!.Info.Addresses == AddressSupport.IPv4);
    }

    private static IEnumerable<TheoryDataRow<string, Protocol>> Transports(bool isIPv4Only) => LibraryUnderTest.Transports()
        .Where(row => (LibraryUnderTest.Catalog.CreateLibrary(row.Data.Item1)!.Info.Addresses == AddressSupport.IPv4) == isIPv4Only);
}
