namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

public sealed class RoleTests
{
    private const string Load = "-c 10 -m 2 --warmup 0.1 --any-machine";
    private const double MinShare = 0.6;
    private const double MaxShare = 1.1;

    [Theory, InlineData("INT"), InlineData("TERM"), Trait("Category", "Long")]
    public async Task Server_serves_two_client_processes_and_prints_its_cost_at_its_end(string signal)
    {
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync("-l Sockets -c 20 --json");
        string client = $"--role Client -l Sockets {Load} -d 0.2 --json -p {server.Port}";
        (int ExitCode, string Output, string Errors)[] clients = await Task.WhenAll(
            BenchmarkProcess.RunLineAsync(client), BenchmarkProcess.RunLineAsync(client));
        RunResult[] results = [.. clients.Select(run => JsonSerializer.Deserialize(run.Output, ResultJson.Readable.RunResult)!)];
        const string Note = "Note: The server's cost was not measured here, because the server was started separately. " +
            "A server of this program (--role Server) prints its cost when it ends; --server-host and --client-hosts measure both sides.";
        Assert.All(clients, run => Assert.Equal((0, Note), (run.ExitCode, string.Concat(BenchmarkProcess.WithoutWarnings(run.Errors)))));
        Assert.All(results, result => Assert.Equal((ServerKind.Separate, null), (result.ServerKind, result.Costs.Server)));
        Assert.All(results, result => Assert.EndsWith(" --role Client", result.Command, StringComparison.Ordinal));
        ServerResult served = await server.StopServerAsync(signal);
        Assert.Empty(served.Server.Errors);
        Assert.Equal(results.Sum(result => result.Totals.Sent), served.Server.Received);
        Assert.InRange(served.Server.Cost!.CpuMicrosecondsPerMessage!.Value, double.Epsilon, double.MaxValue);
    }

    [Theory, InlineData("udp"), InlineData("tcp")]
    public async Task Server_listens_on_its_port_alone_and_prints_its_cost_without_clients(string protocol)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The sockets of a process are read from Linux's /proc.");
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync($"-l Sockets -P {protocol} -c 2");
        Assert.Equal([$"{protocol} {server.Port}"], SocketsOf(server.Id));
        string output = await server.StopAsync();
        Assert.StartsWith("### PingPong server: Sockets (v ", output, StringComparison.Ordinal);
        Assert.Contains("Messages server received: 0\n", output, StringComparison.Ordinal);
        Assert.Contains("Errors: 0\n", output, StringComparison.Ordinal);
    }

    [Fact, Trait("Category", "Long")]
    public async Task Server_that_the_system_refuses_to_send_a_datagram_to_itself_ends_in_order()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess, "Only root can make a network namespace and change it (Linux).");
        using BenchmarkProcess server = BenchmarkProcess.StartThrough(
            ["unshare", "-n", "sh", "-c", "ip link set lo up && exec \"$@\"", "sh"], "--role Server -l Sockets -p 0 -c 2".Split(' '));
        await server.ListensAsync();
        await SystemCommand.RequireAsync("nsenter", "-t", $"{server.Id}", "-n", "ip", "link", "set", "lo", "down");
        Assert.Contains("Errors: 0\n", await server.StopAsync(), StringComparison.Ordinal);
    }

    [Theory, InlineData("Sockets"), InlineData("ENet"), Trait("Category", "Long"), Trait("Category", "Timing")]
    public async Task A_servers_CPU_time_is_what_the_system_counts_for_its_process(string library)
    {
        LibraryUnderTest.Create(library);
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync($"-l {library} -c 10 --json");
        TimeSpan before = server.CpuTime;
        Assert.Equal(0, (await BenchmarkProcess.RunLineAsync($"--role Client -l {library} {Load} -p {server.Port} -d 4")).ExitCode);
        double cpuTime = (server.CpuTime - before).TotalSeconds;
        ServerResult served = await server.StopServerAsync("TERM");
        Assert.InRange(served.Server.Cost!.CpuSeconds / cpuTime, MinShare, MaxShare);
    }

    [Theory, InlineData("Sockets"), InlineData("ENet"), Trait("Category", "Long")]
    public async Task A_client_process_that_is_killed_disturbs_no_other(string library)
    {
        LibraryUnderTest.Create(library);
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync($"-l {library} -c 20 --json");
        using BenchmarkProcess killed = BenchmarkProcess.Start($"--role Client -l {library} {Load} -d 600 --verbose -p {server.Port}".Split(' '));
        await killed.MeasuringAsync();
        killed.Kill();
        Assert.Equal(0, (await ProgramInFolder.ResultAsync($"--role Client -l {library} {Load} -d 0.2 --json -p {server.Port}")).Errors);
        Assert.Empty((await server.StopServerAsync("TERM")).Server.Errors);
    }

    [Theory]
    [InlineData("-l Sockets -t Multicast", "-d 0.3 --warmup 0.1")]
    [InlineData("-l Sockets -P Tcp -t Multicast", "-d 0.3 --warmup 0.1")]
    [InlineData("-l Sockets -P Tcp -t Burst", "-d 0.3 --warmup 0.1 -m 2")]
    [InlineData("-l Sockets -t FixedCount --count 100", "-d 10 -m 2")]
    [InlineData("-l Epoll -P Tcp -t Handshake", "-d 0.3 --warmup 0.1")]
    [Trait("Category", "Long")]
    public async Task Every_test_runs_at_a_server_that_was_started_apart(string test, string load)
    {
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync($"{test} -c 10 --json");
        RunResult result = await ProgramInFolder.ResultAsync($"--role Client {test} -c 10 {load} --any-machine --json -p {server.Port}");
        Assert.InRange(result.Messages.ClientReceived, 1, long.MaxValue);
        ServerResult served = await server.StopServerAsync("TERM");
        Assert.Empty(served.Server.Errors);
        Assert.InRange(served.Server.Received!.Value, 1, long.MaxValue);
    }

    [Fact, Trait("Category", "Long")]
    public async Task Interrupted_clients_keep_the_figures_so_far()
    {
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync("-l Sockets -c 10 --json");
        using BenchmarkProcess clients = BenchmarkProcess.Start($"--role Client -l Sockets {Load} -d 600 --json --verbose -p {server.Port}".Split(' '));
        await clients.MeasuringAsync();
        (int exitCode, string output, _) = await clients.InterruptedAsync();
        RunResult result = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
        Assert.Equal((1, true, 0), (exitCode, result.Clients.Aborted, result.Errors));
        Assert.Empty((await server.StopServerAsync()).Server.Errors);
    }

    [Fact]
    public async Task Clients_at_a_port_that_refuses_say_how_to_start_a_server()
    {
        using var refusing = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        refusing.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        await ProgramInFolder.AssertFailsAsync(
            $"-l Sockets -P Tcp --role Client -p {((IPEndPoint)refusing.LocalEndPoint!).Port}",
            $"No server answers at {refusing.LocalEndPoint} (A client could not connect: {refusing.LocalEndPoint} cannot be reached: ConnectionRefused). " +
                "Start one there with --role Server --library Sockets and the same options.",
            exitCode: 1);
    }

    [Fact]
    public Task Client_role_is_refused_without_a_port() => ProgramInFolder.AssertFailsAsync(
        "-l Sockets --role Client -p 0", "--port: --role Client requires the port of the server, from 1 to 65,535.");

    // The protocol and the local port of each socket for the Internet (proc_pid_net(5)).
    private static string[] SocketsOf(int process)
    {
        string[] own = [.. LeakTests.Targets($"{process}")];
        return
        [
            .. from protocol in (string[])["tcp", "tcp6", "udp", "udp6"]
               from line in File.ReadLines($"/proc/{process}/net/{protocol}").Skip(1)
               let fields = line.Split(' ', StringSplitOptions.RemoveEmptyEntries)
               where own.Contains($"socket:[{fields[9]}]")
               select $"{protocol} {Convert.ToInt32(fields[1].Split(':')[1], 16)}",
        ];
    }
}
