using NetCoreNetworkBenchmark.Libraries.Nginx;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The programs that this one starts: a terminal does not end them, and the end of this program does.</summary>
[Trait("Category", "Long")]
public sealed class ForeignProgramTests : InTemporaryFolder
{
    private const string Load = "-t Handshake -c 5 -P Ssl --key P256 -p 0 --warmup 0.1 -d 60 --any-machine --verbose --json";

    [Fact]
    public async Task Nginx_lives_until_the_end_of_a_run_when_the_whole_process_group_is_interrupted()
    {
        RequireNginx();
        using BenchmarkProcess run = StartInGroup($"-l nginx {Load} {StreamRun.TwoProcesses}");
        await run.MeasuringAsync();
        await run.InterruptGroupAsync();
        (int code, string output, string errors) = await run.EndAsync();
        Assert.True(code == 1, errors + output);
        RunResult result = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
        Assert.Equal((true, 0, 0), (result.Clients.Aborted, result.Errors, result.Lost));
        Assert.Single(result.InvalidReasons);
    }

    [Theory, InlineData(""), InlineData(StreamRun.TwoProcesses)]
    public async Task Nothing_of_nginx_is_left_when_the_coordinator_is_killed(string processes)
    {
        RequireNginx();
        using BenchmarkProcess run = StartInGroup($"-l nginx {Load} {processes}");
        await run.MeasuringAsync();
        int[] servers = ProcessesNaming(Folder.FullName);
        Assert.NotEmpty(servers);
        int[] all = [.. servers, .. servers.SelectMany(BenchmarkProcess.ChildrenOf)];
        try
        {
            await BenchmarkProcess.SignalAsync("KILL", run.Id);
            await Wait.UntilAsync(() => all.All(process => CommandLineOf(process).Length == 0), "the ends of all processes");
            Assert.Empty(Folder.GetFileSystemInfos("*nginx*"));
        }
        finally
        {
            await Task.WhenAll(servers.Select(server => BenchmarkProcess.SignalAsync("TERM", server)));
        }
    }

    [Fact]
    public async Task A_result_over_ssh_is_kept_when_the_whole_process_group_is_interrupted()
    {
        await using HostNetwork network = await HostNetwork.StartAsync(2);
        using var run = BenchmarkProcess.StartThrough(
            [.. network.OnCoordinator, "setsid"],
            HostRun.Words("-l Sockets -c 4 --warmup 0.1 -d 60 -p 0 --server-host host-a --client-hosts host-b --any-machine --verbose --json"));
        await run.MeasuringAsync();
        await run.InterruptGroupAsync();
        (int code, string output, string errors) = await run.EndAsync();
        Assert.True(code == 1 && output.Length > 0, errors);
        RunResult result = HostRun.ResultOf(output);
        Assert.Equal((true, 0), (result.Clients.Aborted, result.Errors));
        Assert.Single(result.InvalidReasons);
        Assert.NotNull(result.Hosts!.Server);
    }

    [Fact]
    public async Task Start_gives_a_program_a_session_of_its_own_and_keeps_its_arguments_output_and_exit_code()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Sessions are read from Linux's /proc.");
        var start = new ProcessStartInfo("sh", ["-c", "cut -d ' ' -f 1,6 /proc/$$/stat; echo \"$1\"; exit 7", "sh", "it's \"one\""])
        {
            RedirectStandardOutput = true,
        };
        using Process process = ChildProcess.Start(start);
        string output = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.Equal($"{process.Id} {process.Id}\nit's \"one\"\n", output);
        Assert.Equal(7, process.ExitCode);
    }

    private static void RequireNginx() => Assert.SkipWhen(NginxBenchmark.FindProgram() is null, "nginx is not installed on this machine.");

    // A process with a session of its own leads a process group, which has all that it starts, as behind a terminal.
    private BenchmarkProcess StartInGroup(string arguments) =>
        BenchmarkProcess.StartThrough(["env", $"TMPDIR={Folder.FullName}", "setsid"], HostRun.Words(arguments));

    // The title of the first process of nginx ends with its command line.
    private static int[] ProcessesNaming(string text) =>
        [.. Processes().Where(process => CommandLineOf(process).StartsWith("nginx", StringComparison.Ordinal)
            && CommandLineOf(process).Contains(text, StringComparison.Ordinal))];

    private static IEnumerable<int> Processes() =>
        from folder in Directory.GetDirectories("/proc")
        let id = int.TryParse(Path.GetFileName(folder), CultureInfo.InvariantCulture, out int number) ? number : 0
        where id > 0
        select id;

    // Empty if it has ended since the list was made.
    private static string CommandLineOf(int process) => Encoding.UTF8.GetString(SystemFiles.ReadBytes($"/proc/{process}/cmdline"));
}
