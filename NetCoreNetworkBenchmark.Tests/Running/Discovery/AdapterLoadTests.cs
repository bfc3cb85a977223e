namespace NetCoreNetworkBenchmark.Tests.Running.Discovery;

/// <summary>Assemblies that cannot be loaded. <see cref="Tool.InstalledToolTests"/> loads one that can.</summary>
public sealed class AdapterLoadTests : InTemporaryFolder
{
    [Fact]
    public void A_file_that_is_no_assembly_is_bad_input()
    {
        File.WriteAllText(PathOf("text.dll"), "text");
        AssertBadInput("is not the path of a .NET assembly", () => LibraryOptions.Describe(PathOf("text.dll")));
        AssertBadInput("is not the path of a .NET assembly", () => LibraryOptions.Describe(PathOf("absent.dll")));
    }

    [Fact]
    public void An_assembly_without_a_library_or_workload_is_bad_input() =>
        AssertBadInput("has no library and no workload", () => Load(typeof(Assert).Assembly));

    [Fact]
    public void An_assembly_with_a_library_of_the_program_is_bad_input() =>
        AssertBadInput("cannot be added: ", () => Load(typeof(Catalog).Assembly));

    [Fact]
    public void Describe_names_the_assembly_and_its_content()
    {
        AdapterAssembly described = LibraryOptions.Describe(typeof(Catalog).Assembly.Location);
        Assert.Equal(("NetCoreNetworkBenchmark", ResultBuilder.HarnessVersion), (described.Name, described.Version));
        Assert.Matches("^[0-9a-f]{64}$", described.Sha256);
    }

    private static void Load(Assembly assembly) => new Catalog(typeof(Catalog).Assembly).Load(LibraryOptions.Describe(assembly.Location));

    private static void AssertBadInput(string reason, Action action)
    {
        var exception = Assert.Throws<BenchmarkException>(action);
        Assert.True(exception.IsBadInput);
        Assert.Contains(reason, exception.Message, StringComparison.Ordinal);
    }
}
