using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Plans;

namespace NetCoreNetworkBenchmark.AdapterKit.Sockets;

/// <summary>Checks of an address against the capabilities of a library.</summary>
public static class AddressRules
{
    /// <summary>Rejects an address that is not IPv4, for a library that has no IPv6 (<see cref="LibraryInfo.IPv4Only"/>).</summary>
    /// <exception cref="BenchmarkException">The address is not IPv4.</exception>
    public static void RequireIPv4(IPAddress address, string library)
    {
        if (address.AddressFamily != AddressFamily.InterNetwork)
        {
            throw NotIPv4(address.ToString(), library);
        }
    }

    /// <summary>Creates the exception for a library that has no IPv6, and an address or name that has no IPv4 address.</summary>
    public static BenchmarkException NotIPv4(string address, string library) => BenchmarkException.BadInput(
        $"--address: {library} has no IPv6, and {address} {(IPAddress.TryParse(address, out _) ? "is an IPv6 address" : "has IPv6 addresses only")}. " +
            "Use an IPv4 address, such as 127.0.0.1.");
}
