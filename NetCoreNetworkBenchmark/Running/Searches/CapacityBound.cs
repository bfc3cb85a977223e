using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Running.Machine;

namespace NetCoreNetworkBenchmark.Running.Searches;

/// <summary>The most clients that can be tried, and the reason for the bound.</summary>
internal sealed record CapacityBound(int Clients, ClientBoundKind Kind, string Sentence)
{
    // Wake-ups, the server if its port is left to the system, and ports that other programs have open.
    private const int OtherPorts = 64;

    /// <summary>Finds the lowest of the bounds in force on this machine.</summary>
    public static CapacityBound Find(int? requested, LibraryInfo library) => Least(requested, library, DescriptorLimit.Raise(), LocalPorts.Count);

    /// <param name="descriptors">The open descriptors that a process may have; null if there is no limit.</param>
    public static CapacityBound Least(int? requested, LibraryInfo library, long? descriptors, int ports)
    {
        CapacityBound?[] bounds =
        [
            requested is { } number
                ? new CapacityBound(number, ClientBoundKind.Asked, Invariant($"The search stops at the {number:N0} clients of --clients."))
                : null,
            library.MostClients is { } most
                ? new CapacityBound(most, ClientBoundKind.Protocol, Invariant($"The protocol of {library.Name} allows no more than {most:N0}."))
                : null,
            OfDescriptors(library, descriptors),
            new CapacityBound(
                Math.Max(1, ports - OtherPorts),
                ClientBoundKind.Ports,
                Invariant($"The system has {ports:N0} ports for clients of one address, of which {OtherPorts} are reserved for other programs.")),
        ];
        return bounds.OfType<CapacityBound>().MinBy(bound => bound.Clients)!;
    }

    private static CapacityBound? OfDescriptors(LibraryInfo library, long? descriptors) => descriptors is { } limit && library.DescriptorsPerClient > 0
        ? new CapacityBound(
            (int)Math.Clamp((limit - DescriptorLimit.Own) / library.DescriptorsPerClient, 1, int.MaxValue),
            ClientBoundKind.Descriptors,
            Invariant($"A process may have {limit:N0} open descriptors here, of which {DescriptorLimit.Own} are reserved for the process itself. ") +
                "'ulimit -n' raises the limit.")
        : null;

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
