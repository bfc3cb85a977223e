using Microsoft.Win32.SafeHandles;

namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>A wake-up by Linux' eventfd: one counter in the kernel, so that any number of signals is taken by one read.</summary>
internal sealed unsafe class EventFdWakeUp : IWakeUp
{
    // Other threads signal while this one disposes: the handle counts who still uses the descriptor.
    private readonly SafeFileHandle _handle;

    public EventFdWakeUp()
    {
        int descriptor = SysEventfd.eventfd(0, SysEventfd.EFD_CLOEXEC | SysEventfd.EFD_NONBLOCK);
        SystemCall.ThrowIfFailed(descriptor, "eventfd");
        _handle = new SafeFileHandle(descriptor, ownsHandle: true);
    }

    public nint Handle => _handle.DangerousGetHandle();

    public void Signal()
    {
        // Refused only where the counter is full, and then the descriptor can be read all the same.
        ulong one = 1;
        _ = SysEventfd.write(_handle, &one, sizeof(ulong));
    }

    public void TakeSignals()
    {
        // Refused only where there is none.
        ulong count;
        _ = SysEventfd.read(_handle, &count, sizeof(ulong));
    }

    public void Dispose() => _handle.Dispose();
}
