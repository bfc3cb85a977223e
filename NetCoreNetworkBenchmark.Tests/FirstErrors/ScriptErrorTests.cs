using System.Runtime.Versioning;

namespace NetCoreNetworkBenchmark.Tests.FirstErrors;

/// <summary>What the scripts say where a build cannot start: one sentence with the remedy. Each is listed in Docs/troubleshooting.md.</summary>
[UnsupportedOSPlatform("windows")]
public sealed class ScriptErrorTests : IDisposable
{
    private readonly BareEnvironment _environment = new();

    public ScriptErrorTests()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no POSIX shell of its own.");
        _environment.AddTools("cat", "cut", "dirname", "grep", "id", "paste", "sed", "uname");
    }

    [Fact]
    public async Task Script_names_where_to_get_the_SDK_when_it_is_missing() => Assert.Equal(
        (1, string.Empty, "The .NET 10 SDK is not installed or not on the PATH: see https://dotnet.microsoft.com/download.\n"),
        await _environment.RunAsync(Home()));

    [Fact]
    public async Task Script_names_an_SDK_of_another_version()
    {
        _environment.AddProgram("dotnet", "[ \"$1\" = --list-sdks ] || exit 1; echo '8.0.100 [/opt/dotnet/sdk]'; echo '9.0.302 [/opt/dotnet/sdk]'");
        Assert.Equal(
            (1, string.Empty, "No .NET SDK here is right for this checkout (wanted: 10.0.100 or a later one of its major version; " +
                "installed: 8.0.100,9.0.302): see https://dotnet.microsoft.com/download.\n"),
            await _environment.RunAsync(Home()));
    }

    [Fact]
    public async Task Script_names_a_runtime_without_an_SDK()
    {
        _environment.AddProgram("dotnet", "[ \"$1\" = --list-sdks ] || exit 1");
        Assert.Equal(
            (1, string.Empty, "No .NET SDK here is right for this checkout (wanted: 10.0.100 or a later one of its major version; installed: none): " +
                "see https://dotnet.microsoft.com/download.\n"),
            await _environment.RunAsync(Home()));
    }

    [Fact]
    public async Task A_home_that_cannot_be_written_to_is_named()
    {
        _environment.AddProgram("dotnet", "exit 1");
        Assert.Equal(
            (1, string.Empty, "dotnet writes to the home folder, and '/nonexistent' cannot be written to: name another one, such as " +
                "HOME=/folder/of/yours before the command.\n"),
            await _environment.RunAsync("HOME=/nonexistent"));
    }

    [Fact]
    public async Task A_checkout_that_cannot_be_written_to_is_named()
    {
        _environment.AddProgram("dotnet", "exit 0");
        (int exitCode, string output, string errors) = await _environment.RunReadOnlyAsync(Home());
        Assert.Equal((1, string.Empty), (exitCode, output));
        Assert.EndsWith(
            $"The checkout in '{_environment.PathOf("checkout")}' cannot be written to, and has no build: copy it to a folder of yours and build there.\n",
            errors,
            StringComparison.Ordinal);
    }

    public void Dispose() => _environment.Dispose();

    private string Home() => $"HOME={_environment.PathOf("home")}";
}
