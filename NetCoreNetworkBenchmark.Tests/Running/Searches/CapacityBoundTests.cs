using NetCoreNetworkBenchmark.Microbenchmarks.Memory;
using NetCoreNetworkBenchmark.Running.Searches;

namespace NetCoreNetworkBenchmark.Tests.Running.Searches;

public sealed class CapacityBoundTests
{
    private const int AllPorts = 65_536;

    private static readonly LibraryInfo s_library = new MemoryBenchmark().Info with { Name = "Small", DescriptorsPerClient = 2 };

    [Fact]
    public void The_least_of_the_bounds_counts_and_says_what_it_comes_from()
    {
        Assert.Equal(
            new CapacityBound(5_000, ClientBoundKind.Asked, "The search stops at the 5,000 clients of --clients."),
            CapacityBound.Least(5_000, s_library with { MostClients = 6_000 }, descriptors: 20_000, AllPorts));
        Assert.Equal(
            new CapacityBound(4_095, ClientBoundKind.Protocol, "The protocol of Small allows no more than 4,095."),
            CapacityBound.Least(5_000, s_library with { MostClients = 4_095 }, descriptors: 20_000, AllPorts));
        Assert.Equal(
            new CapacityBound(
                388, ClientBoundKind.Descriptors,
                "A process may have 1,000 open descriptors here, of which 224 are reserved for the process itself. 'ulimit -n' raises the limit."),
            CapacityBound.Least(5_000, s_library with { MostClients = 4_095 }, descriptors: 1_000, AllPorts));
        Assert.Equal(
            new CapacityBound(
                936, ClientBoundKind.Ports, "The system has 1,000 ports for clients of one address, of which 64 are reserved for other programs."),
            CapacityBound.Least(null, s_library, descriptors: null, ports: 1_000));
    }

    [Fact]
    public void A_library_without_descriptors_is_not_bound_by_them() => Assert.Equal(
        ClientBoundKind.Ports, CapacityBound.Least(null, s_library with { DescriptorsPerClient = 0 }, descriptors: 100, AllPorts).Kind);

    [Theory, InlineData(10, 1_000), InlineData(1_000, 10)]
    public void There_is_always_one_client_to_try(long descriptors, int ports) =>
        Assert.Equal(1, CapacityBound.Least(null, s_library, descriptors, ports).Clients);

    [Fact]
    public void This_machine_has_a_bound_within_its_descriptors_and_ports()
    {
        CapacityBound bound = CapacityBound.Find(null, s_library);
        Assert.InRange(bound.Clients, 1, AllPorts - 64);
        Assert.InRange(bound.Clients, 1, ((DescriptorLimit.Current() ?? long.MaxValue) / 2) + 1);
    }
}
