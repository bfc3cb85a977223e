namespace NetCoreNetworkBenchmark.Tests.Running.Discovery;

public sealed class ClientLibrariesTests
{
    private static readonly LibraryInfo s_plain = Library("Plain") with { HasPlainDatagrams = true };
    private static readonly LibraryInfo s_otherPlain = Library("OtherPlain") with { HasPlainDatagrams = true, ClientRank = 1 };
    private static readonly LibraryInfo s_own = Library("Own") with { ClientRank = 2 };
    private static readonly LibraryInfo s_wrapped = Library("Wrapped") with { HasPlainDatagrams = true, WireFormat = "Wrap", ClientRank = 3 };
    private static readonly LibraryInfo[] s_all = [s_plain, s_otherPlain, s_own, s_wrapped];

    // The format of a stream is that of its messages; a datagram is plain or of its library.
    [Theory]
    [InlineData("Plain", Protocol.Udp, "Plain, OtherPlain, Wrapped")]
    [InlineData("Own", Protocol.Udp, "Own")]
    [InlineData("Wrapped", Protocol.Udp, "Plain, OtherPlain, Wrapped")]
    [InlineData("Plain", Protocol.Tcp, "Plain, OtherPlain, Own")]
    [InlineData("Own", Protocol.Ssl, "Plain, OtherPlain, Own")]
    [InlineData("Wrapped", Protocol.Tcp, "Wrapped")]
    public void HasFormatOf_is_true_for_clients_of_the_same_datagrams_or_wire_format(string server, Protocol protocol, string clients)
    {
        LibraryInfo library = s_all.Single(found => found.Name == server);
        Assert.Equal(clients, string.Join(", ", s_all.Where(candidate => library.HasFormatOf(candidate, protocol)).Select(candidate => candidate.Name)));
    }

    [Fact]
    public void Over_has_the_fastest_first_and_none_that_cannot_drive_or_run_here()
    {
        LibraryInfo absent = s_plain with { Name = "Absent", Unavailable = "it is absent" };
        LibraryInfo server = s_plain with { Name = "ServerOnly", HasClients = false };
        LibraryInfo stream = s_plain with { Name = "Stream", Protocols = [Protocol.Tcp] };
        Assert.Equal(
            ["Wrapped", "OtherPlain", "Plain"],
            ClientLibraries.Over(Protocol.Udp, server, [.. s_all, absent, server, stream]).Select(found => found.Name));
    }

    [Fact]
    public void FastestOfAll_has_no_format_of_its_own()
    {
        Assert.Equal("OtherPlain", ClientLibraries.FastestOfAll(new PingPong(), Protocol.Udp, [s_plain, s_own, s_otherPlain])!.Name);
        Assert.Equal("Own", ClientLibraries.FastestOfAll(new PingPong(), Protocol.Tcp, s_all)!.Name);
        Assert.Null(ClientLibraries.FastestOfAll(new PingPong(), Protocol.Tcp, [s_wrapped, s_plain]));
    }

    private static LibraryInfo Library(string name) =>
        new() { Name = name, Version = "1.0", Protocols = [Protocol.Udp, Protocol.Tcp, Protocol.Ssl], Transmissions = [] };
}
