using NetCoreNetworkBenchmark.AdapterKit.Datagrams;

namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Datagrams;

public sealed class DatagramGreetingTests
{
    [Fact]
    public void Read_tells_each_greeting() => Assert.Equal(
        [GreetingKind.Hello, GreetingKind.Welcome, GreetingKind.Bye],
        [DatagramGreeting.Read(DatagramGreeting.Hello), DatagramGreeting.Read(DatagramGreeting.Welcome), DatagramGreeting.Read(DatagramGreeting.Bye)]);

    [Fact]
    public void Read_takes_anything_else_for_a_message()
    {
        byte[] longer = [.. DatagramGreeting.Hello.ToArray(), 0];
        byte[] changed = DatagramGreeting.Hello.ToArray();
        changed[3] ^= 1;
        Assert.All([[], new byte[DatagramGreeting.Size], longer, changed], datagram => Assert.Equal(GreetingKind.None, DatagramGreeting.Read(datagram)));
    }
}
