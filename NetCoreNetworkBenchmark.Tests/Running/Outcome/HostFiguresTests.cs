using NetCoreNetworkBenchmark.Microbenchmarks.Memory;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Tests.Running.Agents;

namespace NetCoreNetworkBenchmark.Tests.Running.Outcome;

public sealed class HostFiguresTests
{
    [Fact]
    public void A_host_that_did_much_less_than_its_part_voids_the_run_by_name_and_hardware()
    {
        HostsResult hosts = HostsOf([(100, 900), (100, 1_300)], cpus: ["Slow One", "Fast One"]);
        Assert.Equal(
            [
                "The clients on host-0 were 50.0 % of the clients and had 40.9 % of the messages (limit: ±10 %), so the hosts were compared and not the " +
                    "servers. It has 2 cores of Slow One, host-1 has 2 of Fast One.",
                "The clients on host-1 were 50.0 % of the clients and had 59.1 % of the messages (limit: ±10 %), so the hosts were compared and not the " +
                    "servers. It has 2 cores of Fast One, host-0 has 2 of Slow One.",
            ],
            HostFigures.FindFaults(hosts));
    }

    [Theory, InlineData(1_000, 1_000), InlineData(1_000, 1_200)]
    public void A_part_of_90_to_110_percent_is_even(long one, long other) => Assert.Empty(HostFigures.FindFaults(HostsOf([(100, one), (100, other)])));

    [Fact]
    public void The_part_is_by_the_number_of_clients() => Assert.Empty(HostFigures.FindFaults(HostsOf([(600, 6_000), (400, 4_000)])));

    [Fact]
    public void Hosts_that_are_one_machine_are_remarked_and_their_parts_void_nothing()
    {
        HostsResult hosts = HostsOf([(100, 500), (100, 1_500)], bootIds: ["same", "same"]);
        Assert.Empty(HostFigures.FindFaults(hosts));
        Assert.Contains("host-0, host-1 are one machine, and their processes share its cores.", HostFigures.FindRemarks(hosts, isOneLibrary: true));
        Assert.Equal(2, HostFigures.FindRemarks(hosts, isOneLibrary: true).Count());
    }

    [Theory]
    [InlineData(0.94, null)]
    [InlineData(0.97, "host-0 was saturated: 97 % of its CPU time was used (limit: 95 %), so its clients were measured and not the server.")]
    public void A_host_without_idle_time_voids_the_run_by_name(double busy, string? fault) =>
        Assert.Equal(fault is null ? [] : [fault], HostFigures.FindFaults(HostsOf([(1, 10), (1, 10)], busy: busy)));

    // Other cores of the machine are idle.
    [Theory]
    [InlineData(1.8, null)]
    [InlineData(1.96, "host-1 was saturated: 98 % of its CPU time was used (limit: 95 %), so its clients were measured and not the server.")]
    public void A_host_whose_clients_use_all_the_cores_that_they_may_use_voids_the_run_by_name(double cores, string? fault)
    {
        HostsResult hosts = HostsOf([(1, 10), (1, 10)]);
        ProcessCost cost = hosts.Clients[1].Cost with { Seconds = 10, UserCpuSeconds = cores * 10, SystemCpuSeconds = 0 };
        Assert.Equal(
            fault is null ? [] : [fault], HostFigures.FindFaults(hosts with { Clients = [hosts.Clients[0], hosts.Clients[1] with { Cost = cost }] }));
    }

    [Theory, InlineData(0.05, 0), InlineData(-0.05, 0), InlineData(2, 1), InlineData(-2, 1)]
    public void A_clock_that_was_set_voids_the_run_by_name(double seconds, int faults)
    {
        string[] found = [.. HostFigures.FindFaults(HostsOf([(1, 10), (1, 10)], clockStep: seconds))];
        Assert.Equal(faults, found.Length);
        Assert.All(found, fault => Assert.StartsWith("The clock of host-0 was set by ", fault, StringComparison.Ordinal));
    }

    [Fact]
    public void Different_versions_of_the_library_are_remarked() => Assert.Contains(
        "The hosts have different versions of the library: host-0 1.0, host-1 1.1.",
        HostFigures.FindRemarks(HostsOf([(1, 10), (1, 10)], versions: ["1.0", "1.1"]), isOneLibrary: true));

    [Fact]
    public void The_versions_of_two_libraries_are_not_compared()
    {
        HostsResult hosts = HostsOf([(1, 10), (1, 10)]);
        HostsResult driven = hosts with { Server = hosts.Clients[0] with { LibraryVersion = "another library's" } };
        Assert.Empty(HostFigures.FindRemarks(driven, isOneLibrary: false));
        Assert.Single(HostFigures.FindRemarks(driven, isOneLibrary: true));
    }

    [Fact]
    public void Namespaces_of_this_machine_are_no_hosts_of_a_result() =>
        Assert.Null(HostFigures.Of(EvidenceOf([(1, 10)], launcher: Launcher.Namespaces)));

    private static HostsResult HostsOf(
        (int Clients, long Messages)[] drivers,
        string[]? cpus = null,
        string[]? bootIds = null,
        string[]? versions = null,
        double busy = 0.5,
        double clockStep = 0) => HostFigures.Of(EvidenceOf(drivers, cpus, bootIds, versions, busy, clockStep))!;

    private static RunMeasurements EvidenceOf(
        (int Clients, long Messages)[] drivers,
        string[]? cpus = null,
        string[]? bootIds = null,
        string[]? versions = null,
        double busy = 0.5,
        double clockStep = 0,
        Launcher launcher = Launcher.Ssh) => new()
        {
            Plan = new RunPlan
            {
                Library = "Memory",
                Clients = drivers.Sum(driver => driver.Clients),
                Hosts = new HostsPlan
                {
                    ServerHost = "server",
                    ClientHosts = [.. drivers.Select((_, index) => new ClientHost($"host-{index}"))],
                    Launcher = launcher,
                },
            },
            Library = new MemoryBenchmark().Info,
            EndPoint = new IPEndPoint(IPAddress.Loopback, 1),
            Workload = new PingPong(),
            LoadGenerators =
            [
                .. drivers.Select((driver, index) => SampleFrames.Clients with
                {
                    Clients = driver.Clients,
                    Measured = new MessageCounters { ClientReceived = driver.Messages },
                    LibraryVersion = versions?[index] ?? "1.0",
                    Machine = new MachineUse(index == 0 ? busy : 0.5, 0, 4),
                }),
            ],
            GeneratorHosts =
            [
                .. drivers.Select((_, index) => HostOf($"host-{index}", cpus?[index], bootIds?[index] ?? $"{index}", index == 0 ? clockStep : 0)),
            ],
            Fitness = new Fitness { Warnings = [] },
        };

    private static HostReport HostOf(string name, string? cpu, string bootId, double clockStep) => new(
        name,
        new HostFacts
        {
            ProcessId = 1,
            MachineName = name,
            BootId = bootId,
            Clock = DateTimeOffset.UnixEpoch,
            Environment = MachineInspector.Inspect() with { Cpu = cpu ?? "One", Cores = 2 },
            Fitness = new Fitness { Warnings = [] },
        },
        TimeSpan.FromSeconds(clockStep));
}
