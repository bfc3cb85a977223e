using Microsoft.Win32.SafeHandles;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;

namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>Wakes a thread that waits for readiness. The descriptor is readable from the first signal until the signals are taken.</summary>
public interface IWakeUp : IDisposable
{
    /// <summary>The descriptor (Unix) or handle (Windows) to watch.</summary>
    nint Handle { get; }

    /// <summary>Makes the descriptor readable, from any thread; an <see cref="ObjectDisposedException"/> if the thread has ended.</summary>
    void Signal();

    /// <summary>Takes all signals at once. Called on the thread that is woken.</summary>
    void TakeSignals();
}

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

/// <summary>A wake-up by a datagram socket that is connected to itself. It works in the same way on every system.</summary>
public sealed class SocketWakeUp : IWakeUp
{
    private readonly Socket _socket;

    /// <summary>Binds a UDP socket on the loopback and connects it to itself.</summary>
    public SocketWakeUp()
    {
        IPAddress loopback = LoopbackAddress.Find();
        _socket = new Socket(loopback.AddressFamily, SocketType.Dgram, ProtocolType.Udp).SetUp(socket =>
        {
            socket.Blocking = false;
            socket.Bind(new IPEndPoint(loopback, 0));
            socket.Connect(socket.LocalEndPoint!);
        });
    }

    /// <inheritdoc/>
    public nint Handle => _socket.Handle;

    // WouldBlock means that signals are already pending.
    /// <inheritdoc/>
    public void Signal() => _socket.Send([1], SocketFlags.None, out _);

    /// <inheritdoc/>
    public void TakeSignals()
    {
        Span<byte> buffer = stackalloc byte[16];
        while (_socket.Receive(buffer, SocketFlags.None, out SocketError error) > 0 && error == SocketError.Success)
        {
            // All signals that have arrived are taken at once.
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _socket.Dispose();
}
