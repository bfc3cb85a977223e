using NetCoreNetworkBenchmark.Running.Builds;

namespace NetCoreNetworkBenchmark.Tests.Running.Builds;

/// <summary>Builds with one version of a library, by an SDK that only records its arguments.</summary>
public sealed class VersionBuildsTests : InTemporaryFolder
{
    private readonly List<string> _told = [];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private string Arguments => PathOf("arguments");

    [Fact]
    public async Task FindAsync_builds_a_version_once()
    {
        VersionBuilds builds = Builds("""while [ "$1" != --artifacts-path ]; do shift; done; mkdir -p "$2/bin/NetCoreNetworkBenchmark/release" """);
        VersionBuild first = await builds.FindAsync("Lib", "1.2.3", Token);
        Assert.Equal("1.2.3", first.Version);
        Assert.Equal("NetCoreNetworkBenchmark.dll", Path.GetFileName(first.Assembly));
        Assert.True(Directory.Exists(Path.GetDirectoryName(first.Assembly)));
        Assert.Contains(" -p:OptionalPackageId=Lib -p:OptionalPackageVersion=1.2.3 ", await File.ReadAllTextAsync(Arguments, Token), StringComparison.Ordinal);
        Assert.Equal(first, await builds.FindAsync("Lib", "1.2.3", Token));
        Assert.NotEqual(first.Assembly, (await builds.FindAsync("Lib", "1.2.4", Token)).Assembly);
        Assert.Equal(2, (await File.ReadAllLinesAsync(Arguments, Token)).Length);
        Assert.Equal(["Building with Lib 1.2.3. The build is kept for later runs.", "Building with Lib 1.2.4. The build is kept for later runs."], _told);
    }

    [Theory]
    [InlineData(
        "/x/OptionalPackages.targets(90,5): error : Package Lib 9.9.9 could not be restored (NU1102). [/x/y.csproj]",
        true,
        "Package Lib 9.9.9 could not be restored (NU1102). Use a version that a package source has, such as a folder in the environment variable " +
            "RestoreAdditionalProjectSources.")]
    [InlineData(
        "/x/Adapter.cs(251,56): error CS0246: The type or namespace name 'Manager' could not be found [/x/y.csproj]",
        false,
        "The program could not be built with Lib 9.9.9: CS0246: The type or namespace name 'Manager' could not be found.")]
    [InlineData("MSBUILD : something else.", false, "The program could not be built with Lib 9.9.9: MSBUILD : something else.")]
    public async Task FindAsync_reports_the_first_error_and_keeps_nothing(string output, bool isBadInput, string sentence)
    {
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => Builds($"echo \"{output}\"; exit 1").FindAsync("Lib", "9.9.9", Token));
        Assert.Equal((sentence, isBadInput), (exception.Message, exception.IsBadInput));
        Assert.Empty(Directory.EnumerateFileSystemEntries(PathOf("cache")));
    }

    private VersionBuilds Builds(string script)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The SDK of this test is a shell script.");
        string sdk = PathOf("sdk");
        File.WriteAllText(sdk, $"#!/bin/sh\necho \"$@\" >>'{Arguments}'\n{script}\n");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(sdk, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }

        File.WriteAllText(PathOf("NetCoreNetworkBenchmark.csproj"), "<Project />");
        string built = Path.Combine(Folder.CreateSubdirectory("bin").FullName, "NetCoreNetworkBenchmark.dll");
        File.WriteAllText(built, "1");
        return new VersionBuilds(new CheckoutBuilds(built, PathOf("cache")) { Sdk = sdk }) { Report = _told.Add };
    }
}
