namespace NetCoreNetworkBenchmark.Tests.Running.Machine;

/// <summary>The address that a run uses, for the addresses that the system returns for a name.</summary>
public sealed class HostNamesTests
{
    private static readonly LibraryInfo s_both = new() { Name = "Both", Version = "1.0", Protocols = [Protocol.Udp], Transmissions = [] };
    private static readonly LibraryInfo s_old = s_both with { Name = "Old", Addresses = AddressSupport.IPv4 };
    private static readonly RunPlan s_plan = new() { Library = "Both", Address = "host", Port = 5 };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory, InlineData("not an address"), InlineData("300.300.300.300")]
    public async Task ResolveAsync_refuses_what_is_neither_address_nor_name(string address)
    {
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => HostNames.ResolveAsync(s_plan with { Address = address }, s_both, Token));
        Assert.True(exception.IsBadInput);
        Assert.StartsWith($"--address: \"{address}\" is not an IP address or a host name that can be resolved", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("fe80::1", "the link-local address fe80::1 requires an interface. Append it, such as fe80::1%eth0.")]
    [InlineData("fe80::1%nosuch", "fe80::1%nosuch names no interface of this machine. Use ")]
    public async Task ResolveAsync_refuses_a_link_local_address_without_an_interface(string address, string sentence)
    {
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => HostNames.ResolveAsync(s_plan with { Address = address }, s_both, Token));
        Assert.True(exception.IsBadInput);
        Assert.StartsWith($"--address: {sentence}", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ResolveAsync_resolves_names()
    {
        IPEndPoint endPoint = await HostNames.ResolveAsync(s_plan with { Address = "localhost" }, s_both, Token);
        Assert.True(IPAddress.IsLoopback(endPoint.Address));
        Assert.Equal(5, endPoint.Port);
    }

    [Theory, InlineData("127.0.0.1"), InlineData("::1")]
    public async Task An_address_is_taken_as_it_is(string address) => Assert.Equal(
        new IPEndPoint(IPAddress.Parse(address), 5), await HostNames.ResolveAsync(s_plan with { Address = address }, s_both, Token));

    [Theory, InlineData("::1", "127.0.0.1"), InlineData("127.0.0.1", "::1"), InlineData("::1")]
    public async Task The_systems_order_is_kept(params string[] addresses) => Assert.Equal(addresses, await ResolveAsync(s_both, addresses));

    [Fact]
    public async Task A_library_without_IPv6_gets_the_IPv4_addresses_of_a_name() => Assert.Equal(
        ["127.0.0.1", "127.0.0.2"], await ResolveAsync(s_old, "::1", "127.0.0.1", "127.0.0.2"));

    [Fact]
    public async Task A_name_without_IPv4_is_refused_for_a_library_without_IPv6()
    {
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => ResolveAsync(s_old, "::1"));
        Assert.True(exception.IsBadInput);
        Assert.Equal("--address: Old has no IPv6, and host has IPv6 addresses only. Use an IPv4 address, such as 127.0.0.1.", exception.Message);
    }

    [Fact]
    public async Task A_name_without_addresses_is_refused()
    {
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => ResolveAsync(s_both));
        Assert.True(exception.IsBadInput);
        Assert.IsType<SocketException>(exception.InnerException);
    }

    private static async Task<IEnumerable<string>> ResolveAsync(LibraryInfo library, params string[] addresses)
    {
        IReadOnlyList<IPEndPoint> endPoints = await HostNames.ResolveAllAsync(
            s_plan, library, (_, _) => Task.FromResult(addresses.Select(IPAddress.Parse).ToArray()), Token);
        Assert.All(endPoints, endPoint => Assert.Equal(s_plan.Port, endPoint.Port));
        return endPoints.Select(endPoint => endPoint.Address.ToString());
    }
}
