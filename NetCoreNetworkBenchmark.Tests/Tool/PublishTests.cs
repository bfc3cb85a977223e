namespace NetCoreNetworkBenchmark.Tests.Tool;

/// <summary>
/// The program is built for systems that no test runs on. A warning is an error there too, as that of the platform analyzer about a call that a system lacks
/// (CA1416).
/// </summary>
[Trait("Category", "Long")]
public sealed class PublishTests : InTemporaryFolder
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(10);

    [Theory]
    [InlineData("win-arm64")]
    [InlineData("osx-arm64")]
    [InlineData("linux-musl-x64")]
    public async Task The_program_is_published_for(string system)
    {
        var start = new ProcessStartInfo(
            "dotnet",
            [
                "publish", Golden.PathOfSource("NetCoreNetworkBenchmark"), "--configuration", "Release", "--runtime", system, "--no-self-contained",
                "--output", PathOf("program"), "--artifacts-path", PathOf("built"), "--nologo", "--disable-build-servers",

                // Not every source of packages has the host and the runtime of every system.
                "-p:UseAppHost=false",
                "-warnaserror:CA1416",
            ]);
        start.Environment["DOTNET_CLI_UI_LANGUAGE"] = "en";
        (int exitCode, string output, string errors) = await SystemCommand.RunAsync(start, s_deadline);
        Assert.True(exitCode == 0, $"{output}{errors}");
        Assert.True(File.Exists(PathOf("program", "NetCoreNetworkBenchmark.dll")), output);
        Assert.DoesNotContain("warning", output, StringComparison.Ordinal);
    }
}
