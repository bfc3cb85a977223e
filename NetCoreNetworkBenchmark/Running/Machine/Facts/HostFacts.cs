using System.Net.NetworkInformation;

namespace NetCoreNetworkBenchmark.Running.Machine.Facts;

internal sealed record HostFacts
{
    private const string BootIdFile = "/proc/sys/kernel/random/boot_id";
    private const string TurboFile = "/sys/devices/system/cpu/intel_pstate/no_turbo";

    public required int ProcessId { get; init; }
    public required string MachineName { get; init; }

    /// <summary>Hosts with the same running kernel share a machine. Null if the system has none.</summary>
    public string? BootId { get; init; }
    public required DateTimeOffset Clock { get; init; }
    public required EnvironmentInfo Environment { get; init; }
    public required Fitness Fitness { get; init; }
    public bool? Turbo { get; init; }
    public IReadOnlyList<string> Addresses { get; init; } = [];

    /// <summary>In bytes, of the interface with the address that other hosts use; null if it is not known.</summary>
    public int? Mtu { get; init; }

    public static HostFacts Read(RunPlan plan)
    {
        (NetworkInterface Interface, IPAddress Address)[] addresses = [.. Interfaces()];
        IPAddress? own = OwnAddress();
        return new HostFacts
        {
            ProcessId = System.Environment.ProcessId,
            MachineName = System.Environment.MachineName,
            BootId = SystemFiles.ReadLine(BootIdFile),
            Clock = DateTimeOffset.UtcNow,
            Environment = MachineInspector.Inspect(),
            Fitness = FitnessInspector.Inspect(plan),
            Turbo = SystemFiles.ReadLine(TurboFile) is ("0" or "1") and var off ? off == "0" : null,
            Addresses = [.. addresses.Select(entry => entry.Address.ToString())],
            Mtu = addresses.Where(entry => entry.Address.Equals(own)).Select(entry => MtuOf(entry.Interface)).FirstOrDefault(),
        };
    }

    /// <summary>The address by which ssh reached this host, or else the first of an interface that is up; null if there is only the loopback.</summary>
    public static IPAddress? OwnAddress() => OfSsh() ?? Interfaces().Select(entry => entry.Address)
        .OrderBy(address => address.AddressFamily == AddressFamily.InterNetwork ? 0 : 1).FirstOrDefault();

    // The address and port of the client, then those of this host (ssh(1)).
    private static IPAddress? OfSsh() =>
        System.Environment.GetEnvironmentVariable("SSH_CONNECTION")?.Split(' ') is [_, _, var own, _] && IPAddress.TryParse(own, out IPAddress? address)
            ? address
            : null;

    private static IEnumerable<(NetworkInterface Interface, IPAddress Address)> Interfaces() =>
        from network in NetworkInterface.GetAllNetworkInterfaces()
        where network.OperationalStatus == OperationalStatus.Up && network.NetworkInterfaceType != NetworkInterfaceType.Loopback
        from unicast in network.GetIPProperties().UnicastAddresses
        where !IPAddress.IsLoopback(unicast.Address) && !unicast.Address.IsIPv6LinkLocal
        select (network, unicast.Address);

    private static int? MtuOf(NetworkInterface network) =>
        SystemFiles.NumberOf(SystemFiles.ReadLine($"/sys/class/net/{network.Name}/mtu")) is <= int.MaxValue and var mtu ? (int)mtu : null;
}
