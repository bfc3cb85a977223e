using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>Finds the address behind what the user called one.</summary>
internal static class HostNames
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(5);

    /// <summary>Finds where the server is: of a multicast group at the interface that sends to it.</summary>
    /// <exception cref="BenchmarkException">It is neither an address nor a name that can be resolved.</exception>
    public static async Task<IPEndPoint> ResolveAsync(RunPlan plan, CancellationToken cancellationToken)
    {
        if (MulticastGroup.Of(plan) is not null)
        {
            return new IPEndPoint(IPAddress.Parse(plan.MulticastInterface), plan.Port);
        }

        if (IPAddress.TryParse(plan.Address, out IPAddress? address))
        {
            return new IPEndPoint(address, plan.Port);
        }

        try
        {
            IPAddress[] addresses = await Dns.GetHostAddressesAsync(plan.Address, cancellationToken)
                .WaitAsync(s_deadline, cancellationToken).ConfigureAwait(false);

            // IPv4 first: not every library speaks IPv6.
            return new IPEndPoint(addresses.OrderBy(candidate => candidate.AddressFamily != AddressFamily.InterNetwork).First(), plan.Port);
        }
        catch (Exception exception) when (exception is SocketException or TimeoutException or InvalidOperationException or ArgumentException)
        {
            throw BenchmarkException.BadInput(
                $"Option --address: '{plan.Address}' is neither an IP address nor a host name that can be resolved; valid are those, such as 127.0.0.1 or localhost.",
                exception);
        }
    }
}
