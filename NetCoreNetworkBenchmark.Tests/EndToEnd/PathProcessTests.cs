using Microsoft.Win32.SafeHandles;
using NetCoreNetworkBenchmark.Running.Paths;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The processes of runs over a path, as root and as a user without rights.</summary>
[Collection(nameof(HostNetwork))]
[Trait("Category", "Long")]
public sealed class PathProcessTests : InTemporaryFolder
{
    private const string Paced = "-l Sockets -P Tcp -c 2 --rate 100 --warmup 0.1 -p 0 --delay 5ms --loss 5% --any-machine --json";

    [Theory, InlineData(false), InlineData(true), Trait("Category", "Leak")]
    public async Task A_killed_coordinator_leaves_no_process_namespace_or_device(bool isUser)
    {
        using BenchmarkProcess run = await StartAsync(isUser, "-l Sockets -P Tcp --loss 1% -c 2 --warmup 0.1 -d 30 -p 0 --any-machine --verbose");
        int[] agents = await run.MeasuringChildrenAsync(2);
        string[] namespaces = NamespacesOf(agents);
        SafeFileHandle[] handles = [.. agents.Select(agent => File.OpenHandle($"/proc/{agent}/ns/net"))];
        Assert.All(await DevicesInAsync(handles), devices => Assert.Contains(": path: ", devices, StringComparison.Ordinal));
        await BenchmarkProcess.SignalAsync("KILL", run.Id);
        await run.EndAsync();
        await EndAsync(agents);
        Assert.All(await DevicesInAsync(handles), devices => Assert.StartsWith("1: lo: ", Assert.Single(devices.Trim().Split('\n'))));
        Array.ForEach(handles, handle => handle.Dispose());
        await AssertEndedAsync(namespaces);
    }

    [Fact, Trait("Category", "Leak")]
    public async Task An_interrupted_benchmark_leaves_no_process_or_namespace()
    {
        using BenchmarkProcess run = await StartAsync(
            isUser: false, $"-b=networks --launches 1 --benchmark-duration 0.5 --any-machine --verbose -o {Folder.FullName}");
        await run.MeasuringAsync();
        int[] agents = run.Children();
        string[] namespaces = NamespacesOf(agents);
        await run.InterruptedAsync();
        await EndAsync(agents);
        await AssertEndedAsync(namespaces);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_run_has_a_path_beside_another_run_over_one(bool isUser)
    {
        using BenchmarkProcess first = await StartAsync(isUser, $"{Paced} -d 5 --verbose");
        await first.MeasuringAsync();
        using BenchmarkProcess second = await StartAsync(isUser, $"{Paced} -d 0.5");
        Assert.All(
            [BenchmarkProcess.AnyResultOf(await second.EndAsync()), BenchmarkProcess.AnyResultOf(await first.EndAsync())],
            result =>
            {
                Assert.Equal((0, NamespacePath.ServerAddress), (result.Totals.Lost, result.Address));
                Assert.InRange(result.Relay!.Counts.ToServer.Received, 10, long.MaxValue);
            });
    }

    [Fact]
    public async Task A_run_as_root_without_the_right_to_create_namespaces_fails_with_the_reason()
    {
        LossTests.Require();
        Assert.SkipUnless(SystemProgram.Find("setpriv") is not null, "The program setpriv is not installed.");
        (int exitCode, _, string errors) = await BenchmarkProcess.RunThroughAsync(["setpriv", "--bounding-set=-sys_admin"], $"{Paced} -d 0.5".Split(' '));
        Assert.Equal(1, exitCode);
        Assert.Equal(
            ["Error: A network namespace could not be created: unshare failed: Operation not permitted."], BenchmarkProcess.WithoutWarnings(errors));
    }

    private async Task<BenchmarkProcess> StartAsync(bool isUser, string arguments)
    {
        LossTests.Require();
        string[] launcher = ["env"];
        if (isUser)
        {
            Assert.SkipUnless(SystemProgram.Find("setpriv") is not null, "The program setpriv is not installed.");
            string[] user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
            (int allowed, _, _) = await SystemCommand.RunAsync([.. user, "unshare", "--user", "--map-root-user", "--net", "true"]);
            Assert.SkipUnless(allowed == 0, "This system allows no user namespaces.");

            // The user has no folder of its own, and the runtime wants one.
            launcher = [.. user, "env", $"HOME={Folder.FullName}"];
        }

        return BenchmarkProcess.StartThrough(launcher, arguments.Split(' '));
    }

    private static string[] NamespacesOf(int[] agents)
    {
        IEnumerable<string?> targets = agents.Select(agent => new FileInfo($"/proc/{agent}/ns/net").LinkTarget);
        string[] others = [.. targets.Except([new FileInfo("/proc/self/ns/net").LinkTarget]).OfType<string>()];
        Assert.Equal(2, others.Length);
        return others;
    }

    private static async Task<string[]> DevicesInAsync(SafeFileHandle[] namespaces)
    {
        string[] devices = new string[namespaces.Length];
        foreach ((int index, SafeFileHandle space) in namespaces.Index())
        {
            string file = $"--net=/proc/{Environment.ProcessId}/fd/{space.DangerousGetHandle()}";
            (_, devices[index], _) = await SystemCommand.RunAsync("nsenter", file, "ip", "-oneline", "link");
        }

        return devices;
    }

    private static Task EndAsync(int[] agents) =>
        Wait.UntilAsync(() => !agents.Any(agent => Directory.Exists($"/proc/{agent}")), "the ends of server and clients");

    // A namespace lives by a process or thread in it, a descriptor or a mount (namespaces(7)). A process may end during the search, and the number of a
    // namespace that has ended may be that of another test's, which ends too.
    private static Task AssertEndedAsync(string[] namespaces) => Wait.UntilAsync(
        async () =>
        {
            (_, string holders, _) = await SystemCommand.RunAsync(
                "sh", "-c", "readlink /proc/[0-9]*/task/*/ns/net /proc/[0-9]*/fd/*; cat /proc/[0-9]*/mountinfo");
            Assert.Contains("net:[", holders, StringComparison.Ordinal);
            return !namespaces.Any(space => holders.Contains(space, StringComparison.Ordinal));
        },
        "the ends of the namespaces");
}
