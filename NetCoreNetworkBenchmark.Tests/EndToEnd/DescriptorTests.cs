using NetCoreNetworkBenchmark.Tests.Hostile;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>Processes that cannot open more descriptors (EMFILE) continue to run.</summary>
[Trait("Category", "Long")]
public sealed class DescriptorTests
{
    private const int Connections = 200;
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan s_silence = TimeSpan.FromSeconds(2);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory, InlineData("Sockets"), InlineData("Epoll"), InlineData("Kestrel")]
    public async Task Server_refuses_connections_and_prints_its_result_when_its_limit_is_lowered(string library)
    {
        const int Limit = 300;
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The limit of another process is set by Linux' prlimit.");
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync($"-l {library} -P Tcp -c 100 --any-machine --json");
        string client = $"--role Client -l {library} -P Tcp -c 10 --warmup 0.2 -d 0.3 --any-machine --json -p {server.Port}";

        // With the first clients, the server loads the files that it needs, which also takes descriptors.
        Assert.Equal(0, (await ProgramInFolder.RunLineAsync(client)).Code);
        (int limited, _, string refused) = await SystemCommand.RunAsync("prlimit", "--pid", $"{server.Id}", $"--nofile={Limit}:{Limit}");
        Assert.True(limited == 0, refused);
        Socket[] sockets = Connect(IPEndPoint.Parse($"127.0.0.1:{server.Port}"));
        await Wait.UntilAsync(() => sockets.Count(IsClosed) >= Connections - (Limit - DescriptorLimit.Reserved), "connections that are refused");
        Assert.InRange(Directory.GetFiles($"/proc/{server.Id}/fd").Length, 1, Limit - 1);
        Array.ForEach(sockets, socket => socket.Dispose());
        (int exitCode, _, string reason) = await ProgramInFolder.RunLineAsync(client);
        Assert.True(exitCode == 0, reason);
        ServerResult result = await server.StopServerAsync();
        Assert.InRange(result.Server.Received!.Value, 1, long.MaxValue);
        Assert.InRange(result.Server.Errors.GetValueOrDefault("server TooManyOpenSockets"), 1, Connections);

        static bool IsClosed(Socket socket) => socket.Poll(0, SelectMode.SelectRead);
    }

    [Fact]
    public async Task Relay_continues_without_descriptors_and_has_a_remark()
    {
        const int Limit = DescriptorLimit.Reserved + 100;
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The limit is set by a POSIX shell.");
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var plan = new RunPlan
        {
            Library = "Sockets",
            Protocol = Protocol.Tcp,
            Clients = 1,
            Impairment = new ImpairmentPlan { Cut = new Interruption(TimeSpan.FromSeconds(1), TimeSpan.FromHours(1)) },
        };
        string script = $"ulimit -n {Limit}; exec dotnet '{typeof(Catalog).Assembly.Location}' {AgentProgram.Option}";
        await using var relay = new AgentProcess(AgentRole.Relay, new ProcessStartInfo("sh", ["-c", script]));
        string at = (await relay.SendHelloAsync(plan, listener.LocalEndpoint.ToString(), null, Token).WaitAsync(ChannelPair.Deadline, Token))!;
        Array.ForEach(Connect(IPEndPoint.Parse(at)), socket => socket.Dispose());
        await ExhaustAsync(listener);
        using var client = new TcpClient();
        await client.ConnectAsync(IPEndPoint.Parse(at), Token).AsTask().WaitAsync(s_deadline, Token);
        await client.GetStream().WriteAsync(new byte[] { 42 }, Token);
        await ArrivesAsync(listener, relay, 42);
        relay.Send(new StopFrame());
        ResultFrame result = await relay.ResultAsync(ChannelPair.Deadline, Token);
        Assert.Contains(result.Remarks, remark => remark.Contains("ulimit -n", StringComparison.Ordinal));
    }

    // Connections that the server keeps open stay open at the relay too, until it has no descriptor left for another.
    private static async Task ExhaustAsync(TcpListener listener)
    {
        var connections = new List<TcpClient>();
        try
        {
            while (true)
            {
                using var silence = CancellationTokenSource.CreateLinkedTokenSource(Token);
                silence.CancelAfter(s_silence);
                connections.Add(await listener.AcceptTcpClientAsync(silence.Token));
            }
        }
        catch (OperationCanceledException) when (!Token.IsCancellationRequested)
        {
            connections.ForEach(connection => connection.Dispose());
        }
    }

    // The connections before it have sent nothing.
    private static async Task ArrivesAsync(TcpListener listener, AgentProcess relay, byte expected)
    {
        while (true)
        {
            Task<TcpClient> accepted = listener.AcceptTcpClientAsync(Token).AsTask();
            await Task.WhenAny(accepted, relay.Broken).WaitAsync(s_deadline, Token);
            Assert.False(relay.Broken.IsCompleted, relay.Broken.IsCompleted ? $"{await relay.Broken}" : null);
            using TcpClient connection = await accepted;
            byte[] said = new byte[1];
            try
            {
                if (await connection.GetStream().ReadAsync(said, Token).AsTask().WaitAsync(s_deadline, Token) == 1)
                {
                    Assert.Equal(expected, said[0]);
                    return;
                }
            }
            catch (IOException)
            {
                // The relay had no descriptor left to forward this connection.
                continue;
            }
        }
    }

    private static Socket[] Connect(IPEndPoint endPoint)
    {
        Socket[] sockets = [.. Enumerable.Range(0, Connections).Select(_ => new Socket(SocketType.Stream, ProtocolType.Tcp))];
        Array.ForEach(sockets, socket => Connect(socket, endPoint));
        return sockets;
    }

    private static void Connect(Socket socket, IPEndPoint endPoint)
    {
        try
        {
            socket.ConnectAsync(endPoint).WaitAsync(s_deadline, Token).GetAwaiter().GetResult();
        }
        catch (SocketException exception) when (exception.SocketErrorCode == SocketError.ConnectionReset)
        {
            // The peer had no descriptor left for it and closed it before this side noticed that it was established.
            return;
        }
    }
}

/// <summary>So many clients that stall in their handshake that no other test could run beside them.</summary>
[Collection(nameof(TortureTests))]
[Trait("Category", "Long")]
public sealed class StalledCrowdTests
{
    // A thousand threads and the accept queue take five thousand connections at once. More of them would wait to connect.
    [Theory, InlineData("reactor", 5_000, true), InlineData("workers", 5_000, true), InlineData("threads", 5_000, false)]
    public Task Thousands_of_clients_that_stall_starve_no_event_loop(string architecture, int stalled, bool serves) =>
        HandshakeFaultTests.AssertServesBesideStalledAsync(architecture, stalled, serves);
}

[Trait("Category", "Long")]
public sealed class MaxClientsTests : InTemporaryFolder
{
    [Theory, InlineData("Sockets"), InlineData("ENet")]
    public async Task Search_serves_all_clients_up_to_the_bound_and_reports_the_memory_of_the_server(string library)
    {
        LibraryUnderTest.Create(library);
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            $"-t maxclients -l {library} -p 0 -c 50 --deadline 30s --json -o {Folder.FullName}");
        var result = (CapacityResult)ResultFile.Parse(output);
        Assert.Equal((0, 50, ClientBoundKind.Requested), (exitCode, result.HighestClients, result.BoundBy));
        Assert.Equal([10, 20, 40, 50], result.Steps.Select(step => step.Value));
        string[] lines = BenchmarkProcess.WithoutWarnings(errors);
        Assert.Equal(
            ["10 clients: hold", "20 clients: hold", "40 clients: hold", "50 clients: hold", $"Written to {Folder}"],
            lines.Select(line => line.Split(" (")[0]));
        Assert.EndsWith(" (step 4 of 4)", lines[^2], StringComparison.Ordinal);
        Assert.Equal(
            ["maxclients.csv", "maxclients.html", "maxclients.json", "maxclients.md"],
            Folder.GetFiles().Select(file => file.Name).Order(StringComparer.Ordinal));
        (exitCode, string again, _) = await BenchmarkProcess.RunAsync("report", PathOf("maxclients.json"), "-f", "json");
        Assert.Equal((0, output), (exitCode, again));
        Assert.All(result.Steps, step =>
        {
            RunResult run = step.Result!;
            ServerMemory memory = run.ServerMemory!;
            Assert.Equal(((long)step.Value, true, null), (run.Messages.ClientReceived, step.Holds, step.Reason));
            Assert.Empty(run.ErrorsByName);
            Assert.InRange(run.Clients.ConnectSeconds, double.Epsilon, 15);
            Assert.InRange(run.LatencyMicroseconds!.Max, run.LatencyMicroseconds.P50, 30e6);
            Assert.InRange(memory.ManagedBytesBefore, 1, memory.ResidentBytesBefore);
            Assert.InRange(memory.ResidentBytes, memory.ManagedBytes, long.MaxValue);
        });
    }

    [Fact]
    public async Task Search_ends_at_the_limit_of_the_protocol()
    {
        LibraryUnderTest.Create("ENet");
        (int exitCode, string output, _) = await BenchmarkProcess.RunLineAsync("-t MaxClients -l ENet -p 0 -c 1000000 --deadline 300s --connect-deadline 300");
        Assert.Equal(0, exitCode);
        Assert.Contains("**4,095**. The protocol of ENet allows no more than 4,095.", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Search_has_no_answer_when_no_client_can_keep_the_deadline()
    {
        (int exitCode, string output, _) = await BenchmarkProcess.RunLineAsync("-t MaxClients -l Sockets -p 0 -c 2 --deadline 100ns --any-machine");
        Assert.Equal(1, exitCode);
        Assert.Contains("No number of clients of Sockets held. At 1: 1 of 1 clients had no answer within 0.0000001 s.", output, StringComparison.Ordinal);
    }
}

/// <summary>Limits that the system sets for the processes of a run, as the result reports them.</summary>
public sealed class MachineLimitTests
{
    // The sides have processes of their own then.
    private const string Separate = "TieredPGO=1";
    private static readonly TimeSpan s_stop = TimeSpan.FromSeconds(0.6);

    [Fact, Trait("Category", "Long")]
    public async Task A_run_that_a_CPU_quota_throttled_is_invalid_by_name()
    {
        // So little that the load needs more on a machine that others use too.
        using TestGroup group = TestGroup.WithCpuQuota(cores: 0.2);
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunThroughAsync(
            group.Launcher, "-l", "Sockets", "-p", "0", "-c", "1", "--warmup", "0.1", "-d", "1", "--json");
        Assert.True(output.Length > 0, errors);
        var result = (RunResult)ResultFile.Parse(output);
        Assert.Equal((1, false, true), (exitCode, result.Valid, result.Verdict.Disturbed));
        Assert.Equal((0.2, 1), (result.Environment.CpuQuota, result.Environment.Cores));
        Assert.InRange(result.Costs.Combined!.ThrottledShare!.Value, double.Epsilon, 1);
        string reason = Assert.Single(result.InvalidReasons, sentence => sentence.Contains("throttled", StringComparison.Ordinal));
        Assert.StartsWith($"The process was throttled in {result.Costs.Combined.ThrottledPeriods} of ", reason, StringComparison.Ordinal);
        Assert.Contains(result.Fitness.Warnings, warning => warning.Contains("has a CPU quota of 0.2 cores", StringComparison.Ordinal));
    }

    [Fact, Trait("Category", "Long")]
    public async Task A_side_that_is_stopped_while_it_measures_voids_the_run_by_name()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Signals stop processes on Linux.");
        using BenchmarkProcess run = BenchmarkProcess.Start(
            "-l", "Sockets", "-p", "0", "-c", "4", "-m", "1", "--warmup", "0.1", "-d", "600", "--any-machine", "--verbose", "--json", "--runtime", Separate);

        // A side may begin to measure a moment after the coordinator says so, so its first stop may be before that.
        int[] sides = await run.MeasuringChildrenAsync(2);
        foreach (int side in sides.Concat(sides))
        {
            await BenchmarkProcess.SignalAsync("STOP", side);
            await Task.Delay(s_stop, TestContext.Current.CancellationToken);
            await BenchmarkProcess.SignalAsync("CONT", side);
        }

        (int exitCode, string output, string errors) = await run.InterruptedAsync();
        Assert.True(output.Length > 0, errors);
        var result = (RunResult)ResultFile.Parse(output);
        Assert.Equal((1, false), (exitCode, result.Valid));
        foreach ((string side, ProcessCost? cost) in (ReadOnlySpan<(string, ProcessCost?)>)[("server", result.Costs.Server), ("clients", result.Costs.Clients)])
        {
            Assert.InRange(cost!.StoppedSeconds!.Value, s_stop.TotalSeconds - 0.1, result.DurationSeconds);
            Assert.Contains(result.InvalidReasons, reason => reason.StartsWith($"The {side}'", StringComparison.Ordinal)
                && reason.Contains(" did not run for ", StringComparison.Ordinal));
        }
    }

    [Theory, Trait("Category", "Long")]
    [InlineData("COMPlus_TieredCompilation", "0", "not tiered")]
    [InlineData("DOTNET_TieredCompilation", "00", "not tiered")]
    [InlineData("COMPlus_TieredPGO", "0", "tiered, without profile")]
    [InlineData("COMPlus_GCRetainVM", "1", "tiered, with profile")]
    public async Task The_runtime_that_ran_is_the_one_that_is_recorded(string name, string value, string jit)
    {
        // test.sh sets it for all tests.
        EnvironmentInfo environment = await EnvironmentOfAsync(new() { ["DOTNET_TieredPGO"] = null, [name] = value });
        Assert.Equal(jit, environment.Jit);
        Assert.Equal(value, environment.RuntimeSettings[name]);
    }

    private static async Task<EnvironmentInfo> EnvironmentOfAsync(Dictionary<string, string?> environment)
    {
        (_, string output, string errors) = await BenchmarkProcess.RunWithAsync(
            environment, ["-l", "Sockets", "-p", "0", "-c", "1", "--warmup", "0.1", "-d", "0.1", "--any-machine", "--json"]);
        Assert.True(output.Length > 0, errors);
        return ((RunResult)ResultFile.Parse(output)).Environment;
    }
}

/// <summary>A control group of the kernel (cgroups(7)) that a test makes for the processes that it starts, and removes.</summary>
internal sealed class TestGroup : IDisposable
{
    private static readonly TimeSpan s_lastProcess = TimeSpan.FromSeconds(10);

    private TestGroup(string folder) => Folder = folder;

    public string Folder { get; }

    /// <summary>The command that executes the command line behind it in the group.</summary>
    public string[] Launcher => ["sh", "-c", "echo $$ >\"$0/cgroup.procs\" && exec \"$@\"", Folder];

    // Version 1 has a hierarchy for each controller.
    public static TestGroup WithThreads(int max) => Create(["/sys/fs/cgroup/pids", "/sys/fs/cgroup"], _ => ("pids.max", $"{max}"));

    public static TestGroup WithCpuQuota(double cores)
    {
        const int Period = 100_000;
        var quota = (int)(cores * Period);
        return Create(["/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup"], folder =>
            File.Exists(Path.Combine(folder, "cpu.max")) ? ("cpu.max", $"{quota} {Period}") : ("cpu.cfs_quota_us", $"{quota}"));
    }

    public void Dispose()
    {
        if (Directory.Exists(Folder))
        {
            // A process that has just ended belongs to its group until it is reaped.
            string members = Path.Combine(Folder, "cgroup.procs");
            Assert.True(SpinWait.SpinUntil(() => File.ReadAllText(members).Length == 0, s_lastProcess), $"Processes are left in {Folder}.");
            Directory.Delete(Folder);
        }
    }

    // Skips the test with the reason if this system does not allow such a group, or its controller is not enabled for it.
    private static TestGroup Create(string[] roots, Func<string, (string File, string Text)> limit)
    {
        string? root = roots.FirstOrDefault(folder => File.Exists(Path.Combine(folder, "cgroup.procs")));
        Assert.SkipUnless(root is not null && Environment.IsPrivilegedProcess, "A control group is made by root on Linux.");
        var group = new TestGroup(Path.Combine(root, $"nnb-{Environment.ProcessId}-{Guid.NewGuid():N}"));
        string reason;
        try
        {
            Directory.CreateDirectory(group.Folder);
            (string file, string text) = limit(group.Folder);
            File.WriteAllText(Path.Combine(group.Folder, file), text);
            return group;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            reason = exception.Message;
        }

        group.Dispose();
        Assert.Skip($"Such a control group is not possible here: {reason}");
        return group;
    }
}
