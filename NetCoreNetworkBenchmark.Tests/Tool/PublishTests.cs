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
    [InlineData("win-arm64", "NetCoreNetworkBenchmark.exe")]
    [InlineData("osx-arm64", "NetCoreNetworkBenchmark")]
    [InlineData("linux-musl-x64", "NetCoreNetworkBenchmark")]
    public async Task The_program_is_published_with_the_runtime_for(string system, string program)
    {
        var start = new ProcessStartInfo(
            "dotnet",
            [
                "publish", Golden.PathOfSource("NetCoreNetworkBenchmark"), "--configuration", "Release", "--runtime", system, "--self-contained",
                "--output", PathOf("program"), "--artifacts-path", PathOf("built"), "--nologo", "--disable-build-servers", "-warnaserror:CA1416",
            ]);
        start.Environment["DOTNET_CLI_UI_LANGUAGE"] = "en";
        (int exitCode, string output, string errors) = await SystemCommand.RunAsync(start, s_deadline);
        Assert.True(exitCode == 0, $"{output}{errors}");
        Assert.True(File.Exists(PathOf("program", program)), output);
        Assert.DoesNotContain("warning", output, StringComparison.Ordinal);
    }
}
