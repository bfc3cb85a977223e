using NetCoreNetworkBenchmark.Libraries.Nginx;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Nginx;

public sealed class NginxTests : InTemporaryFolder
{
    private const string Load = "-t Handshake -c 5 --warmup 0.05 -d 0.2 --any-machine --json";

    [Theory]
    [InlineData("-P Tcp --size 4095", 1)]
    [InlineData("-P Ssl --tls 1.2", 2)]
    [InlineData("-P Ssl --key P256", 3)]
    [InlineData("-P Ssl --mutual-tls --key P256", 1)]
    [InlineData("-P Ssl --resumption ticket --key P256", 2)]
    [InlineData("-P Ssl --resumption session --tls 1.2 --key P256", 2)]
    [Trait("Category", "Long")]
    public async Task Its_workers_serve_and_their_CPU_time_is_the_servers(string arguments, int workers)
    {
        RequireNginx();
        RunResult run = await BenchmarkProcess.ResultAsync($"-l nginx -p 0 --server-threads {workers} {arguments} {Load} {StreamRun.TwoProcesses}");
        Assert.Equal((0, 0, "Epoll", workers), (run.Errors, run.Lost, run.ClientLibrary, run.Server?.Threads));
        Assert.Matches(@"^\d+\.\d+\.\d+$", run.LibraryVersion);
        Assert.Null(run.Messages.ServerReceived);
        Assert.Equal(run.Messages.ClientReceived, run.Costs.Server!.Messages);

        // The process that started it does nothing meanwhile. A connection costs some ten microseconds on any machine.
        Assert.InRange(run.Costs.Server.CpuSeconds / run.Costs.Server.Messages, 10e-6, double.MaxValue);
        Assert.InRange(run.Costs.Server.PeakThreads, workers + 1, int.MaxValue);
    }

    [Fact]
    public void Children_are_found_by_their_parent_without_a_list_of_the_kernel()
    {
        (string Id, string Stat)[] processes =
        [
            ("1", "1 (init) S 0 1"), ("20", "20 (nginx) S 1 20"), ("300", "300 (nginx: (a) worker) S 20 300"), ("31", "31 (nginx) S 20 31"), ("40", "40 (cut"),
            ("self", "20 (nginx) S 20 20"),
        ];
        Array.ForEach(processes, process => Write(Path.Combine(process.Id, "stat"), process.Stat));
        Directory.CreateDirectory(PathOf("50"));
        Assert.Equal([31, 300], NginxServer.Children(20, Folder.FullName));
        Assert.Empty(NginxServer.Children(31, Folder.FullName));
    }

    [Fact]
    public async Task A_missing_folder_for_temporary_files_is_named_with_the_remedy()
    {
        RequireNginx();
        string missing = PathOf("missing");
        (int code, _, string errors) = await BenchmarkProcess.RunWithAsync(
            new() { ["TMPDIR"] = missing }, ["-l", "nginx", "-P", "Ssl", "-p", "0", "--key", "P256", .. Load.Split(' ')]);
        Assert.Equal(1, code);
        Assert.Contains(
            $"The configuration of nginx cannot be written to '{missing}/', the folder for temporary files. Set TMPDIR to a folder that exists and that you " +
                "may write to.",
            errors,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task It_serves_over_IPv6()
    {
        RequireNginx();
        LibraryUnderTest.RequireIPv6Loopback();
        await ProgramInFolder.ResultAsync($"-l nginx -P Ssl --key P256 -a ::1 -p 0 {Load}");
    }

    [Fact, Trait("Category", "Long")]
    public async Task By_itself_it_shows_no_figures_of_messages_that_it_does_not_count()
    {
        RequireNginx();
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync("-l nginx -P Tcp -t Handshake");
        await ProgramInFolder.ResultAsync($"--role Client -l nginx -P Tcp -p {server.Port} {Load}");
        Assert.Matches(@"\| Server .*\| none counted \|", await server.StopAsync());
    }

    [Fact, Trait("Category", "Leak"), Trait("Category", "Long")]
    public async Task Nothing_of_it_is_left_after_the_run()
    {
        RequireNginx();
        var environment = new Dictionary<string, string?> { ["TMPDIR"] = Folder.FullName };

        // An address of its own, at which no other program is given the port when it is free again.
        const string Address = "127.83.0.2";
        (int code, string output, string errors) = await BenchmarkProcess.RunWithAsync(
            environment, $"-l nginx -P Ssl --key P256 -a {Address} -p 0 {Load}".Split(' '));
        Assert.True(code == 0, errors + output);
        RunResult run = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        Assert.Throws<SocketException>(() => socket.Connect(IPAddress.Parse(Address), run.Port));
        Assert.Empty(Folder.GetFileSystemInfos("*nginx*"));
    }

    [Fact, Trait("Category", "Long")]
    public async Task A_port_that_is_taken_ends_the_run_with_the_reason()
    {
        RequireNginx();
        using Socket taken = Setups.ListeningTcp();
        int port = ((IPEndPoint)taken.LocalEndPoint!).Port;
        var environment = new Dictionary<string, string?> { ["TMPDIR"] = Folder.FullName };
        (int code, string output, string errors) = await BenchmarkProcess.RunWithAsync(environment, $"-l nginx -P Tcp -p {port} {Load}".Split(' '));
        Assert.Equal((1, string.Empty), (code, output));
        Assert.Single(BenchmarkProcess.WithoutWarnings(errors)).AssertHas($"{port}");
        Assert.Empty(Folder.GetFileSystemInfos("*nginx*"));
    }

    // One that cannot be executed, such as for lack of a shared library, ends before it has a log.
    [Theory]
    [InlineData("echo 'nginx: [emerg] no such luck' >&2; exit 3", "3: nginx: [emerg] no such luck")]
    [InlineData("exit 127", "127: it printed no error")]
    [Trait("Category", "Long")]
    public async Task A_server_that_ends_at_once_is_reported_with_its_reason(string script, string reason)
    {
        RequireNginx();
        string program = PathOf("nginx");
        await File.WriteAllTextAsync(
            program, $"#!/bin/sh\n[ \"$1\" != -v ] || exec echo nginx version: nginx/1.22.1 >&2\necho started >>'{PathOf("starts")}'\n{script}\n",
            TestContext.Current.CancellationToken);
        await SystemCommand.RequireAsync("chmod", "+x", program);
        var environment = new Dictionary<string, string?>
        {
            ["TMPDIR"] = Folder.FullName,
            ["PATH"] = $"{Folder.FullName}:{Environment.GetEnvironmentVariable("PATH")}",
        };
        (int code, string output, string errors) = await BenchmarkProcess.RunWithAsync(environment, $"-l nginx -P Tcp -p 0 {Load}".Split(' '));
        Assert.Equal((1, string.Empty), (code, output));
        Assert.Equal($"Error: nginx ended at once with exit code {reason}", Assert.Single(BenchmarkProcess.WithoutWarnings(errors)));
        Assert.Single(await File.ReadAllLinesAsync(PathOf("starts"), TestContext.Current.CancellationToken));
        Assert.Empty(Folder.GetFileSystemInfos("*nginx-*"));
    }

    [Theory]
    [InlineData("-t RoundTrip", "--library: nginx answers HTTP requests only, so RoundTrip is not applicable. Use -t Handshake.")]
    [InlineData($"--size 4096 {Load}", "--size: the configuration of nginx holds at most 4,095 bytes to answer; 4,096 were requested.")]
    [InlineData($"-a fe80::1%lo -p 0 {Load}", "--address: nginx does not support addresses with an interface, such as fe80::1%lo. Use an address such as ::1.")]
    public Task It_refuses_messages_large_answers_and_link_local_addresses(string arguments, string error)
    {
        RequireNginx();
        LibraryUnderTest.RequireIPv6Loopback();
        return ProgramInFolder.AssertFailsAsync($"-l nginx -P Tcp {arguments}", error);
    }

    [Fact]
    public void Without_the_program_it_is_unavailable_with_the_remedy() =>
        new NginxBenchmark().Describe(program: null).Unavailable!.AssertHas("apt-get install nginx-light");

    [Fact]
    public async Task Describe_does_not_fail_when_the_program_does()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The program is a script of a POSIX shell.");
        const string Name = "nginx-of-this-test";
        string program = PathOf(Name);
        await File.WriteAllTextAsync(program, "#!/bin/sh\necho a/b >&2; exit 3\n", TestContext.Current.CancellationToken);
        Assert.Null(SystemProgram.Find(Name, Folder.FullName));
        await SystemCommand.RequireAsync("chmod", "+x", program);
        Assert.Equal((program, "unknown"), (SystemProgram.Find(Name, Folder.FullName), new NginxBenchmark().Describe(program).Version));
    }

    [Fact]
    public void The_configuration_has_what_the_plan_requests()
    {
        var plan = new RunPlan
        {
            Library = "nginx",
            Protocol = Protocol.Ssl,
            ServerThreads = 3,
            MessageSize = 5,
            Tls = new TlsPlan { Version = "1.3", Resumption = "ticket", Mutual = true },
        };
        string text = NginxConfiguration.Create(new IPEndPoint(IPAddress.Loopback, 4433), plan);
        text.AssertHas(
            "worker_processes 3;", "listen 127.0.0.1:4433 ssl reuseport", "ssl_protocols TLSv1.3;", "ssl_session_tickets on;", "ssl_session_cache off;",
            "ssl_verify_client on;", "return 200 xxxxx;");
    }

    private static void RequireNginx() => Assert.SkipWhen(NginxBenchmark.FindProgram() is null, "nginx is not installed on this machine.");
}
