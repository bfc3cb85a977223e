using System.Reflection.Emit;
using System.Runtime.Loader;

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
        AssertBadInput("has no library, workload or part of the benchmark", () => Load(typeof(Assert).Assembly));

    [Fact]
    public void An_assembly_may_have_parts_of_the_benchmark()
    {
        var catalog = new Catalog(BuiltIn.Libraries, BuiltIn.Workloads);
        Assert.Empty(catalog.Parts);
        catalog.Load(LibraryOptions.Describe(BuiltIn.Benchmarks.Location));
        Assert.Equal(LibraryUnderTest.Catalog.Parts.Select(part => part.Name), catalog.Parts.Select(part => part.Name));
    }

    [Fact]
    public void An_assembly_with_a_library_of_the_program_is_bad_input() =>
        AssertBadInput("cannot be added: ", () => Load(BuiltIn.Libraries));

    [Theory]
    [InlineData("0.1.0.0", "INetworkBenchmark", "does not have an implementation. It was built with another version of NetCoreNetworkBenchmark.Sdk. Build it")]
    [InlineData("0.1.0.0", "IGone", "'. It was built with another version of NetCoreNetworkBenchmark.Sdk. Build it with that of this program, ")]
    [InlineData("99.0.0.0", "INetworkBenchmark", " was built with NetCoreNetworkBenchmark.Sdk 99.0.0.0, and this program has ")]
    public void An_assembly_of_other_contracts_is_bad_input_with_its_own_remedy(string version, string contract, string reason)
    {
        contract = $"{typeof(INetworkBenchmark).Namespace}.{contract}";

        // The contracts of another version, and an assembly with a class that implements one of them.
        var contracts = new PersistedAssemblyBuilder(
            new AssemblyName("NetCoreNetworkBenchmark.Sdk") { Version = new Version(version) }, typeof(object).Assembly);
        const TypeAttributes Interface = TypeAttributes.Public | TypeAttributes.Interface | TypeAttributes.Abstract;
        contracts.DefineDynamicModule("Contracts").DefineType(contract, Interface).CreateType();
        string folder = Folder.CreateSubdirectory("contracts").FullName;
        contracts.Save(Path.Combine(folder, "NetCoreNetworkBenchmark.Sdk.dll"));
        var apart = new AssemblyLoadContext("contracts", isCollectible: true);
        Type implemented = apart.LoadFromAssemblyPath(Path.Combine(folder, "NetCoreNetworkBenchmark.Sdk.dll")).GetType(contract, throwOnError: true)!;
        var adapter = new PersistedAssemblyBuilder(new AssemblyName("Adapter"), typeof(object).Assembly);
        adapter.DefineDynamicModule("Adapter").DefineType("Adapter", TypeAttributes.Public, typeof(object), [implemented]).CreateType();
        adapter.Save(PathOf("Adapter.dll"));
        apart.Unload();
        AssertBadInput(reason, () => BuiltIn.CreateCatalog().Load(LibraryOptions.Describe(PathOf("Adapter.dll"))));
    }

    [Fact]
    public void An_assembly_of_a_newer_runtime_is_bad_input_with_its_own_remedy() => Assert.StartsWith(
        "It was built for a newer .NET than that of this program. Build it for .NET ",
        AdapterLoadContext.RemedyOf(new FileNotFoundException(null, "System.Runtime, Version=99.0.0.0, Culture=neutral, PublicKeyToken=b03f5f7f11d50a3a")),
        StringComparison.Ordinal);

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

    [Theory, InlineData("Adapter"), InlineData("Library"), InlineData(null)]
    public void A_debug_build_of_what_is_loaded_is_a_warning(string? isDebug)
    {
        foreach (string name in (string[])["Adapter", "Library"])
        {
            var modes = DebuggableAttribute.DebuggingModes.IgnoreSymbolStoreSequencePoints;
            modes |= name == isDebug ? DebuggableAttribute.DebuggingModes.Default | DebuggableAttribute.DebuggingModes.DisableOptimizations : 0;
            var built = new PersistedAssemblyBuilder(new AssemblyName(name), typeof(object).Assembly);
            ConstructorInfo attribute = typeof(DebuggableAttribute).GetConstructor([typeof(DebuggableAttribute.DebuggingModes)])!;
            built.SetCustomAttribute(new CustomAttributeBuilder(attribute, [modes]));
            built.DefineDynamicModule(name);
            built.Save(PathOf($"{name}.dll"));
        }

        File.WriteAllText(PathOf("native.so"), "no assembly");
        File.WriteAllText(PathOf("Adapter.deps.json"), """{ "lib/Library.dll": {}, "native.so": {} }""");
        var plan = new RunPlan { Library = "Sockets", Assemblies = [LibraryOptions.Describe(PathOf("Adapter.dll"))] };
        IEnumerable<string> warnings = FitnessInspector.Inspect(plan).Warnings.Where(warning => warning.Contains(Folder.FullName, StringComparison.Ordinal));
        string[] expected = [$"'{PathOf($"{isDebug}.dll")}' was compiled without optimisation, so the figures are not usable. Build it with '-c Release'."];
        Assert.Equal(isDebug is null ? [] : expected, warnings);
    }

    private static void Load(Assembly assembly) => BuiltIn.CreateCatalog().Load(LibraryOptions.Describe(assembly.Location));

    private static void AssertBadInput(string reason, Action action)
    {
        var exception = Assert.Throws<BenchmarkException>(action);
        Assert.True(exception.IsBadInput);
        Assert.Contains(reason, exception.Message, StringComparison.Ordinal);
    }
}
