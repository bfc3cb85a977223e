namespace NetCoreNetworkBenchmark.Running.LossyPaths;

/// <summary>
/// The part of Linux's <c>linux/if_tun.h</c>, with <c>struct ifreq</c> of <c>linux/if.h</c>, that is used here. A test compares it with the headers.
/// </summary>
internal static class LinuxIfTun
{
    /// <summary>Makes a device, or attaches to one. The argument is a <c>struct ifreq</c> with name and flags.</summary>
    public const uint TUNSETIFF = 0x400454ca;

    /// <summary>A device for packets of IP.</summary>
    public const short IFF_TUN = 1;

    /// <summary>Nothing is put before a packet.</summary>
    public const short IFF_NO_PI = 0x1000;

    /// <summary>The bytes of a name, with its end.</summary>
    public const int IFNAMSIZ = 16;

    /// <summary>The size of <c>struct ifreq</c> in bytes on a system of 64 bits; the flags follow the name.</summary>
    public const int IfreqSize = 40;
}
