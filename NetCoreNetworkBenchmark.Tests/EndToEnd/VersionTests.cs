using NetCoreNetworkBenchmark.Tests.Cli;
using NetCoreNetworkBenchmark.Tests.Running.Builds;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>Versions of a library's package, each built apart, take turns.</summary>
public sealed class VersionTests
{
    private const string Library = "LiteNetLib";

    [Fact]
    [Trait("Category", "Long")]
    public async Task Two_versions_are_built_and_compared_with_the_first()
    {
        Assert.SkipUnless(LibraryUnderTest.Catalog.OfPackages.Contains(Library), $"{Library} is not in this build.");
        string version = LibraryUnderTest.Catalog.CreateLibrary(Library)!.Info.Version;
        string restored = Path.Combine(
            Environment.GetEnvironmentVariable("NUGET_PACKAGES")
                ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages"),
            "litenetlib");

        // A package source may have one version alone. The second one is a copy of it.
        string second = $"{version}-copy{Environment.ProcessId}";
        using var packages = new PackageFolder();
        packages.AddCopy(Path.Combine(restored, version, $"litenetlib.{version}.nupkg"), Library, version, second);
        DirectoryInfo cache = Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-cache-");
        try
        {
            (_, string output, string errors) = await BenchmarkProcess.RunWithAsync(
                new() { ["RestoreAdditionalProjectSources"] = packages.Path, ["XDG_CACHE_HOME"] = cache.FullName },
                "--versions", $"{Library}={version},{second}", "-c", "4", "-d", "0.2", "--warmup", "0.1", "-p", "0", "--any-machine", "--launches", "2",
                "--runtime", "TieredPGO=0", "--json");

            // On a busy machine a launch may be invalid, which is a figure of the machine.
            Assert.True(output.Length > 0, errors);
            SuiteResult result = JsonSerializer.Deserialize(output, ResultJson.Readable.SuiteResult)!;
            BenchmarkResult benchmark = Assert.Single(result.Benchmarks);
            Assert.Equal($"{Library} ({version}, TieredPGO=0)", benchmark.Baseline);
            Assert.Equal([$"{Library} ({version}, TieredPGO=0)", $"{Library} ({second}, TieredPGO=0)"], benchmark.Cases.Select(c => c.Library));
            Assert.All(benchmark.Cases, caseResult => Assert.Equal(2, caseResult.Launches.Count(launch => launch.Result is not null)));
            Assert.Contains($"--versions {Library}={version},{second} ", result.Command, StringComparison.Ordinal);
            Assert.Equal(2, Directory.GetFiles(cache.FullName, "NetCoreNetworkBenchmark.dll", SearchOption.AllDirectories).Length);
        }
        finally
        {
            cache.Delete(recursive: true);
            if (Directory.Exists(Path.Combine(restored, second)))
            {
                Directory.Delete(Path.Combine(restored, second), recursive: true);
            }
        }
    }

    [Theory]
    [InlineData("Epoll=1,2", "--versions: Epoll is not a package with versions. ")]
    [InlineData("Enett=1,2", "--versions: \"Enett\" is not one of ")]
    public async Task A_library_without_versions_is_refused(string versions, string sentence) =>
        await ProgramInFolder.AssertRefusedBesideWarningsAsync($"Error: {sentence}", "--versions", versions, "-P", "Tcp", "--any-machine");
}
