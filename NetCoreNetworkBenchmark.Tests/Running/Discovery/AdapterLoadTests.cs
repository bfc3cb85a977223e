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

    [Fact]
    public void Describe_changes_with_each_file_that_the_assembly_loads()
    {
        File.Copy(typeof(Assert).Assembly.Location, PathOf("Adapter.dll"));
        string alone = Hash();
        File.WriteAllText(PathOf("Library.dll"), "first build");
        File.WriteAllText(PathOf("Other.dll"), "of another program");
        Assert.Equal(alone, Hash());
        File.WriteAllText(PathOf("Adapter.deps.json"), """{ "targets": { "net10.0": { "Library/1.0": { "runtime": { "lib/Library.dll": {} } } } } }""");
        string first = Hash();
        File.WriteAllText(PathOf("Other.dll"), "another build");
        Assert.Equal(first, Hash());
        File.WriteAllText(PathOf("Library.dll"), "second build");
        Assert.Distinct([alone, first, Hash()]);

        string Hash() => LibraryOptions.Describe(PathOf("Adapter.dll")).Sha256;
    }

    private static void Load(Assembly assembly) => new Catalog(typeof(Catalog).Assembly).Load(LibraryOptions.Describe(assembly.Location));

    private static void AssertBadInput(string reason, Action action)
    {
        var exception = Assert.Throws<BenchmarkException>(action);
        Assert.True(exception.IsBadInput);
        Assert.Contains(reason, exception.Message, StringComparison.Ordinal);
    }
}
