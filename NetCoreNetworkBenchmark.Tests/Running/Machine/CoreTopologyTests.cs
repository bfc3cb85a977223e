namespace NetCoreNetworkBenchmark.Tests.Running.Machine;

/// <summary>Processors with given files of /sys.</summary>
public sealed class CoreTopologyTests : InTemporaryFolder
{
    [Fact]
    public void Describe_counts_cores_and_their_threads()
    {
        WriteCores([.. Enumerable.Range(0, 8).Select(core => $"{core % 4},{(core % 4) + 4}")]);
        Assert.Equal("4 cores with 2 threads", Topology.Describe());
        Assert.Empty(Topology.Warnings(new PinningPlan()));
    }

    [Fact]
    public void Describe_is_null_if_the_system_has_no_such_files() => Assert.Null(Topology.Describe());

    [Fact]
    public void Threads_of_one_core_on_both_sides_are_named()
    {
        WriteCores("0-1", "0-1", "2-3", "2-3");
        Assert.Equal(
            "Processors 0 of the server and 1 of the clients are threads of one core, so each side slows the other down. " +
                "Give both threads of a core to one side with --pin ('lscpu -e' shows them).",
            Assert.Single(Topology.Warnings(Pinned([0], [1, 2]))));
        Assert.Empty(Topology.Warnings(Pinned([0, 1], [2, 3])));
        Assert.Empty(Topology.Warnings(Pinned([0], [2])));
        Assert.Empty(Topology.Warnings(Pinned([0], [0])));
        Assert.Empty(Topology.Warnings(Pinned([0], null)));
    }

    [Fact]
    public void Kinds_of_Intel_are_described_and_named_where_a_side_has_several()
    {
        WriteCores("0-1", "0-1", "2", "3");
        Write("cpu_core/cpus", "0-1\n");
        Write("cpu_atom/cpus", "2-3\n");
        Assert.Equal("1 core with 2 threads, 2 with 1; kinds: 0-1 (core), 2-3 (atom)", Topology.Describe());
        const string Chooses = "and the system chooses among them. Bind each side to one kind with --pin.";
        Assert.Equal([$"This processor has cores of several kinds (0-1 (core), 2-3 (atom)), {Chooses}"], Topology.Warnings(new PinningPlan()));
        Assert.Equal([$"The cores of the clients are of several kinds (1 (core), 2 (atom)), {Chooses}"], Topology.Warnings(Pinned([3], [1, 2])));
        Assert.Equal([$"The cores of the server are of several kinds (0-1 (core), 2-3 (atom)), {Chooses}"], Topology.Warnings(Pinned(null, [2, 3])));
        Assert.Empty(Topology.Warnings(Pinned([0, 1], [2, 3])));
    }

    [Fact]
    public void Kinds_of_Arm_are_read_from_the_capacities()
    {
        WriteCores("0", "1", "2");
        Write("system/cpu/cpu0/cpu_capacity", "446\n");
        Write("system/cpu/cpu1/cpu_capacity", "1024\n");
        Write("system/cpu/cpu2/cpu_capacity", "1024\n");
        Assert.Equal("3 cores with 1 thread; kinds: 0 (capacity 446), 1-2 (capacity 1024)", Topology.Describe());
    }

    [Fact]
    public void Files_with_other_text_are_unknown()
    {
        WriteCores("x", "", "2,2-");
        Assert.Null(Topology.Describe());
        Assert.Empty(Topology.Warnings(Pinned([0], [1])));
    }

    [Theory]
    [InlineData("0-3", 4)]
    [InlineData("0,2-5", 5)]
    [InlineData("0", 1)]
    [InlineData("", null)]
    [InlineData("3-0", null)]
    [InlineData("0-", null)]
    [InlineData("0-1-2", null)]
    [InlineData("all", null)]
    [InlineData("0-4294967295", null)]
    public void CountOnline_is_null_when_the_text_has_no_ranges(string text, int? cores)
    {
        Write("system/cpu/online", text + "\n");
        Assert.Equal(cores, CoreTopology.CountOnline(Folder.FullName));
    }

    private CoreTopology Topology => CoreTopology.Read(Folder.FullName);

    private static PinningPlan Pinned(int[]? server, int[]? clients) => new() { ServerCores = server, ClientCores = clients };

    private void WriteCores(params string[] siblings)
    {
        Write("system/cpu/online", $"0-{siblings.Length - 1}\n");
        foreach ((int core, string threads) in siblings.Index())
        {
            Write($"system/cpu/cpu{core}/topology/thread_siblings_list", threads + "\n");
        }
    }
}
