namespace NetCoreNetworkBenchmark.AdapterKit.Sockets;

/// <summary>Explains in one sentence why a server could not be bound.</summary>
public static class BindFailure
{
    /// <summary>Explains an error of the system.</summary>
    public static BenchmarkException Explain(IPEndPoint endPoint, SocketException exception) =>
        Explain(endPoint, exception.SocketErrorCode, exception);

    /// <summary>Explains an error that a library returned as a code only, or with its cause.</summary>
    public static BenchmarkException Explain(IPEndPoint endPoint, SocketError error, Exception? cause = null) => error switch
    {
        SocketError.AddressAlreadyInUse => new BenchmarkException(
            $"Port {endPoint.Port} of {endPoint.Address} is in use. Use -p 0 for a free one.", cause),
        SocketError.AddressNotAvailable or SocketError.AddressFamilyNotSupported
            when endPoint.Address.Equals(IPAddress.IPv6Loopback) => BenchmarkException.BadInput(
            "--address: this machine has no IPv6 loopback (::1). Use an IPv4 address, such as 127.0.0.1.", cause),
        SocketError.AddressNotAvailable or SocketError.AddressFamilyNotSupported
            when endPoint.Address.Equals(IPAddress.Loopback) => BenchmarkException.BadInput(
            "--address: this machine has no IPv4 loopback (127.0.0.1). Use another of its addresses, such as ::1.", cause),
        SocketError.AddressFamilyNotSupported when endPoint.AddressFamily == AddressFamily.InterNetworkV6 => BenchmarkException.BadInput(
            $"--address: this machine has no IPv6, which {endPoint.Address} requires. Use an IPv4 address, such as 127.0.0.1.", cause),
        SocketError.AddressNotAvailable => BenchmarkException.BadInput(
            $"--address: {endPoint.Address} is not an address of this machine. Use one of its addresses, such as 127.0.0.1.", cause),
        SocketError.AccessDenied => new BenchmarkException(
            $"This user may not bind port {endPoint.Port} of {endPoint.Address}. Use --port with a port from 1024.", cause),
        _ => new BenchmarkException($"The server could not be bound to {endPoint}: {error}.", cause),
    };

    /// <summary>Determines by an attempt with a plain socket why a library could not bind its datagram socket, if the library does not report it.</summary>
    public static BenchmarkException Diagnose(IPEndPoint endPoint, string library) =>
        Find(endPoint, Protocol.Udp) ?? new BenchmarkException($"{library} could not bind its server to {endPoint} and does not report the reason.");

    /// <summary>Tries to bind a plain socket, and closes it again. Returns the reason of a failure; null if it could be bound.</summary>
    public static BenchmarkException? Find(IPEndPoint endPoint, Protocol protocol)
    {
        try
        {
            using Socket socket = ServerSocket.Open(endPoint, protocol);
            socket.Bind(endPoint);
            return null;
        }
        catch (SocketException exception)
        {
            return Explain(endPoint, exception);
        }
    }
}
