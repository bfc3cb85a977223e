namespace NetCoreNetworkBenchmark.Tests.Impairment;

public sealed class DatagramPacketsTests
{
    // The headers by RFC 791, RFC 8200 and RFC 768. A fragment of IPv4 has 1,480 bytes of data, and one of IPv6 1,448, the largest multiple of 8 beside its
    // fragment header.
    [Theory]
    [InlineData(20, 0, 1, 28), InlineData(20, 32, 1, 60), InlineData(20, 1_472, 1, 1_500), InlineData(20, 1_473, 2, 1_473 + 8 + (2 * 20))]
    [InlineData(20, 2_952, 2, 2_952 + 8 + (2 * 20)), InlineData(20, 2_953, 3, 2_953 + 8 + (3 * 20)), InlineData(20, 65_507, 45, 65_507 + 8 + (45 * 20))]
    [InlineData(40, 32, 1, 80), InlineData(40, 1_452, 1, 1_500), InlineData(40, 1_453, 2, 1_453 + 8 + (2 * 48)), InlineData(40, 2_888, 2, 2_888 + 8 + (2 * 48))]
    [InlineData(40, 2_889, 3, 2_889 + 8 + (3 * 48))]
    public void A_datagram_has_the_packets_and_bytes_that_IP_makes_of_it(int ipHeader, int payload, int packets, int bytes) =>
        Assert.Equal((packets, bytes), new DatagramPackets(ipHeader, udpHeaderBytes: 8).Of(payload));
}
