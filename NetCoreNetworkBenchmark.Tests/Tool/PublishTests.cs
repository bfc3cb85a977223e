namespace NetCoreNetworkBenchmark.Tests.Tool;

/// <summary>
/// The program is built for systems that no test runs on. A warning is an error there too, as that of the platform analyzer about a call that a system lacks
/// (CA1416).
/// </summary>
[Trait("Category", "Long")]
public sealed class PublishTests(PublishedSystems systems) : IClassFixture<PublishedSystems>
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(10);

    // An analyzer is not told the system, so it reports the same for all of them, and takes most of the time of a build.
    [Theory]
    [InlineData("win-arm64", true)]
    [InlineData("osx-arm64", false)]
    [InlineData("linux-musl-x64", false)]
    public async Task The_program_is_published_for(string system, bool runsAnalyzers)
    {
        var start = new ProcessStartInfo(
            "dotnet",
            [
                "publish", Golden.PathOfSource("NetCoreNetworkBenchmark"), "--configuration", "Release", "--runtime", system, "--no-self-contained",
                "--output", systems.PathOf(system), "--artifacts-path", systems.PathOf("built"), "--nologo", "--disable-build-servers",

                // Not every source of packages has the host and the runtime of every system.
                "-p:UseAppHost=false",
                $"-p:RunAnalyzers={runsAnalyzers}",
                "-warnaserror:CA1416",
            ]);
        start.Environment["DOTNET_CLI_UI_LANGUAGE"] = "en";
        (int exitCode, string output, string errors) = await SystemCommand.RunAsync(start, s_deadline);
        Assert.True(exitCode == 0, $"{output}{errors}");
        Assert.True(File.Exists(systems.PathOf(system, "NetCoreNetworkBenchmark.dll")), output);
        Assert.DoesNotContain("warning", output, StringComparison.Ordinal);
    }
}

/// <summary>A folder for all systems, so that what is the same for all of them is restored and built once.</summary>
public sealed class PublishedSystems : InTemporaryFolder;
