using static NetCoreNetworkBenchmark.Tests.Hosts.HostRun;

namespace NetCoreNetworkBenchmark.Tests.Hosts;

/// <summary>What fails on a host has a name within seconds, what the others measured is kept, and nothing stays behind.</summary>
[Collection(nameof(HostNetwork))]
[Trait("Category", "Long")]
public sealed class HostFaultTests
{
    // A busy machine only adds to the time, so it is the shortest of a few attempts.
    private const int Attempts = 4;
    private static readonly TimeSpan s_named = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(60);

    private const string Server = "host-a";
    private const string Load = $"-l Epoll -P Tcp -c 20 --rate 2000 --warmup 0.1 -d 60 -p 0 {ThreeHosts} --any-machine --verbose --json";

    private static readonly Dictionary<string, Func<Task<TimeSpan>>> s_faults = new()
    {
        ["killed agent"] = KillAgentAsync,
        ["frozen host"] = FreezeHostAsync,
        ["frozen server"] = FreezeServerAsync,
        ["cut link"] = CutLinkAsync,
        ["killed server"] = KillServerAsync,
        ["refused ssh"] = RefuseSshAsync,
        ["unknown key"] = ForgetKeyAsync,
        ["another version"] = ChangeVersionAsync,
    };

    public static TheoryData<string> Faults => [.. s_faults.Keys];

    [Theory, MemberData(nameof(Faults))]
    public Task Fault_of_a_host_is_named_and_the_figures_of_the_others_are_kept(string fault) => s_faults[fault]();

    [Fact]
    public async Task A_killed_task_of_Slurm_is_named_and_the_figures_of_the_others_are_kept()
    {
        await using SlurmCluster cluster = await SlurmCluster.StartAsync(3);
        using BenchmarkProcess run = cluster.Start(Words($"{Load} --launcher slurm"));
        await run.MeasuringAsync();
        await BenchmarkProcess.SignalAsync("KILL", (await cluster.Network.AgentsOfAsync("host-c"))[^1]);
        AssertKept(await EndsAsync(run), "host-c", "The clients' process on host-c");
        await AssertNothingLeftAsync(cluster.Network);
    }

    [Theory, Trait("Category", "Timing"), MemberData(nameof(Faults))]
    public async Task Fault_of_a_host_is_named_within_seconds(string fault)
    {
        TimeSpan shortest = TimeSpan.MaxValue;
        for (int number = 0; number < Attempts && shortest > s_named; number++)
        {
            TimeSpan time = await s_faults[fault]();
            shortest = time < shortest ? time : shortest;
        }

        Assert.InRange(shortest, TimeSpan.Zero, s_named);
    }

    [Fact, Trait("Category", "Timing")]
    public async Task A_host_with_a_slower_processor_voids_the_run_by_name()
    {
        await using HostNetwork network = await HostNetwork.StartAsync(3, asMachines: true);
        using BenchmarkProcess run = network.Start(Words($"-l Sockets -c 20 -d 4 -p 0 {ThreeHosts} --any-machine --verbose --json"));
        await run.MeasuringAsync();
        int agent = Assert.Single(await network.AgentsOfAsync("host-c"));
        using var slow = new CancellationTokenSource();
        Task slowing = SlowDownAsync(agent, slow.Token);
        (int exitCode, string output, string errors) = await run.EndAsync();
        await slow.CancelAsync();
        await slowing;
        Assert.Equal(1, exitCode);
        Assert.Contains(
            ResultOf(output).InvalidReasons,
            reason => reason.StartsWith("The clients on host-c were 50.0 % of the clients and had ", StringComparison.Ordinal));
        Assert.Contains("host-c", errors, StringComparison.Ordinal);
    }

    private static Task<TimeSpan> KillAgentAsync() => BreaksAsync(
        async network => await BenchmarkProcess.SignalAsync("KILL", Assert.Single(await network.AgentsOfAsync("host-c"))),
        "host-c",
        "The clients' process on host-c failed with exit code");

    private static Task<TimeSpan> FreezeHostAsync() => BreaksAsync(
        async network => await BenchmarkProcess.SignalAsync("STOP", Assert.Single(await network.AgentsOfAsync("host-c"))),
        "host-c",
        "The clients' process on host-c has sent nothing for 3 s.");

    private static Task<TimeSpan> FreezeServerAsync() => BreaksAsync(
        async network => await BenchmarkProcess.SignalAsync("STOP", Assert.Single(await network.AgentsOfAsync(Server))),
        Server,
        "The server's process on host-a has sent nothing for 3 s.");

    private static Task<TimeSpan> CutLinkAsync() => BreaksAsync(
        network => network.CutLinkAsync("host-c"),
        "host-c",
        "The clients' process on host-c has sent nothing for 3 s.",
        "The clients' process on host-c failed with exit code 255");

    private static Task<TimeSpan> KillServerAsync() => BreaksAsync(
        async network => await BenchmarkProcess.SignalAsync("KILL", Assert.Single(await network.AgentsOfAsync(Server))),
        Server,
        "The server's process on host-a failed with exit code",
        "The run failed");

    private static async Task<TimeSpan> RefuseSshAsync()
    {
        await using HostNetwork network = await HostNetwork.StartAsync(3);
        await network.StopSshAsync("host-c");
        return await FailsAsync(network, "Error: The host 'host-c' cannot be reached (ssh: connect to host 10.199.0.13 port 22: Connection refused)");
    }

    private static async Task<TimeSpan> ForgetKeyAsync()
    {
        await using HostNetwork network = await HostNetwork.StartAsync(3);
        await network.ForgetKeyAsync("host-b");
        return await FailsAsync(network, "Error: The host 'host-b' cannot be reached (Host key verification failed)");
    }

    private static async Task<TimeSpan> ChangeVersionAsync()
    {
        await using HostNetwork network = await HostNetwork.StartAsync(3);
        string other = await CopyWithOtherVersionAsync(network.Folder);
        HostProcess[] processes = await network.ProcessesOfAsync("host-c");
        foreach (HostProcess server in processes.Where(process => process.Arguments[0].Contains("sshd", StringComparison.Ordinal)))
        {
            // The host has another build at the same path.
            await SystemCommand.RequireAsync("nsenter", $"--mount=/proc/{server.Id}/ns/mnt", "mount", "--bind", other, AppContext.BaseDirectory);
        }

        return await FailsAsync(network, "Error: On host-c: The coordinator's protocol is ");
    }

    // Each returns the time until the fault had its name.
    private static async Task<TimeSpan> BreaksAsync(Func<HostNetwork, Task> harm, string lost, params string[] names)
    {
        await using HostNetwork network = await HostNetwork.StartAsync(3);
        using BenchmarkProcess run = network.Start(Words(Load));
        await run.MeasuringAsync();
        var time = Stopwatch.StartNew();
        await harm(network);
        (int, string, string) end = await EndsAsync(run);
        TimeSpan named = time.Elapsed;
        AssertKept(end, lost, names);
        await AssertNothingLeftAsync(network);
        return named;
    }

    private static void AssertKept((int ExitCode, string Output, string Errors) end, string lost, params string[] names)
    {
        Assert.Equal(1, end.ExitCode);
        Assert.True(end.Output.Length > 0, end.Errors);
        RunResult result = ResultOf(end.Output);
        Assert.True(result.Clients.Aborted);
        Assert.False(result.Valid);
        Assert.True(names.Any(name => result.InvalidReasons[0].StartsWith(name, StringComparison.Ordinal)), result.InvalidReasons[0]);
        Assert.InRange(result.Messages.ClientReceived, lost == Server ? 0 : 1, long.MaxValue);

        // Every host that lives is kept, and every other one is named.
        HostsResult hosts = result.Hosts!;
        string[] missing = [.. (hosts.Missing ?? []).Select(host => host.Host)];
        Assert.Equal([lost], missing);
        Assert.Equal(lost == Server ? null : Server, hosts.Server?.Host);
        Assert.Equal(lost == Server ? ["host-b", "host-c"] : ["host-b"], hosts.Clients.Select(host => host.Host));
        Assert.All(hosts.Clients, host => Assert.Equal(0.5, host.DueShare));
        Assert.All(hosts.Clients, host => Assert.Equal(lost == Server, host.Share.HasValue));
        Assert.Equal(ServerKind.Own, result.ServerKind);
    }

    private static async Task<(int ExitCode, string Output, string Errors)> EndsAsync(BenchmarkProcess run) => await run.EndAsync().WaitAsync(s_deadline);

    private static async Task<TimeSpan> FailsAsync(HostNetwork network, string sentence)
    {
        var time = Stopwatch.StartNew();
        (int exitCode, string output, string errors) = await network.RunAsync(Words(Load.Replace("--verbose ", string.Empty, StringComparison.Ordinal)));
        TimeSpan named = time.Elapsed;
        Assert.Equal(1, exitCode);
        Assert.Empty(output);
        Assert.Contains(sentence, errors, StringComparison.Ordinal);
        await AssertNothingLeftAsync(network);
        return named;
    }

    private static async Task AssertNothingLeftAsync(HostNetwork network)
    {
        foreach (string host in network.Hosts)
        {
            await Wait.UntilAsync(async () => (await network.AgentsOfAsync(host)).Length == 0, $"no agent on {host}");
        }
    }

    // Runs in four fifths of the time not at all, as on a processor with a fifth of the speed.
    private static async Task SlowDownAsync(int process, CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested && Directory.Exists($"/proc/{process}"))
        {
            await BenchmarkProcess.SignalAsync("STOP", process);
            await Task.Delay(TimeSpan.FromMilliseconds(80), CancellationToken.None);
            await BenchmarkProcess.SignalAsync("CONT", process);
            await Task.Delay(TimeSpan.FromMilliseconds(20), CancellationToken.None);
        }
    }

    // The name of a frame's property, and the identity of the build, are in the assembly, and are replaced by others of the same length.
    private static async Task<string> CopyWithOtherVersionAsync(string folder)
    {
        string copy = Path.Combine(folder, "other-version");
        await SystemCommand.RequireAsync("cp", "-r", AppContext.BaseDirectory, copy);
        string assembly = Path.Combine(copy, "NetCoreNetworkBenchmark.dll");
        byte[] bytes = await File.ReadAllBytesAsync(assembly);
        byte[] name = System.Text.Encoding.Unicode.GetBytes(nameof(ResultFrame.ClockStep));
        int at = bytes.AsSpan().IndexOf((byte[])[(byte)(name.Length + 1), .. name]);
        Assert.InRange(at, 1, bytes.Length);
        bytes[at + 1] = (byte)'S';
        int build = bytes.AsSpan().IndexOf(typeof(HelloFrame).Module.ModuleVersionId.ToByteArray());
        Assert.InRange(build, 1, bytes.Length);
        bytes[build]++;
        await File.WriteAllBytesAsync(assembly, bytes);
        return copy;
    }
}
