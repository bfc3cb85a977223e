namespace NetCoreNetworkBenchmark.Tests.FirstErrors;

/// <summary>The program in surroundings that few machines have.</summary>
public sealed class SurroundingsTests : InTemporaryFolder
{
    private const string Brief = "-l Sockets -p 0 -c 1 --warmup 0 -d 0.1 --any-machine";

    [Theory, InlineData("--version"), InlineData("--list"), InlineData(Brief), InlineData($"{Brief} --launches 1"), Trait("Category", "Long")]
    public async Task A_current_folder_that_was_deleted_does_not_matter_without_a_relative_path(string arguments)
    {
        (int exitCode, string output, string errors) = await InDeletedFolderAsync(arguments);
        Assert.True(exitCode == 0, errors + output);
    }

    [Fact]
    public async Task A_relative_path_in_a_folder_that_was_deleted_is_refused()
    {
        (int exitCode, string output, string errors) = await InDeletedFolderAsync($"{Brief} -o results");
        Assert.Equal((2, string.Empty), (exitCode, output));
        Assert.StartsWith(
            "Error: --output: the folder 'results' cannot be written to (", Assert.Single(BenchmarkProcess.WithoutWarnings(errors)), StringComparison.Ordinal);
    }

    // The runtime protects its pages with a file in memory, for which the limit counts too (dotnet/runtime#119316).
    [Theory, InlineData(""), InlineData("--launches 1"), Trait("Category", "Long")]
    public async Task A_file_above_its_limit_is_reported_and_the_result_is_printed(string arguments)
    {
        const string StartsBelowLimit = "export DOTNET_EnableWriteXorExecute=0 && ulimit -f 1 && exec \"$@\"";
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no limit of files.");
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunThroughAsync(
            ["sh", "-c", StartsBelowLimit, "sh"], HostRun.Words($"{Brief} {arguments} -o {Folder.FullName}"));
        Assert.Equal(1, exitCode);
        Assert.Contains("msg/s", output, StringComparison.Ordinal);
        Assert.Contains("The result could not be written to '", errors, StringComparison.Ordinal);
        Assert.Contains("ile too large", errors, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--help", "Usage:\n  ./build/benchmark.sh [command] [options]")]
    [InlineData(Brief, "./build/benchmark.sh --test PingPong --library Sockets")]
    public async Task The_command_is_the_one_that_the_script_was_started_by(string arguments, string text)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no program env.");
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunThroughAsync(
            ["env", "NETBENCH_PROGRAM=./build/benchmark.sh"], arguments.Split(' '));
        Assert.True(exitCode == 0, errors + output);
        Assert.Contains(text, output, StringComparison.Ordinal);
    }

    // The FIFO loses its only reader before the program starts.
    [Theory, InlineData("--help all"), InlineData(Brief), InlineData($"{Brief} --launches 1")]
    public async Task A_reader_that_has_ended_is_no_error_to_explain(string arguments)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no FIFO.");
        const string WithoutReader = "mkfifo \"$0\" && exec 3<>\"$0\" 4>\"$0\" 3<&- && exec \"$@\" >&4";
        (_, _, string errors) = await BenchmarkProcess.RunThroughAsync(["sh", "-c", WithoutReader, PathOf("fifo")], arguments.Split(' '));
        Assert.DoesNotContain("Standard output", errors, StringComparison.Ordinal);
        Assert.DoesNotContain("msg/s |", errors, StringComparison.Ordinal);
        Assert.DoesNotContain("Message throughput", errors, StringComparison.Ordinal);
    }

    // The installed runtime under the number of the next version.
    [Theory, InlineData("--list"), InlineData($"{Brief} --launches 1"), Trait("Category", "Long")]
    public async Task The_program_and_its_agents_use_a_newer_runtime_where_no_other_is_installed(string arguments)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The folders are links.");
        string installed = Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", ".."));
        string newer = $"{Environment.Version.Major + 1}.0.0";
        File.Copy(Path.Combine(installed, "dotnet"), PathOf("dotnet"));
        Directory.CreateSymbolicLink(PathOf("host"), Path.Combine(installed, "host"));
        Directory.CreateDirectory(PathOf("shared", "Microsoft.NETCore.App"));
        Directory.CreateSymbolicLink(
            PathOf("shared", "Microsoft.NETCore.App", newer), Path.TrimEndingDirectorySeparator(RuntimeEnvironment.GetRuntimeDirectory()));
        var start = new ProcessStartInfo(PathOf("dotnet"), [typeof(Catalog).Assembly.Location, .. arguments.Split(' ')]);
        start.Environment["DOTNET_ROOT"] = Folder.FullName;
        (int exitCode, string output, string errors) = await SystemCommand.RunAsync(start, TimeSpan.FromMinutes(3));
        Assert.True(exitCode == 0, errors + output);
    }

    private Task<(int ExitCode, string Output, string Errors)> InDeletedFolderAsync(string arguments)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows does not delete the current folder of a process.");
        return BenchmarkProcess.RunThroughAsync(
            ["sh", "-c", $"mkdir '{PathOf("gone")}' && cd '{PathOf("gone")}' && rmdir '{PathOf("gone")}' && exec \"$@\"", "sh"], arguments.Split(' '));
    }
}
