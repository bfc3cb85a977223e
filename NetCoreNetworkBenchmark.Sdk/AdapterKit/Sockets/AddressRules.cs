namespace NetCoreNetworkBenchmark.AdapterKit.Sockets;

/// <summary>Checks of an address against the addresses that a library supports (<see cref="LibraryInfo.Addresses"/>).</summary>
public static class AddressRules
{
    /// <summary>Rejects an address that the library does not support.</summary>
    public static void Require(LibraryInfo library, IPAddress address)
    {
        if (!IsSupported(library, address))
        {
            throw NotSupported(library, address.ToString());
        }
    }

    /// <summary>Determines whether the library supports an address.</summary>
    public static bool IsSupported(LibraryInfo library, IPAddress address) =>
        address.AddressFamily == AddressFamily.InterNetwork || library.Addresses switch
        {
            AddressSupport.IPv4 => false,
            AddressSupport.WithoutZone => address.ScopeId == 0,
            _ => true,
        };

    /// <summary>Creates the exception for an address that the library does not support, or a name that has only such addresses.</summary>
    public static BenchmarkException NotSupported(LibraryInfo library, string address)
    {
        bool isName = !IPAddress.TryParse(address, out _);
        return BenchmarkException.BadInput(library.Addresses == AddressSupport.IPv4
            ? $"--address: {library.Name} has no IPv6, and {address} {(isName ? "has IPv6 addresses only" : "is an IPv6 address")}. " +
                "Use an IPv4 address, such as 127.0.0.1."
            : $"--address: {library.Name} does not support addresses with an interface, such as {address}. Use an address such as ::1.");
    }
}

/// <summary>The loopback of a machine: 127.0.0.1, or ::1 where that has been removed.</summary>
public static class LoopbackAddress
{
    /// <summary>Finds the address by binding a socket to it.</summary>
    /// <returns>127.0.0.1, or ::1 if the system has no IPv4 loopback.</returns>
    public static IPAddress Find()
    {
        try
        {
            using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
            return IPAddress.Loopback;
        }
        catch (SocketException exception)
            when (exception.SocketErrorCode is SocketError.AddressNotAvailable or SocketError.AddressFamilyNotSupported)
        {
            return IPAddress.IPv6Loopback;
        }
    }
}
