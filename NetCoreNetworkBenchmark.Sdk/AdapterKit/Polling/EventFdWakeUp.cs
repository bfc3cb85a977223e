using Microsoft.Win32.SafeHandles;

namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>A wake-up by Linux's eventfd: one counter in the kernel, so that one read takes any number of signals.</summary>
public sealed unsafe class EventFdWakeUp : IWakeUp
{
    // Other threads may signal during the disposal: the handle counts the users of the descriptor.
    private readonly SafeFileHandle _handle;

    /// <summary>Creates the event descriptor.</summary>
    public EventFdWakeUp()
    {
        int descriptor = SysEventfd.eventfd(0, SysEventfd.EFD_CLOEXEC | SysEventfd.EFD_NONBLOCK);
        SystemCall.ThrowIfFailed(descriptor, "eventfd");
        _handle = new SafeFileHandle(descriptor, ownsHandle: true);
    }

    /// <inheritdoc/>
    public nint Handle => _handle.DangerousGetHandle();

    /// <inheritdoc/>
    public void Signal()
    {
        // Refused only if the counter is full; the descriptor is readable then anyway.
        ulong one = 1;
        _ = SysEventfd.write(_handle, &one, sizeof(ulong));
    }

    /// <inheritdoc/>
    public void TakeSignals()
    {
        // Refused only if there is no signal.
        ulong count;
        _ = SysEventfd.read(_handle, &count, sizeof(ulong));
    }

    /// <inheritdoc/>
    public void Dispose() => _handle.Dispose();
}
