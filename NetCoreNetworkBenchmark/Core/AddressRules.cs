using System.Net;
using System.Net.Sockets;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>What adapters check of an address.</summary>
public static class AddressRules
{
    /// <summary>Refuses an address that is not IPv4, for an adapter that speaks IPv4 only.</summary>
    /// <param name="endPoint">Where to bind or connect.</param>
    /// <param name="library">The library's name.</param>
    /// <exception cref="BenchmarkException">The address is not IPv4.</exception>
    public static void RequireIPv4(IPEndPoint endPoint, string library)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        if (endPoint.AddressFamily != AddressFamily.InterNetwork)
        {
            throw BenchmarkException.BadInput(
                $"Option --address: {library} is run over IPv4 only, and '{endPoint.Address}' is not an IPv4 address; valid is one such as 127.0.0.1.");
        }
    }
}
