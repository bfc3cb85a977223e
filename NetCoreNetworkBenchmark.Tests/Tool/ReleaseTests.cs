namespace NetCoreNetworkBenchmark.Tests.Tool;

/// <summary>
/// The artefacts of a release, as build/release.sh makes them. The program is also built for systems that no test runs on. The analyzers, such as that of calls
/// that a system lacks (CA1416), do not depend on the system and have run in the build of these tests.
/// </summary>
public sealed class ReleaseTests : InTemporaryFolder
{
    private static readonly string[] s_all = ["linux-musl-x64", "linux-x64", "osx-arm64", "win-x64"];
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(15);

    // Each archive takes half a minute. Those of the other systems are made in the same way.
    [Theory, InlineData("linux-x64 win-x64", Traits = ["Category", "Long"]), InlineData("", Traits = ["Category", "Timing"])]
    public async Task A_release_has_every_artefact_with_its_checksum_and_its_tool_and_its_program_run(string systems)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The script is for a POSIX shell with sha256sum.");
        string[] requested = systems.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        (int exitCode, string output, string errors) = await ReleaseAsync(PathOf("release"), requested);
        Assert.True(exitCode == 0, $"{output}{errors}");
        string version = ResultBuilder.HarnessVersion;
        string[] without = [.. Regex.Matches(errors, "There is no archive for ([^:]+):").Select(match => match.Groups[1].Value)];
        string[] archives = [.. (requested is [] ? s_all : requested).Except(without).Select(system => $"netbench-{version}-{system}.tar.gz")];
        string[] packages = [.. ((string[])["Sdk", "Templates", "Tool"]).Select(name => $"NetCoreNetworkBenchmark.{name}.{version}.nupkg")];
        Assert.Equal(
            [.. packages, "SHA256SUMS", .. archives],
            Directory.GetFiles(PathOf("release")).Select(file => Path.GetFileName(file)!).Order(StringComparer.Ordinal).OrderBy(IsArchive));
        await RequireAsync("sha256sum", "--check", "--strict", "SHA256SUMS");

        await RequireAsync("dotnet", "tool", "install", "NetCoreNetworkBenchmark.Tool", "--tool-path", PathOf("tool"), "--add-source", PathOf("release"));
        Assert.Contains(version, await RequireAsync(PathOf("tool", "netbench"), "--version"), StringComparison.Ordinal);
        Assert.SkipWhen(without.Contains("linux-x64"), "The runtime of linux-x64 is in no package source.");
        await RequireAsync("tar", "-C", Folder.FullName, "-xzf", $"netbench-{version}-linux-x64.tar.gz");
        string program = PathOf($"netbench-{version}-linux-x64", "NetCoreNetworkBenchmark");
        Assert.Contains(version, await RequireAsync("env", "-i", program, "--version"), StringComparison.Ordinal);

        static bool IsArchive(string file) => file.StartsWith("netbench-", StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_release_replaces_no_folder()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The script is for a POSIX shell.");
        Assert.Equal((2, string.Empty, $"'{Folder.FullName}' exists. Name a new folder.\n"), await ReleaseAsync(Folder.FullName));
    }

    private static Task<(int ExitCode, string Output, string Errors)> ReleaseAsync(string folder, params string[] systems) =>
        SystemCommand.RunAsync(new ProcessStartInfo("sh", [Golden.PathOfSource("build/release.sh"), folder, .. systems]), s_deadline);

    private async Task<string> RequireAsync(string command, params string[] arguments)
    {
        var start = new ProcessStartInfo(command, arguments) { WorkingDirectory = PathOf("release") };
        (int exitCode, string output, string errors) = await SystemCommand.RunAsync(start, s_deadline);
        Assert.True(exitCode == 0, $"{command} {string.Join(' ', arguments)}: {output}{errors}");
        return output;
    }
}
