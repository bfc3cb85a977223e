using System.Net;
using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>Rejects servers that cannot send without a request, and multicast groups that are not possible.</summary>
internal static class MulticastCheck
{
    /// <summary>
    /// Rejects a test whose server sends without a request if the library does not support it, and a group if the library does not support groups.
    /// </summary>
    /// <exception cref="BenchmarkException">The library does not support it. The message lists the libraries of this build that do.</exception>
    public static void RequireServer(RunPlan plan, LibraryInfo library, Catalog catalog)
    {
        if (catalog.FindWorkload(plan.Test)!.LatencyKind == LatencyKind.OneWay && !library.ServerPushTransports.Contains(plan.Protocol))
        {
            string[] others = NamesOf(catalog, other => other.ServerPushTransports.Contains(plan.Protocol));
            throw BenchmarkException.BadInput(
                $"Option --test: the server of {library.Name} sends nothing unasked over {plan.Protocol}, so there is no {plan.Test} with it; " +
                    $"{Valid(others)}.");
        }

        if (MulticastGroup.Of(plan) is not null && !library.HasMulticastGroups)
        {
            string[] others = NamesOf(catalog, other => other.HasMulticastGroups);
            throw BenchmarkException.BadInput(
                $"Option --address: {plan.Address} is a multicast group, and {library.Name} is not offered with groups; {Valid(others)}.");
        }
    }

    /// <summary>Rejects a group with another test or transport, or with a relay.</summary>
    /// <exception cref="BenchmarkException">The group is not valid. The message contains the valid values.</exception>
    public static void CheckGroup(RunPlan plan)
    {
        if (IPAddress.TryParse(plan.Address, out IPAddress? address) && address.IsIPv6Multicast)
        {
            throw BenchmarkException.BadInput(
                $"Option --address: {plan.Address} is a multicast group of IPv6, and only those of IPv4 are offered; valid is one such as 239.255.0.1.");
        }

        if (MulticastGroup.Of(plan) is null)
        {
            return;
        }

        string? fault = plan switch
        {
            _ when plan.Test != RunPlan.Multicast => $"only -t {RunPlan.Multicast} sends to a group, not {plan.Test}",
            _ when plan.Protocol.IsStream() => $"groups are for datagrams, not for {plan.Protocol}; valid is -P {Protocol.Udp}",
            { Impairment.IsNone: false } => "a group's traffic passes no relay that could impair it",
            _ => null,
        };
        if (fault is not null)
        {
            throw BenchmarkException.BadInput($"Option --address: {plan.Address} is a multicast group, and {fault}.");
        }
    }

    private static string Valid(string[] others) => others.Length == 0
        ? "no library in this build can do that"
        : $"valid {(others.Length == 1 ? "is" : "are")} {string.Join(", ", others)}";

    private static string[] NamesOf(Catalog catalog, Func<LibraryInfo, bool> chosen) =>
    [
        .. catalog.Libraries.Select(name => catalog.CreateLibrary(name)!.Info)
            .Where(info => info.Unavailable is null && chosen(info))
            .Select(info => info.Name),
    ];
}
