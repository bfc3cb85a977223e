using System.ComponentModel;
using System.Text;
using Microsoft.Win32.SafeHandles;
using NetCoreNetworkBenchmark.Impairment;
using NetCoreNetworkBenchmark.Running.Hosts;
using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Paths;

/// <summary>Packets that the system sends over the device are read here. Packets that are written here arrive at the system.</summary>
internal sealed unsafe class TunDevice : IPacketDevice, IDisposable
{
    public const int Mtu = 1500;
    public const string Driver = "/dev/net/tun";

    private readonly SafeFileHandle _handle;

    private TunDevice(SafeFileHandle handle) => _handle = handle;

    public nint Descriptor => _handle.DangerousGetHandle();

    public static Task<TunDevice> OpenAsync(HostNamespace host, string name) => OwnThread.RunIsolatedAsync(() => Open(host, name));

    public int Read(Span<byte> packet)
    {
        fixed (byte* start = packet)
        {
            nint length = SysEventfd.read(_handle, start, (nuint)packet.Length);

            // A device without IFF_VNET_HDR has no segmentation offload, which would count several segments as one packet.
            return length > Mtu ? throw new InvalidOperationException($"A packet has more than the {Mtu} bytes of the MTU")
                : length >= 0 || Marshal.GetLastPInvokeError() == SysEpoll.EINTR ? (int)Math.Max(length, 0)
                : throw Failed("read");
        }
    }

    public void Write(ReadOnlySpan<byte> packet)
    {
        fixed (byte* start = packet)
        {
            if (SysEventfd.write(_handle, start, (nuint)packet.Length) < 0)
            {
                throw Failed("write");
            }
        }
    }

    public void Dispose() => _handle.Dispose();

    private static TunDevice Open(HostNamespace host, string name)
    {
        try
        {
            host.Enter();
            SafeFileHandle device = File.OpenHandle(Driver, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
            try
            {
                byte* request = stackalloc byte[LinuxIfTun.IfreqSize];
                var bytes = new Span<byte>(request, LinuxIfTun.IfreqSize);
                bytes.Clear();
                Encoding.ASCII.GetBytes(name, bytes[..(LinuxIfTun.IFNAMSIZ - 1)]);
                *(short*)(request + LinuxIfTun.IFNAMSIZ) = LinuxIfTun.IFF_TUN | LinuxIfTun.IFF_NO_PI;
                SystemCall.ThrowIfFailed(LinuxIfTun.ioctl(device, LinuxIfTun.TUNSETIFF, request), "TUNSETIFF");
                return new TunDevice(device);
            }
            catch
            {
                device.Dispose();
                throw;
            }
        }
        catch (Exception exception) when (exception is Win32Exception or IOException or UnauthorizedAccessException)
        {
            throw new BenchmarkException($"{Driver} could not create a device: {exception.Message.TrimEnd('.')}.", exception);
        }
    }

    private static Win32Exception Failed(string call)
    {
        int error = Marshal.GetLastPInvokeError();
        return new Win32Exception(error, $"{call} of a TUN device failed: {Marshal.GetPInvokeErrorMessage(error)}");
    }
}

/// <summary>From <c>linux/if_tun.h</c>, and <c>struct ifreq</c> from <c>linux/if.h</c>. A test compares them with the headers.</summary>
internal static unsafe partial class LinuxIfTun
{
    /// <summary>The argument is a <c>struct ifreq</c> with name and flags.</summary>
    public const uint TUNSETIFF = 0x400454ca;
    public const short IFF_TUN = 1;
    public const short IFF_NO_PI = 0x1000;
    public const int IFNAMSIZ = 16;

    /// <summary>The size of <c>struct ifreq</c> in bytes on a system of 64 bits; the flags follow the name.</summary>
    public const int IfreqSize = 40;

    [LibraryImport("libc", SetLastError = true)]
    public static partial int ioctl(SafeFileHandle fd, nuint request, void* argument);
}
