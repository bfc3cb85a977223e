namespace NetCoreNetworkBenchmark.Tests.Running.Discovery;

public sealed class CatalogTests
{
    [Fact]
    public void Libraries_are_sorted_and_those_that_need_no_package_are_always_there()
    {
        string[] names = [.. LibraryUnderTest.Catalog.Libraries];
        Assert.Equal(names.Order(StringComparer.OrdinalIgnoreCase), names);
        Assert.Subset(new HashSet<string>(names), new HashSet<string>(["ENet", "Kestrel", "Sockets"]));
    }

    [Fact]
    public void Optional_libraries_are_in_the_build_or_named_with_a_reason()
    {
        Catalog catalog = LibraryUnderTest.Catalog;
        Assert.All(["ENet-CSharp", "kcp2k", "LiteNetLib", "NetCoreServer"], name =>
            Assert.True(catalog.Libraries.Contains(name) ^ catalog.NotInBuild.Any(missing => missing.Library == name), name));
        Assert.All(catalog.NotInBuild, missing => Assert.Contains("RestoreAdditionalProjectSources", missing.Reason, StringComparison.Ordinal));
    }

    [Theory, InlineData("sockets"), InlineData("SOCKETS")]
    public void CreateLibrary_looks_without_regard_to_case_and_makes_a_new_adapter_each_time(string name)
    {
        Assert.Equal("Sockets", LibraryUnderTest.Catalog.CreateLibrary(name)!.Info.Name);
        Assert.NotSame(LibraryUnderTest.Catalog.CreateLibrary(name), LibraryUnderTest.Catalog.CreateLibrary(name));
    }

    // The runner ignores any other name.
    [Fact]
    public void A_workload_names_options_that_there_are()
    {
        HashSet<string> known =
        [
            .. PlanOptions.All.Concat(RunOptions.All).Select(option => option.Name),
            .. LibraryUnderTest.Catalog.Workloads.SelectMany(workload => workload.Options).Select(option => option.Name),
        ];
        Assert.Empty(
            from workload in LibraryUnderTest.Catalog.Workloads
            from name in workload.ExcludedOptions.Keys.Concat(workload.OptionRemarks.Keys)
                .Concat(workload.Options.SelectMany(option => option.Excludes).Select(excluded => excluded.Name))
            where !known.Contains(name)
            select $"{workload.Name}: {name}");
    }

    [Fact]
    public void Two_workloads_of_one_name_are_refused()
    {
        var exception = Assert.Throws<InvalidOperationException>(() => new Catalog(typeof(CatalogTests).Assembly));
        Assert.Contains("is the name of both", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Two_parts_of_one_name_are_refused()
    {
        var exception = Assert.Throws<InvalidOperationException>(() => new Catalog([typeof(Part), typeof(OtherPart)]));
        Assert.StartsWith("'twin' is the name of both", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Two_default_workloads_are_refused()
    {
        var exception = Assert.Throws<InvalidOperationException>(() => new Catalog([typeof(Ordinary), typeof(OtherOrdinary)]));
        Assert.Equal("the tests 'Twin' and 'Other' are both the default. Return false as IsDefault of one of them", exception.Message);
    }

    [Theory, InlineData("--rate"), InlineData("-c"), InlineData("--launches"), InlineData("--help"), InlineData("--two words"), InlineData("rate")]
    public void An_option_of_a_test_that_there_is_already_or_cannot_be_is_bad_input(string name) => BadInput.Throws(
        $"--load: the test 'Twin' declares the option '{name}', which is not a valid name or is declared already. Rename it in the test.",
        () => new CommandLine(
            [.. LibraryUnderTest.Catalog.Workloads, new WithOption { Options = [new WorkloadOption(name, "for tests", (plan, _) => plan)] }],
            LibraryUnderTest.Catalog.Parts,
            [],
            []));

    private class Ordinary : Twin, IWorkload
    {
        bool IWorkload.IsDefault => true;
    }

    private sealed class OtherOrdinary : Ordinary, IWorkload
    {
        string IWorkload.Name => "Other";
    }

    private sealed class WithOption : Twin, IWorkload
    {
        public IReadOnlyList<WorkloadOption> Options { get; init; } = [];
    }

    [Fact]
    public void A_name_that_options_cannot_hold_is_refused()
    {
        var exception = Assert.Throws<InvalidOperationException>(() => new Catalog([typeof(CommaLibrary)]));
        Assert.Contains("cannot be used in options. Use one without comma, dot and equals sign", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_Info_that_throws_names_its_library()
    {
        var catalog = new Catalog([typeof(ThrowingLibrary)]);
        var exception = Assert.Throws<BenchmarkException>(() => catalog.CreateLibrary("Throwing"));
        Assert.Equal("Throwing cannot be used, because its Info throws DllNotFoundException: no such file.", exception.Message);
    }

    private class Part : IBenchmarkPart
    {
        public string Name => "twin";

        public IEnumerable<Benchmark> Create(PartTemplates templates) => throw new NotSupportedException();
    }

    private sealed class OtherPart : Part;

    private abstract class AnyLibrary : INetworkBenchmark
    {
        public abstract string Name { get; }

        public LibraryInfo Info => throw new DllNotFoundException("no such file.");

        public IBenchmarkServer StartServer(ServerSetup setup) => throw new NotSupportedException();

        public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken) => throw new NotSupportedException();
    }

    private sealed class CommaLibrary : AnyLibrary
    {
        public override string Name => "A,B";
    }

    private sealed class ThrowingLibrary : AnyLibrary
    {
        public override string Name => "Throwing";
    }

    // These two are found by the test above: no other workload in the tests has a parameterless constructor.
    public class Twin : IMessageWorkload
    {
        public string Name => "Twin";

        public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => throw new NotSupportedException();

        public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) => throw new NotSupportedException();
    }

    public sealed class OtherTwin : Twin;
}
