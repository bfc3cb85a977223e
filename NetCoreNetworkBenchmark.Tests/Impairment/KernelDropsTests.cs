using NetCoreNetworkBenchmark.Impairment;

namespace NetCoreNetworkBenchmark.Tests.Impairment;

public sealed class KernelDropsTests
{
    [Fact]
    public void Of_counts_where_the_kernel_reports_it_and_is_null_where_it_does_not_know_the_option()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The option is Linux' own.");
        const int NoSuchOption = 9_999;
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        Assert.Equal(0, KernelDrops.Of(socket) ?? 0);
        Assert.Null(KernelDrops.Of(socket, NoSuchOption));
    }
}
