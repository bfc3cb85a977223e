using System.Net.NetworkInformation;

namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>Checks whether an address belongs to this machine, so that a peer at that address reads the same clock.</summary>
internal static class ThisMachine
{
    public static bool Has(IPAddress address) => IPAddress.IsLoopback(address)
        || address.Equals(IPAddress.Any)
        || address.Equals(IPAddress.IPv6Any)
        || Addresses().Contains(address);

    public static IEnumerable<IPAddress> Addresses() =>
        NetworkInterface.GetAllNetworkInterfaces().SelectMany(network => network.GetIPProperties().UnicastAddresses).Select(unicast => unicast.Address);
}
