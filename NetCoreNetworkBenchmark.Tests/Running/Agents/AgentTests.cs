using System.IO.Pipes;

namespace NetCoreNetworkBenchmark.Tests.Running.Agents;

public sealed class AgentTests
{
    private static readonly RunPlan s_plan = new()
    {
        Library = "Sockets",
        Port = 0,
        Clients = 5,
        WarmUp = TimeSpan.FromMilliseconds(100),
        Duration = TimeSpan.FromMilliseconds(300),
        AnyMachine = true,
    };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Server_and_clients_go_through_a_run_frame_by_frame()
    {
        await using Agents agents = await Agents.StartAsync(s_plan);
        Send(agents.Clients, new GoFrame());
        foreach (RunPhase phase in (RunPhase[])[RunPhase.Measure, RunPhase.Drain])
        {
            PhaseFrame entered = await ReceiveAsync<PhaseFrame>(agents.Clients);
            Assert.Equal(phase, entered.Phase);
            Send(agents.Server, entered);
        }

        // The load goes on until the server has ended its count.
        (ClientReport measured, ServerReport served) = await agents.StopAsync();
        Assert.InRange(measured.Measured.ClientReceived, 1, long.MaxValue);
        Assert.InRange(served.Received!.Value, 1, long.MaxValue);
        await agents.EndAsync();
    }

    [Fact]
    public async Task Server_reports_its_memory_and_every_client_makes_one_round_trip_when_the_test_is_MaxClients()
    {
        RunPlan plan = new MaxClients().Complete(s_plan with { Test = "MaxClients", LossDeadline = TimeSpan.FromSeconds(30) });
        await using Agents agents = await Agents.StartAsync(plan);
        Send(agents.Server, new MemoryFrame(null));
        ProcessMemory memory = (await ReceiveAsync<MemoryFrame>(agents.Server)).Memory!;
        Assert.InRange(memory.ManagedBytes, 1, memory.ResidentBytes);
        Send(agents.Clients, new GoFrame());
        Assert.Equal(RunPhase.Measure, (await ReceiveAsync<PhaseFrame>(agents.Clients)).Phase);
        await ReceiveAsync<StepFrame>(agents.Clients);
        Send(agents.Clients, new StepFrame());
        Assert.Equal(RunPhase.Drain, (await ReceiveAsync<PhaseFrame>(agents.Clients)).Phase);
        ClientReport met = (await ReceiveAsync<ResultFrame>(agents.Clients)).Clients!;
        Assert.Equal(plan.Clients, met.Measured.ClientReceived);
        Assert.InRange(met.ConnectSeconds, double.Epsilon, plan.ConnectDeadline.TotalSeconds);
        Assert.InRange(met.DurationSeconds, 0, plan.LossDeadline.TotalSeconds);
        Send(agents.Server, new StopFrame());
        Assert.Equal(plan.Clients, (await ReceiveAsync<ResultFrame>(agents.Server)).Server!.Received);
        await agents.EndAsync();
    }

    [Fact]
    public async Task Each_side_has_the_library_and_the_credentials_that_are_for_it()
    {
        RunPlan plan = s_plan with
        {
            Library = "ServerOnly",
            ClientLibrary = "Slow",
            ClientSettings = new Dictionary<string, string> { ["mode"] = "quick" },
            Protocol = Protocol.Ssl,
            Transmission = Transmission.Reliable,
        };
        RunCredentials credentials = RunCredentials.For(plan with { Tls = new TlsPlan { Key = TlsKey.P256, Mutual = true } })!;
        await using Agents agents = await Agents.StartAsync(plan, FakeStreams.Catalog, credentials);
        Send(agents.Clients, new GoFrame());
        await ReceiveAsync<PhaseFrame>(agents.Clients);
        await ReceiveAsync<PhaseFrame>(agents.Clients);
        (ClientReport measured, ServerReport served) = await agents.StopAsync();
        Assert.Equal([$"The server of ServerOnly with mode=calm has {FakeStreams.Parts(credentials.Server)}."], served.Remarks);
        Assert.Equal([$"The clients of Slow with mode=quick want 127.0.0.1 and have {FakeStreams.Parts(credentials.Clients)}."], measured.Remarks);
        Assert.Equal(("10.0", "4.0", "P256"), (served.LibraryVersion, measured.LibraryVersion, served.Key));
        Assert.Equal([new NegotiatedTls("1.3", "TLS_AES_256_GCM_SHA384", "x25519", false) { Count = plan.Clients }], measured.Handshakes);
        await agents.EndAsync();
    }

    [Fact]
    public async Task Agent_names_the_version_of_a_coordinator_whose_plan_it_cannot_read()
    {
        await using var pair = new ChannelPair();
        Task<bool> running = RunAsync(pair);
        await pair.SayAsync("{\"type\":\"hello\",\"version\":\"0.0.1\",\"role\":\"Server\",\"plan\":{\"library\":7}}\n");
        Assert.StartsWith("The coordinator's protocol is 0.0.1 and ", (await ReceiveAsync<FailureFrame>(pair)).Reason, StringComparison.Ordinal);
        Assert.False(await running.WaitAsync(ChannelPair.Deadline, Token));
    }

    [Fact]
    public async Task StopFrame_ends_the_load_before_its_time_and_its_figures_are_returned()
    {
        await using Agents agents = await Agents.StartAsync(s_plan with { Duration = TimeSpan.FromHours(1) });
        Send(agents.Clients, new GoFrame());
        Assert.Equal(RunPhase.Measure, (await ReceiveAsync<PhaseFrame>(agents.Clients)).Phase);
        Send(agents.Clients, new StopFrame());
        Assert.Equal(RunPhase.Drain, (await ReceiveAsync<PhaseFrame>(agents.Clients)).Phase);
        Assert.True((await agents.StopAsync()).Measured.Aborted);
        await agents.EndAsync();
    }

    [Fact]
    public async Task A_frame_that_the_load_does_not_expect_ends_it_with_the_reason()
    {
        await using Agents agents = await Agents.StartAsync(s_plan with { Duration = TimeSpan.FromHours(1) });
        Send(agents.Clients, new GoFrame());
        Assert.Equal(RunPhase.Measure, (await ReceiveAsync<PhaseFrame>(agents.Clients)).Phase);
        Send(agents.Clients, new MemoryFrame());
        Assert.Equal(RunPhase.Drain, (await ReceiveAsync<PhaseFrame>(agents.Clients)).Phase);
        await ReceiveAsync<StepFrame>(agents.Clients);
        await FailsAsync(agents.Clients, "The coordinator sent a MemoryFrame, which the client does not expect at this time.");
        Send(agents.Server, new GoFrame());
        await FailsAsync(agents.Server, "The coordinator sent a GoFrame, which the server does not expect at this time.");

        static async Task FailsAsync(ChannelPair pair, string reason) => Assert.Equal(reason, (await ReceiveAsync<FailureFrame>(pair)).Reason);
    }

    [Fact]
    public void Agent_is_patient_with_a_coordinator_on_the_same_machine_whose_end_it_notices()
    {
        Assert.Equal(Deadlines.ForSilence(s_plan), Agent.MaxSilenceFor(s_plan));
        Assert.Equal(FrameChannel.MaxSilence, Agent.MaxSilenceFor(s_plan with { Hosts = new HostsPlan { ServerHost = "host-a" } }));
    }

    [Fact]
    public async Task Agent_refuses_a_first_frame_that_it_cannot_serve_with_the_reason()
    {
        HelloFrame hello = Hello(AgentRole.Server, s_plan);
        string otherVersion = $"The coordinator's protocol is 0.0.1 and this one's {HelloFrame.ProtocolVersion}. Use builds whose frames are the same.";
        const string NotInBuild = "Nothing is not in the build of this process.";
        const string NoAddress = "--address: 192.0.2.1 is not an address of this machine. Use one of its addresses, such as 127.0.0.1.";
        await RefusesAsync(hello with { Version = "0.0.1" }, otherVersion);
        await RefusesAsync(new GoFrame(), "The coordinator did not send hello first.");
        await RefusesAsync(hello with { Plan = s_plan with { Library = "Nothing" } }, NotInBuild);
        await RefusesAsync(hello with { Plan = s_plan with { Test = "Nothing" } }, NotInBuild);
        await RefusesAsync(hello with { Plan = s_plan with { Address = "192.0.2.1" } }, NoAddress, isBadInput: true);

        static async Task RefusesAsync(Frame first, string reason, bool isBadInput = false)
        {
            await using var pair = new ChannelPair();
            Task<bool> running = RunAsync(pair);
            Send(pair, first);
            FailureFrame failure = await ReceiveAsync<FailureFrame>(pair);
            Assert.Equal((reason, isBadInput), (failure.Reason, failure.IsBadInput));
            Assert.False(await running.WaitAsync(ChannelPair.Deadline, Token));
        }
    }

    [Fact]
    public async Task A_relay_needs_no_library_in_its_build()
    {
        await using var pair = new ChannelPair();
        Task<bool> running = RunAsync(pair);
        Send(pair, Hello(AgentRole.Relay, s_plan with { Library = "Nothing", Test = "Nothing" }, "127.0.0.1:9"));
        Assert.NotNull((await ReceiveAsync<ReadyFrame>(pair)).EndPoint);
        Send(pair, new ByeFrame());
        await ReceiveAsync<ByeFrame>(pair);
        Assert.True(await running.WaitAsync(ChannelPair.Deadline, Token));
    }

    [Fact]
    public async Task A_relay_answers_what_every_process_does_and_ends_at_once_at_a_frame_that_it_does_not_expect()
    {
        await using var pair = new ChannelPair();
        Task<bool> running = RunAsync(pair);
        Send(pair, Hello(AgentRole.Relay, s_plan, "127.0.0.1:9"));
        await ReceiveAsync<ReadyFrame>(pair);
        Send(pair, new CompilationFrame());
        Assert.NotNull((await ReceiveAsync<CompilationFrame>(pair)).Seconds);
        Send(pair, new MemoryFrame());
        Assert.Equal(
            "The coordinator sent a MemoryFrame, which the relay does not expect at this time.", (await ReceiveAsync<FailureFrame>(pair)).Reason);
        Assert.False(await running.WaitAsync(ChannelPair.Deadline, Token));
    }

    [Fact]
    public async Task An_agent_that_is_to_stay_serves_another_run_and_ends_with_its_input()
    {
        await using var pair = new ChannelPair();
        Task<bool> running = RunAsync(pair);
        for (int run = 1; run <= 2; run++)
        {
            Send(pair, Hello(AgentRole.Server, s_plan) with { StaysAfterRun = true });
            Assert.NotNull((await ReceiveAsync<ReadyFrame>(pair)).EndPoint);
            Send(pair, new ByeFrame());
            await ReceiveAsync<ByeFrame>(pair);
        }

        await pair.EndAsync();
        Assert.True(await running.WaitAsync(ChannelPair.Deadline, Token));
    }

    [Fact]
    public async Task Agent_stops_by_itself_when_its_input_ends()
    {
        await using var pair = new ChannelPair();
        Task<bool> running = RunAsync(pair);
        Send(pair, Hello(AgentRole.Server, s_plan));
        await ReceiveAsync<ReadyFrame>(pair);
        await pair.EndAsync();
        Assert.False(await running.WaitAsync(ChannelPair.Deadline, Token));
    }

    [Fact]
    public async Task Agent_stops_by_itself_when_its_progress_is_not_acknowledged()
    {
        await using var pair = new ChannelPair();
        Task<bool> running = RunAsync(pair);
        RunPlan plan = s_plan with { Duration = TimeSpan.FromHours(1), Hosts = new HostsPlan { ServerHost = "host-a" } };
        HelloFrame hello = Hello(AgentRole.Control, plan);
        await pair.SayAsync($"{JsonSerializer.Serialize(hello, FrameJson.Default.Frame)}\n");
        Assert.False(await running.WaitAsync(ChannelPair.Deadline, Token));
    }

    private static Task<bool> RunAsync(ChannelPair pair, Catalog? catalog = null) =>
        Task.Run(() => new Agent(pair.Here, catalog ?? LibraryUnderTest.Catalog).RunAsync(), Token);

    private static HelloFrame Hello(AgentRole role, RunPlan plan, string? target = null) => new(HelloFrame.ProtocolVersion, role, plan, target);

    private static void Send(ChannelPair pair, Frame frame) => pair.Other.Send(frame);

    // A report of progress arrives every second, and the warm-up is a phase of the server alone.
    private static async Task<T> ReceiveAsync<T>(ChannelPair pair)
        where T : Frame
    {
        Frame frame = await pair.Other.ReceiveAsync(ChannelPair.Deadline, Token);
        while (frame is ProgressFrame or PhaseFrame { Phase: RunPhase.WarmUp })
        {
            frame = await pair.Other.ReceiveAsync(ChannelPair.Deadline, Token);
        }

        return Assert.IsType<T>(frame);
    }

    /// <summary>A server and clients whose coordinator is the test.</summary>
    private sealed class Agents : IAsyncDisposable
    {
        private Task<bool> _serving = null!;
        private Task<bool> _measuring = null!;

        public ChannelPair Server { get; } = new();
        public ChannelPair Clients { get; } = new();

        public static async Task<Agents> StartAsync(RunPlan plan, Catalog? catalog = null, RunCredentials? credentials = null)
        {
            var agents = new Agents();
            (agents._serving, agents._measuring) = (RunAsync(agents.Server, catalog), RunAsync(agents.Clients, catalog));
            Send(agents.Server, Hello(AgentRole.Server, plan) with { Credentials = credentials?.Server });
            string endPoint = (await ReceiveAsync<ReadyFrame>(agents.Server)).EndPoint!;
            Send(agents.Clients, Hello(AgentRole.Client, plan, endPoint) with { Credentials = credentials?.Clients });
            Assert.Null((await ReceiveAsync<ReadyFrame>(agents.Clients)).EndPoint);
            return agents;
        }

        public async Task<(ClientReport Measured, ServerReport Served)> StopAsync()
        {
            await ReceiveAsync<StepFrame>(Clients);
            Send(Clients, new StepFrame());
            ClientReport measured = (await ReceiveAsync<ResultFrame>(Clients)).Clients!;
            Send(Server, new StopFrame());
            return (measured, (await ReceiveAsync<ResultFrame>(Server)).Server!);
        }

        public async Task EndAsync()
        {
            foreach (ChannelPair pair in (ChannelPair[])[Clients, Server])
            {
                Send(pair, new ByeFrame());
                await ReceiveAsync<ByeFrame>(pair);
            }

            Assert.True(await _serving.WaitAsync(ChannelPair.Deadline, Token));
            Assert.True(await _measuring.WaitAsync(ChannelPair.Deadline, Token));
        }

        public async ValueTask DisposeAsync()
        {
            await Clients.DisposeAsync();
            await Server.DisposeAsync();
        }
    }
}

[CollectionDefinition(nameof(BusyPoolTests), DisableParallelization = true)]
public sealed class BusyPoolTestsGroup;

/// <summary>An agent beside a library that keeps the thread pool busy. No other test runs meanwhile, since it has the same pool.</summary>
[Collection(nameof(BusyPoolTests))]
[Trait("Category", "Long")]
public sealed class BusyPoolTests
{
    // More than the pool adds threads while the test runs.
    private const int WorkItems = 500;

    [Fact]
    public async Task An_agent_sends_heartbeats_while_the_thread_pool_is_busy()
    {
        // Streams in memory would themselves need the pool.
        await using var toAgent = new AnonymousPipeServerStream(PipeDirection.Out);
        await using var fromAgent = new AnonymousPipeServerStream(PipeDirection.In);
        var channel = new FrameChannel(
            "The other",
            new AnonymousPipeClientStream(PipeDirection.In, toAgent.ClientSafePipeHandle),
            new AnonymousPipeClientStream(PipeDirection.Out, fromAgent.ClientSafePipeHandle),
            besideLibrary: true);
        Task<bool> running = Task.Run(() => new Agent(channel, LibraryUnderTest.Catalog).RunAsync(), TestContext.Current.CancellationToken);
        var hello = new HelloFrame(HelloFrame.ProtocolVersion, AgentRole.Inspector, new RunPlan { Library = "Sockets" });
        toAgent.Write([.. JsonSerializer.SerializeToUtf8Bytes<Frame>(hello, FrameJson.Default.Frame), (byte)'\n']);
        var lines = new LineReader(fromAgent);
        Assert.IsType<HostFrame>(FrameJson.Read(lines.Read()));
        using var free = new ManualResetEventSlim();
        Array.ForEach(new int[WorkItems], _ => ThreadPool.UnsafeQueueUserWorkItem(_ => free.Wait(ChannelPair.Deadline), null));
        var reader = new Thread(() =>
        {
            lines.Read();
            lines.Read();
        });
        reader.Start();
        bool hasHeartbeats = reader.Join(TimeSpan.FromSeconds(20));
        free.Set();
        Assert.True(hasHeartbeats, "Two heartbeats did not arrive within 20 s.");
        await toAgent.DisposeAsync();
        Assert.True(await running.WaitAsync(ChannelPair.Deadline, TestContext.Current.CancellationToken) is false);
        await channel.DisposeAsync();
    }
}
