namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>A wake-up by a datagram socket that is connected to itself. It works in the same way on every system.</summary>
public sealed class SocketWakeUp : IWakeUp
{
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };

    /// <summary>Creates the pair of sockets.</summary>
    public SocketWakeUp()
    {
        _socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _socket.Connect(_socket.LocalEndPoint!);
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
