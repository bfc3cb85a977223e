namespace NetCoreNetworkBenchmark.Tests.Hosts;

[Collection(nameof(HostNetwork))]
[Trait("Category", "Long")]
public sealed class HostNetworkTests
{
    private static readonly string[] s_ssh = ["ssh", "-o", "BatchMode=yes", "-o", "ServerAliveInterval=1", "-o", "ServerAliveCountMax=2"];

    [Fact]
    public async Task A_command_over_ssh_has_the_name_and_only_the_address_of_its_host()
    {
        await using HostNetwork network = await HostNetwork.StartAsync(3);
        Assert.Equal(["host-a", "host-b", "host-c"], network.Hosts);
        foreach (string host in network.Hosts)
        {
            (int exitCode, string output, string errors) = await network.CommandAsync(
                HostNetwork.Coordinator, [.. s_ssh, host, "hostname; ip -4 -o address; ip route show default; command -v dotnet"]);
            Assert.True(exitCode == 0, errors);
            string[] lines = output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
            Assert.Equal(4, lines.Length);
            Assert.Equal(host, lines[0]);
            Assert.Contains(" 127.0.0.1/8 ", lines[1], StringComparison.Ordinal);
            Assert.Contains($" {network.AddressOf(host)}/24 ", lines[2], StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task This_program_runs_on_the_coordinator()
    {
        await using HostNetwork network = await HostNetwork.StartAsync(1);
        (int exitCode, string output, string errors) = await network.RunAsync("--version");
        Assert.True(exitCode == 0, errors);
        Assert.NotEmpty(output);
        using BenchmarkProcess process = network.Start("--agent");
        await Wait.UntilAsync(async () => (await network.AgentsOfAsync(HostNetwork.Coordinator)).SequenceEqual([process.Id]), "the agent on the coordinator");
        Assert.Empty(await network.AgentsOfAsync("host-a"));
        process.CloseInput();
        Assert.Equal(1, (await process.EndAsync()).ExitCode);
    }

    [Fact]
    public async Task A_cut_link_ends_a_session_and_a_restored_one_takes_new_ones() => Assert.InRange(await CutLinkAsync(), 1, double.MaxValue);

    [Fact]
    [Trait("Category", "Timing")]
    public async Task A_cut_link_ends_a_session_within_seconds() => Assert.InRange(await CutLinkAsync(), 1, 5);

    [Fact]
    public async Task A_session_ends_with_the_process_that_is_killed()
    {
        await using HostNetwork network = await HostNetwork.StartAsync(1);
        Task<(int ExitCode, string Output, string Errors)> session = network.CommandAsync(HostNetwork.Coordinator, [.. s_ssh, "host-a", "exec sleep 50"]);
        await BenchmarkProcess.SignalAsync("KILL", (await ProcessAsync(network, "host-a", "sleep")).Id);
        Assert.NotEqual(0, (await session).ExitCode);
    }

    [Fact]
    public async Task An_unknown_key_and_a_stopped_server_are_refused()
    {
        await using HostNetwork network = await HostNetwork.StartAsync(2);
        await network.ForgetKeyAsync("host-a");
        await network.StopSshAsync("host-b");
        (int exitCode, _, string errors) = await network.CommandAsync(HostNetwork.Coordinator, [.. s_ssh, "host-a", "true"]);
        Assert.Equal(255, exitCode);
        Assert.Contains("Host key verification failed.", errors, StringComparison.Ordinal);
        (exitCode, _, errors) = await network.CommandAsync(HostNetwork.Coordinator, [.. s_ssh, "host-b", "true"]);
        Assert.Equal(255, exitCode);
        Assert.Contains("Connection refused", errors, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Category", "Leak")]
    public async Task Nothing_is_left_after_the_end()
    {
        HostNetwork network = await HostNetwork.StartAsync(2);
        Task<(int ExitCode, string Output, string Errors)> session = network.CommandAsync(HostNetwork.Coordinator, [.. s_ssh, "host-a", "nohup sleep 50"]);
        HostProcess sleep = await ProcessAsync(network, "host-a", "sleep");
        Assert.Equal(3, network.Namespaces.Length);
        int[] processes = [.. await network.NamespaceOf("host-a").ProcessesAsync(), .. await network.NamespaceOf(HostNetwork.Coordinator).ProcessesAsync()];
        Assert.Contains(sleep.Id, processes);
        await network.DisposeAsync();
        await session;
        Assert.Empty(network.Namespaces);
        Assert.False(Directory.Exists(network.Folder));
        string mounts = await File.ReadAllTextAsync("/proc/self/mountinfo", TestContext.Current.CancellationToken);
        Assert.DoesNotContain(network.Folder, mounts, StringComparison.Ordinal);
        await Wait.UntilAsync(() => !processes.Any(process => Directory.Exists($"/proc/{process}")), "the ends of all processes");
    }

    [Fact]
    public async Task Slurm_runs_a_command_on_the_named_node()
    {
        await using SlurmCluster cluster = await SlurmCluster.StartAsync(3);
        (int exitCode, string output, string errors) = await cluster.AllocatedAsync(
            "sh", "-c", "for host in host-c host-a host-b; do srun -Q -N1 -n1 -K1 --overlap -w $host sh -c 'hostname; echo $SLURM_STEP_ID'; done");
        Assert.True(exitCode == 0, errors);
        Assert.Equal("host-c 0 host-a 1 host-b 2", string.Join(' ', output.Split('\n', StringSplitOptions.RemoveEmptyEntries)));
    }

    [Fact]
    public async Task This_program_runs_in_an_allocation()
    {
        await using SlurmCluster cluster = await SlurmCluster.StartAsync(1);
        (int exitCode, string output, string errors) = await cluster.RunAsync("--version");
        Assert.True(exitCode == 0, errors);
        Assert.NotEmpty(output);
    }

    // The seconds from the cut to the end of a session.
    private static async Task<double> CutLinkAsync()
    {
        await using HostNetwork network = await HostNetwork.StartAsync(2);
        Task<(int ExitCode, string Output, string Errors)> session = network.CommandAsync(HostNetwork.Coordinator, [.. s_ssh, "host-a", "sleep 50"]);
        HostProcess sleep = await ProcessAsync(network, "host-a", "sleep");
        var time = Stopwatch.StartNew();
        await network.CutLinkAsync("host-a");
        Assert.Equal(255, (await session).ExitCode);
        double seconds = time.Elapsed.TotalSeconds;
        Assert.Equal(0, (await network.CommandAsync(HostNetwork.Coordinator, [.. s_ssh, "host-b", "true"])).ExitCode);
        await network.RestoreLinkAsync("host-a");
        Assert.Equal(0, (await network.CommandAsync(HostNetwork.Coordinator, [.. s_ssh, "host-a", $"kill {sleep.Id}"])).ExitCode);
        return seconds;
    }

    private static async Task<HostProcess> ProcessAsync(HostNetwork network, string host, string program)
    {
        HostProcess? match = null;
        await Wait.UntilAsync(
            async () => (match = (await network.ProcessesOfAsync(host)).FirstOrDefault(process => process.Arguments.FirstOrDefault() == program)) is not null,
            $"{program} on {host}");
        return match!;
    }
}
