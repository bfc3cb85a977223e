using System.Globalization;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Crowds;

/// <summary>The most clients that can be tried, and what says so.</summary>
/// <param name="Clients">The number, from 1.</param>
/// <param name="Kind">What says so.</param>
/// <param name="Sentence">The same for the user.</param>
internal sealed record CrowdBound(int Clients, ClientBoundKind Kind, string Sentence)
{
    private const string PortRange = "/proc/sys/net/ipv4/ip_local_port_range";
    private const int AllPorts = ushort.MaxValue + 1;

    // Wake-ups, the server where its port is left to the system, and what other programs have open.
    private const int OtherPorts = 64;

    /// <summary>Finds the least of the bounds that hold here.</summary>
    /// <param name="asked">What the user gave; null where nothing.</param>
    /// <param name="library">The library.</param>
    public static CrowdBound Find(int? asked, LibraryInfo library) => Least(asked, library, DescriptorLimit.Raise(), Ports());

    /// <summary>Finds the least of the bounds.</summary>
    /// <param name="asked">What the user gave; null where nothing.</param>
    /// <param name="library">The library.</param>
    /// <param name="descriptors">The open descriptors that a process may have; null where there is no limit.</param>
    /// <param name="ports">The ports that the system gives to clients of one address.</param>
    public static CrowdBound Least(int? asked, LibraryInfo library, long? descriptors, int ports)
    {
        CrowdBound?[] bounds =
        [
            asked is { } number ? new CrowdBound(number, ClientBoundKind.Asked, Invariant($"These are as many as were asked for ({number:N0}).")) : null,
            library.MostClients is { } most ? new CrowdBound(most, ClientBoundKind.Protocol, Invariant($"The protocol of {library.Name} allows no more than {most:N0}.")) : null,
            OfDescriptors(library, descriptors),
            new CrowdBound(Math.Max(1, ports - OtherPorts), ClientBoundKind.Ports, Invariant($"The system has {ports:N0} ports for clients of one address, of which {OtherPorts} are left to others.")),
        ];
        return bounds.OfType<CrowdBound>().MinBy(bound => bound.Clients)!;
    }

    private static CrowdBound? OfDescriptors(LibraryInfo library, long? descriptors) => descriptors is { } limit && library.DescriptorsPerClient > 0
        ? new CrowdBound(
            (int)Math.Clamp((limit - DescriptorLimit.Own) / library.DescriptorsPerClient, 1, int.MaxValue),
            ClientBoundKind.Descriptors,
            Invariant($"A process may have {limit:N0} open descriptors here, of which {DescriptorLimit.Own} are left to the process itself; 'ulimit -n' shows and raises the limit."))
        : null;

    // Such as '32768	60999'. Every UDP client has a socket of its own, and every socket of an address a port of its own.
    private static int Ports()
    {
        string[] range = MachineInspector.ReadLine(PortRange)?.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries) ?? [];
        return range.Length == 2
            && int.TryParse(range[0], CultureInfo.InvariantCulture, out int first)
            && int.TryParse(range[1], CultureInfo.InvariantCulture, out int last)
                ? last - first + 1
                : AllPorts;
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
