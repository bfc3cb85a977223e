using NetCoreNetworkBenchmark.AdapterKit.Datagrams;

namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Datagrams;

public sealed class DatagramHandshakeTests
{
    [Fact]
    public void Read_recognizes_each_datagram_of_the_handshake() => Assert.Equal(
        [DatagramHandshakeKind.Hello, DatagramHandshakeKind.Welcome, DatagramHandshakeKind.Bye],
        [DatagramHandshake.Read(DatagramHandshake.Hello), DatagramHandshake.Read(DatagramHandshake.Welcome), DatagramHandshake.Read(DatagramHandshake.Bye)]);

    [Fact]
    public void Read_takes_anything_else_for_a_message()
    {
        byte[] longer = [.. DatagramHandshake.Hello.ToArray(), 0];
        byte[] changed = DatagramHandshake.Hello.ToArray();
        changed[3] ^= 1;
        Assert.All(
            [[], new byte[DatagramHandshake.Size], longer, changed], datagram => Assert.Equal(DatagramHandshakeKind.None, DatagramHandshake.Read(datagram)));
    }
}
