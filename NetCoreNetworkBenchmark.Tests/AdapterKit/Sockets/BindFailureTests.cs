using NetCoreNetworkBenchmark.AdapterKit.Sockets;

namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Sockets;

public sealed class BindFailureTests
{
    [Theory]
    [InlineData("::1", SocketError.AddressNotAvailable, "--address: this machine has no IPv6 loopback (::1). Use an IPv4 address, such as 127.0.0.1.")]
    [InlineData("::1", SocketError.AddressFamilyNotSupported, "--address: this machine has no IPv6 loopback (::1). Use an IPv4 address, such as 127.0.0.1.")]
    [InlineData("::", SocketError.AddressFamilyNotSupported, "--address: this machine has no IPv6, which :: requires. Use an IPv4 address, such as 127.0.0.1.")]
    [InlineData(
        "2001:db8::1", SocketError.AddressNotAvailable,
        "--address: 2001:db8::1 is not an address of this machine. Use one of its addresses, such as 127.0.0.1.")]
    public void An_address_that_the_machine_has_not_is_bad_input(string address, SocketError error, string sentence)
    {
        BenchmarkException exception = BindFailure.Explain(new IPEndPoint(IPAddress.Parse(address), 3333), error);
        Assert.Equal((true, sentence), (exception.IsBadInput, exception.Message));
    }

    [Fact]
    public void An_end_point_is_written_as_in_a_URL() => Assert.Equal(
        "The server could not be bound to [::1]:3333: Fault.", BindFailure.Explain(new IPEndPoint(IPAddress.IPv6Loopback, 3333), SocketError.Fault).Message);
}
