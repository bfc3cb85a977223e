using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Sockets;

public sealed class BindFailureTests
{
    [Theory]
    [InlineData(
        "::1", SocketError.AddressNotAvailable, "Option --address: this machine has no IPv6 loopback (::1); valid is an IPv4 address, such as 127.0.0.1.")]
    [InlineData(
        "::1", SocketError.AddressFamilyNotSupported,
        "Option --address: this machine has no IPv6 loopback (::1); valid is an IPv4 address, such as 127.0.0.1.")]
    [InlineData(
        "::", SocketError.AddressFamilyNotSupported,
        "Option --address: this machine has no IPv6, and :: is an IPv6 address; valid is an IPv4 address, such as 127.0.0.1.")]
    [InlineData(
        "2001:db8::1", SocketError.AddressNotAvailable,
        "Address 2001:db8::1 does not belong to this machine, so no server can be bound to it; choose one of its own with --address, such as 127.0.0.1.")]
    public void An_address_that_the_machine_has_not_is_bad_input(string address, SocketError error, string sentence)
    {
        BenchmarkException exception = BindFailure.Explain(new IPEndPoint(IPAddress.Parse(address), 3333), error);
        Assert.Equal((true, sentence), (exception.IsBadInput, exception.Message));
    }

    [Fact]
    public void An_end_point_is_written_as_in_a_URL() => Assert.Equal(
        "The server could not be bound to [::1]:3333: Fault.", BindFailure.Explain(new IPEndPoint(IPAddress.IPv6Loopback, 3333), SocketError.Fault).Message);
}
