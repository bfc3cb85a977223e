namespace NetCoreNetworkBenchmark.Tests.FirstErrors;

/// <summary>Limits of the machine are reported by their name and value, with the remedy.</summary>
public sealed class ShortageTests
{
    private const string Brief = "-p 0 --warmup 0.05 -d 0.1 --any-machine --json";
    private const string Remedy = "get more with \"sysctl -w net.ipv4.ip_local_port_range='1024 65535'\"";

    // The ports of a network namespace are its own.
    private const string FewPorts = "ip link set lo up && echo 40000 40200 >/proc/sys/net/ipv4/ip_local_port_range && exec \"$@\"";

    [Theory, InlineData("-l Sockets -P Tcp"), InlineData("-l Sockets -P Udp", Traits = ["Category", "Long"])]
    public async Task Too_few_ports_are_reported_before_the_run(string arguments)
    {
        (int exitCode, string output, string errors) = await RunWithFewPortsAsync($"{arguments} -c 500 {Brief}");
        Assert.Equal((2, string.Empty), (exitCode, output));
        Assert.Equal(
            $"Error: --clients: 500 clients need 500 local ports, and this system has 201 for clients of one address; {Remedy} or use at most 201 clients.",
            Assert.Single(BenchmarkProcess.WithoutWarnings(errors)));
    }

    // The server itself has one of the 201.
    [Theory, InlineData("-l Sockets -P Tcp"), InlineData("-l Sockets -P Udp"), InlineData("-l Epoll -P Tcp"), Trait("Category", "Long")]
    public async Task A_client_for_which_no_port_is_left_reports_how_many_there_are(string arguments)
    {
        (int exitCode, string output, string errors) = await RunWithFewPortsAsync($"{arguments} -c 201 {Brief}");
        Assert.Equal((1, string.Empty), (exitCode, output));
        Assert.Matches(
            "^Error: (A client could not connect|The clients could not connect to 127.0.0.1:[0-9]+): " +
                $"no local port is left for a connection to 127.0.0.1:[0-9]+; this system has 201 for clients of one address, {Remedy}",
            Assert.Single(BenchmarkProcess.WithoutWarnings(errors)));
    }

    [Theory]
    [InlineData("-l Sockets -P Tcp -c 2 -m 1000000 -s 1000000")]
    [InlineData("-l Epoll -P Tcp -c 1000 -m 1000 -s 33554432", Traits = ["Category", "Long"])]
    public async Task Messages_that_do_not_fit_into_the_memory_are_refused_before_the_run(string arguments)
    {
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync($"{arguments} {Brief}");
        Assert.Equal((2, string.Empty), (exitCode, output));
        Assert.Matches(
            "^Error: --messages: .* need at least [0-9,.]+ GiB of memory, and half of the memory of this machine or control group is [0-9.]+ GiB; ",
            Assert.Single(BenchmarkProcess.WithoutWarnings(errors)));
    }

    // Without the check, the first is aborted by the runtime, and in the second a child process.
    [Theory]
    [InlineData(16, "", "This process needs about 20 threads in all its processes")]
    [InlineData(60, "--launches 2", "This run needs about [0-9]+ threads in all its processes")]
    public async Task Too_few_threads_are_reported_before_the_run(int max, string arguments, string need)
    {
        using TestGroup group = TestGroup.WithThreads(max);
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunThroughAsync(
            group.Launcher, HostRun.Words($"-l Sockets -c 2 {arguments} {Brief}"));
        Assert.Equal((2, string.Empty), (exitCode, output));
        Assert.Matches(
            $"^Error: {need}, and its control group \\(pids.max of {group.Folder}\\) allows {max} threads, of which [0-9]+ are in use; raise it, ",
            Assert.Single(BenchmarkProcess.WithoutWarnings(errors)));
    }

    [Theory]
    [InlineData("32768\t60999", "", 28_232)]
    [InlineData("40000 40200", "40000,40010-40019,50000", 190)]
    [InlineData("40000 40200", "30000-40009,40200-50000", 190)]
    [InlineData("", "", 65_536)]
    public void CountOf_leaves_out_reserved_ports(string range, string reserved, int count) => Assert.Equal(count, LocalPorts.CountOf(range, reserved));

    private static async Task<(int ExitCode, string Output, string Errors)> RunWithFewPortsAsync(string arguments)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has network namespaces.");
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "Only root can make a network namespace.");
        Assert.SkipWhen(SystemProgram.Find("ip") is null || SystemProgram.Find("unshare") is null, "The programs ip and unshare are not installed.");
        string[] launcher = ["unshare", "--net", "sh", "-c", FewPorts, "sh"];
        (int exitCode, _, string errors) = await SystemCommand.RunAsync([.. launcher, "true"]);
        Assert.SkipWhen(exitCode != 0, $"A network namespace is not possible here: {errors.Trim()}.");
        return await BenchmarkProcess.RunThroughAsync(launcher, HostRun.Words(arguments));
    }
}
