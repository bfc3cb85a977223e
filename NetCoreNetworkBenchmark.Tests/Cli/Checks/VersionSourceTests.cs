namespace NetCoreNetworkBenchmark.Tests.Cli.Checks;

public sealed class VersionSourceTests : InTemporaryFolder
{
    private const string Library = "LiteNetLib";

    [Fact]
    public void Read_finds_the_library_of_a_folder_of_assemblies()
    {
        Catalog catalog = LibraryUnderTest.Catalog;
        Assert.SkipUnless(catalog.OfPackages.Contains(Library), $"{Library} is not in this build.");
        File.Copy(Path.Combine(AppContext.BaseDirectory, $"{Library}.dll"), PathOf($"{Library}.dll"));
        var folder = VersionSource.Read(Folder.FullName, catalog);
        Assert.Equal((Library, true), (folder.Library, folder.IsLike(VersionSource.Read($"{Library}@1.0", catalog))));
    }

    [Fact]
    public void Read_rejects_a_folder_whose_assembly_is_none()
    {
        Assert.SkipUnless(LibraryUnderTest.Catalog.OfPackages.Contains(Library), $"{Library} is not in this build.");
        File.WriteAllText(PathOf($"{Library}.dll"), "text");
        var exception = Assert.Throws<BenchmarkException>(() => VersionSource.Read(Folder.FullName, LibraryUnderTest.Catalog));
        Assert.True(exception.IsBadInput);
        exception.Message.AssertBegins($"'{PathOf($"{Library}.dll")}' is not a .NET assembly: ");
    }
}
