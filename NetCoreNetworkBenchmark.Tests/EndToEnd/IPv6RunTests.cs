namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

[Trait("Category", "Long")]
public sealed class IPv6RunTests
{
    private const string Load = "-c 2 -m 2 --warmup 0.05 -d 0.3 --any-machine --json";

    // The last transport is the most complex one.
    public static IEnumerable<TheoryDataRow<string, Protocol>> WithIPv6() =>
        from name in LibraryUnderTest.Catalog.Libraries
        let info = LibraryUnderTest.Catalog.CreateLibrary(name)!.Info
        where info.Addresses != AddressSupport.IPv4 && info.CarriesMessages
        select new TheoryDataRow<string, Protocol>(name, info.Protocols[^1]);

    [Theory, MemberData(nameof(WithIPv6))]
    public async Task A_run_over_IPv6_is_valid(string name, Protocol protocol)
    {
        LibraryUnderTest.Create(name);
        LibraryUnderTest.RequireIPv6Loopback();
        RunResult result = await ProgramInFolder.ResultAsync($"-l {name} -P {protocol} {StreamRun.KeyOf(protocol)} -a ::1 -p 0 {Load}");
        Assert.InRange(result.Messages.ClientReceived, 1, long.MaxValue);
        Assert.Equal(("::1", 0), (result.Address, result.Errors));
        Assert.Contains(" --address ::1 ", result.Command, StringComparison.Ordinal);
    }

    [Theory, InlineData("-P Udp"), InlineData("-P Ssl --key P256")]
    public async Task The_command_of_a_run_at_a_link_local_address_keeps_the_name_of_the_interface(string transport)
    {
        LibraryUnderTest.RequireIPv6Loopback();
        RunResult result = await BenchmarkProcess.ResultInNamespaceAsync(
            "ip link set lo up && ip addr add fe80::1/64 dev lo nodad", $"-l Sockets {transport} -a fe80::1%lo -p 0 {Load}");
        Assert.Contains(" --address fe80::1%lo ", result.Command, StringComparison.Ordinal);
    }

    [Theory, InlineData("-P Udp --delay 1ms"), InlineData("-P Ssl --key P256 --mutual-tls --cut 100ms/100s")]
    public async Task A_relay_passes_IPv6_on(string transport)
    {
        LibraryUnderTest.RequireIPv6Loopback();
        RunResult result = await BenchmarkProcess.ResultAsync($"-l Sockets {transport} -a [::1] -p 0 {Load}");
        Assert.Equal("::1", result.Address);
        Assert.InRange(result.Messages.ClientReceived, 1, long.MaxValue);
        Assert.InRange(result.Relay!.Counts.Clients, 1, long.MaxValue);
    }

    [Theory, InlineData(Protocol.Udp), InlineData(Protocol.Ssl)]
    public async Task Roles_that_are_started_by_hand_meet_over_IPv6(Protocol protocol)
    {
        LibraryUnderTest.RequireIPv6Loopback();
        using var certificates = new CertificatesOfRoles();
        (string ofServer, string ofClients) = protocol.HasTls() ? ($" {certificates.OfServer}", $" {certificates.OfClients}") : (string.Empty, string.Empty);
        using BenchmarkProcess server = BenchmarkProcess.Start($"--role Server -l Sockets -P {protocol}{ofServer} -a ::1 -p 0 -c 2".Split(' '));
        string port = (await server.PrintsAsync("Sockets server at [::1]:")).Split("[::1]:")[1].Split(';')[0];
        RunResult result = await ProgramInFolder.ResultAsync($"--role Client -l Sockets -P {protocol}{ofClients} -a ::1 -p {port} {Load}");
        Assert.Equal((ServerKind.Separate, "::1"), (result.ServerKind, result.Address));
        Assert.InRange(result.Messages.ClientReceived, 1, long.MaxValue);
        Assert.Contains($"* Address: [::1]:{port}", await server.StopAsync(), StringComparison.Ordinal);
    }

    [Theory, InlineData(""), InlineData(" --launches 1"), InlineData(" --delay 1ms"), InlineData(" -t MaxClients"), InlineData(" --role Server")]
    public Task Program_refuses_an_IPv6_address_when_the_library_has_no_IPv6(string arguments)
    {
        LibraryUnderTest.Create("ENet");
        return ProgramInFolder.AssertFailsAsync(
            $"-l ENet -a ::1 -p 0{arguments}", "--address: ENet has no IPv6, and ::1 is an IPv6 address. Use an IPv4 address, such as 127.0.0.1.");
    }
}
