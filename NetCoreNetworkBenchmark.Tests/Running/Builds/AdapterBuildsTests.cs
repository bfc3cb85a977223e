using System.IO.Compression;

namespace NetCoreNetworkBenchmark.Tests.Running.Builds;

/// <summary>Adapters with one version of a library, by an SDK that only records its arguments.</summary>
public sealed class AdapterBuildsTests : InTemporaryFolder
{
    private readonly List<string> _told = [];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private string Arguments => PathOf("arguments");

    // Keeps the project, and makes an assembly where the SDK would.
    private string Build =>
        $"""
        cp "$2" '{PathOf("project")}'
        while [ "$1" != --artifacts-path ]; do shift; done
        release="$2/bin/NetCoreNetworkBenchmark.Lib/release"
        mkdir -p "$release"
        cp '{typeof(Catalog).Assembly.Location}' "$release/NetCoreNetworkBenchmark.Lib.dll"
        """;

    [Fact]
    public async Task FindAsync_builds_a_version_once()
    {
        AdapterBuilds builds = Builds(Build);
        AdapterAssembly first = await builds.FindAsync("Lib", "1.2.3", Token);
        Assert.True(first.Replaces);
        Assert.True(File.Exists(first.Path));
        string project = await File.ReadAllTextAsync(PathOf("project"), Token);
        Assert.Contains("<PackageReference Include=\"Lib\" Version=\"[1.2.3]\" />", project, StringComparison.Ordinal);
        Assert.Contains(";LIB_1</DefineConstants>", project, StringComparison.Ordinal);
        Assert.Equal(first, await builds.FindAsync("Lib", "1.2.3", Token));
        Assert.NotEqual(first.Path, (await builds.FindAsync("Lib", "1.2.4", Token)).Path);
        Assert.Equal(2, (await File.ReadAllLinesAsync(Arguments, Token)).Length);
        Assert.Equal(
            ["Building the adapter with Lib 1.2.3, once.", "Building the adapter with Lib 1.2.4, once."], _told);
    }

    [Fact]
    public void The_program_has_the_sources_of_each_adapter_of_a_package() => Assert.All(
        BuiltIn.CreateCatalog().KnownPackages,
        package => Assert.Contains(
            BuiltIn.Libraries.GetManifestResourceNames(), name => name.StartsWith($"adapters/{package}/", StringComparison.Ordinal)));

    [Fact]
    public async Task FindAsync_restores_a_file_as_a_version_that_no_other_source_has()
    {
        string file = PathOf("lib.nupkg");
        using (ZipArchive package = ZipFile.Open(file, ZipArchiveMode.Create))
        {
            using var writer = new StreamWriter(package.CreateEntry("Lib.nuspec").Open());
            await writer.WriteAsync("<package><metadata><id>Lib</id><version>1.0</version></metadata></package>");
        }

        AdapterBuilds builds = Builds($"{Build}\ncp \"$2\"/../source/*.nupkg '{PathOf("copy.nupkg")}'");
        Assert.True((await builds.FindAsync("Lib", "1.0", Token, file)).Replaces);
        string project = await File.ReadAllTextAsync(PathOf("project"), Token);
        string version = Regex.Match(project, @"Include=""Lib"" Version=""\[(1\.0-file[0-9a-f]{32})\]""").Groups[1].Value;
        using ZipArchive copy = ZipFile.OpenRead(PathOf("copy.nupkg"));
        using var reader = new StreamReader(Assert.Single(copy.Entries).Open());
        Assert.Contains($"<version>{version}</version>", await reader.ReadToEndAsync(Token), StringComparison.Ordinal);
    }

    [Fact]
    public async Task FindAsync_refers_to_the_assembly_of_a_folder_and_builds_again_when_it_changes()
    {
        string folder = Directory.CreateDirectory(PathOf("library")).FullName;
        await File.WriteAllTextAsync(Path.Combine(folder, "Lib.dll"), "first", Token);
        AdapterBuilds builds = Builds(Build);
        AdapterAssembly first = await builds.FindAsync("Lib", "1.0.0", Token, folder);
        string project = await File.ReadAllTextAsync(PathOf("project"), Token);
        Assert.Contains($"<Reference Include=\"{Path.Combine(folder, "Lib.dll")}\" />", project, StringComparison.Ordinal);
        Assert.DoesNotContain("PackageReference", project, StringComparison.Ordinal);
        Assert.Equal(first, await builds.FindAsync("Lib", "1.0.0", Token, folder));
        await File.WriteAllTextAsync(Path.Combine(folder, "Lib.dll"), "second", Token);
        Assert.NotEqual(first.Path, (await builds.FindAsync("Lib", "1.0.0", Token, folder)).Path);
    }

    [Theory]
    [InlineData(
        "/x/y.csproj : error NU1102: Unable to find package Lib with version (= 9.9.9)\n" +
            "/x/y.csproj : error NU1102:   - Found 1 version(s) in nuget.org [ Nearest version: 2.1.5 ]\n" +
            "/x/y.csproj : error NU1102:   - Found 0 version(s) in /my packages",
        true,
        "Package Lib 9.9.9 is in none of the package sources (NU1102): nuget.org (nearest version: 2.1.5), /my packages. " +
            "Use a version that one of them has, or name a folder with the package: RestoreAdditionalProjectSources=DIR in the environment.")]
    [InlineData(
        "/x/y.csproj : error NU1101: Unable to find package Lib. No packages exist with this id in source(s): nuget.org, /packages [/x/z.csproj]",
        true,
        "Package Lib 9.9.9 is in none of the package sources (NU1101): nuget.org, /packages. " +
            "Use a version that one of them has, or name a folder with the package: RestoreAdditionalProjectSources=DIR in the environment.")]
    [InlineData(
        "/x/y.csproj : error NU1301: Unable to load the service index for source https://nowhere/index.json. [/x/y.csproj]",
        false,
        "The adapter could not be built with Lib 9.9.9: NU1301: Unable to load the service index for source https://nowhere/index.json.")]
    [InlineData(
        "/x/Adapter.cs(251,56): error CS0246: The type or namespace name 'Manager' could not be found [/x/y.csproj]",
        false,
        "The adapter could not be built with Lib 9.9.9: CS0246: The type or namespace name 'Manager' could not be found.")]
    [InlineData("MSBUILD : something else.", false, "The adapter could not be built with Lib 9.9.9: MSBUILD : something else.")]
    public async Task FindAsync_reports_the_first_error_and_keeps_nothing(string output, bool isBadInput, string sentence)
    {
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => Builds($"echo \"{output}\"; exit 1").FindAsync("Lib", "9.9.9", Token));
        Assert.Equal((sentence, isBadInput), (exception.Message, exception.IsBadInput));
        Assert.Empty(Directory.EnumerateFileSystemEntries(PathOf("cache")));
    }

    private AdapterBuilds Builds(string script)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The SDK of this test is a shell script.");
        string sdk = PathOf("sdk");
        File.WriteAllText(sdk, $"#!/bin/sh\necho \"$@\" >>'{Arguments}'\n{script}\n");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(sdk, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }

        return new AdapterBuilds(new BuildCache(PathOf("cache"))) { Sdk = new DotnetSdk(sdk), Report = _told.Add };
    }
}
