using System.Net.NetworkInformation;
using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;

namespace NetCoreNetworkBenchmark.Running.Machine;

internal static class HostNames
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(5);

    /// <summary>Finds the end point of the server: the first of <see cref="ResolveAllAsync"/>.</summary>
    public static async Task<IPEndPoint> ResolveAsync(RunPlan plan, LibraryInfo library, CancellationToken cancellationToken) =>
        (await ResolveAllAsync(plan, library, Dns.GetHostAddressesAsync, cancellationToken).ConfigureAwait(false))[0];

    /// <summary>
    /// Finds the possible end points of the server. The order of the system is kept (getaddrinfo, RFC 6724), as in other programs. Addresses of
    /// a family that the library does not support are left out. The server of a multicast group is at the interface that sends to it.
    /// </summary>
    public static async Task<IReadOnlyList<IPEndPoint>> ResolveAllAsync(
        RunPlan plan, LibraryInfo library, Func<string, CancellationToken, Task<IPAddress[]>> resolve, CancellationToken cancellationToken)
    {
        if (MulticastGroup.Of(plan) is not null)
        {
            return [new IPEndPoint(IPAddress.Parse(plan.MulticastInterface), plan.Port)];
        }

        IPAddress[] addresses = IPAddress.TryParse(plan.Address, out IPAddress? address)
            ? [address]
            : await AddressesOfAsync(plan.Address, resolve, cancellationToken).ConfigureAwait(false);
        RequireInterface(plan, address);
        IPAddress[] usable = [.. addresses.Where(candidate => AddressRules.IsSupported(library, candidate))];
        if (usable.Length == 0)
        {
            throw AddressRules.NotSupported(library, plan.Address);
        }

        return [.. usable.Select(candidate => new IPEndPoint(candidate, plan.Port))];
    }

    // On another host, the interfaces are others.
    private static void RequireInterface(RunPlan plan, IPAddress? address)
    {
        if (address is not { IsIPv6LinkLocal: true, ScopeId: 0 })
        {
            return;
        }

        int zone = plan.Address.IndexOf('%', StringComparison.Ordinal);
        if (zone < 0)
        {
            throw BenchmarkException.BadInput(
                $"--address: the link-local address {plan.Address} requires an interface. Append it, such as {plan.Address}%eth0.");
        }

        if (plan.Hosts.IsNone)
        {
            NetworkInterface[] networks = NetworkInterface.GetAllNetworkInterfaces();
            string[] names = [.. networks.Where(network => network.Supports(NetworkInterfaceComponent.IPv6)).Select(network => network.Name)];
            throw BenchmarkException.BadInput(
                $"--address: {plan.Address} names no interface of this machine. Use {OptionValues.Or(names)} after the percent sign.");
        }
    }

    private static async Task<IPAddress[]> AddressesOfAsync(
        string name, Func<string, CancellationToken, Task<IPAddress[]>> resolve, CancellationToken cancellationToken)
    {
        try
        {
            IPAddress[] addresses = await resolve(name, cancellationToken).WaitAsync(s_deadline, cancellationToken).ConfigureAwait(false);
            return addresses.Length > 0 ? addresses : throw new SocketException((int)SocketError.HostNotFound);
        }
        catch (Exception exception) when (exception is SocketException or TimeoutException or InvalidOperationException or ArgumentException)
        {
            throw BenchmarkException.BadInput(
                $"--address: \"{name}\" is not an IP address or a host name that can be resolved, such as 127.0.0.1, ::1 or localhost.", exception);
        }
    }
}
