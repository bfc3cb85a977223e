using NetCoreNetworkBenchmark.Running.LossyPaths;

namespace NetCoreNetworkBenchmark.Tests.Running.LossyPaths;

/// <summary>Compares the declarations for TUN devices with the values that the C compiler reports for the installed headers.</summary>
public sealed class LinuxIfTunTests
{
    [Fact]
    public void Constants_and_sizes_are_those_of_the_headers() => Assert.Equal(
        [
            LinuxIfTun.TUNSETIFF, LinuxIfTun.IFF_TUN, LinuxIfTun.IFF_NO_PI, LinuxIfTun.IFNAMSIZ, LinuxIfTun.IfreqSize, LinuxIfTun.IFNAMSIZ,
            SysSched.CLONE_NEWNET,
        ],
        CCompiler.Evaluate(
            ["sched.h", "sys/ioctl.h", "net/if.h", "linux/if_tun.h"],
            ["TUNSETIFF", "IFF_TUN", "IFF_NO_PI", "IFNAMSIZ", "sizeof(struct ifreq)", "offsetof(struct ifreq, ifr_flags)", "CLONE_NEWNET"]));
}
