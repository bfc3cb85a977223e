using System.Text.Json;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Tests.Libraries;
using NetCoreNetworkBenchmark.Workloads.Capacity;

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
    public async Task Server_and_clients_go_through_a_run_word_by_word()
    {
        await using var server = new ChannelPair();
        await using var clients = new ChannelPair();
        Task<bool> serving = RunAsync(server);
        Task<bool> measuring = RunAsync(clients);
        await SayAsync(server, Hello(AgentRole.Server, s_plan));
        string endPoint = (await HearAsync<ReadyFrame>(server)).EndPoint!;
        await SayAsync(clients, Hello(AgentRole.Client, s_plan, endPoint));
        Assert.Null((await HearAsync<ReadyFrame>(clients)).EndPoint);
        await SayAsync(clients, new GoFrame());
        foreach (RunPhase phase in (RunPhase[])[RunPhase.Measure, RunPhase.Drain])
        {
            PhaseFrame entered = await HearAsync<PhaseFrame>(clients);
            Assert.Equal(phase, entered.Phase);
            await SayAsync(server, entered);
        }

        // The load goes on until the server has ended its count.
        await HearAsync<StepFrame>(clients);
        await SayAsync(clients, new StepFrame());

        ResultFrame measured = await HearAsync<ResultFrame>(clients);
        await SayAsync(server, new StopFrame());
        ResultFrame served = await HearAsync<ResultFrame>(server);
        Assert.InRange(measured.Clients!.Measured.ClientReceived, 1, long.MaxValue);
        Assert.InRange(served.Server!.Received!.Value, 1, long.MaxValue);
        await SayAsync(clients, new ByeFrame());
        await HearAsync<ByeFrame>(clients);
        await SayAsync(server, new ByeFrame());
        await HearAsync<ByeFrame>(server);
        Assert.True(await serving.WaitAsync(ChannelPair.Deadline, Token));
        Assert.True(await measuring.WaitAsync(ChannelPair.Deadline, Token));
    }

    [Fact]
    public async Task A_server_tells_its_memory_and_every_client_of_a_crowd_makes_one_round_trip()
    {
        RunPlan plan = new MaxClients().Complete(s_plan with { Test = "MaxClients", LossDeadline = TimeSpan.FromSeconds(30) });
        await using var server = new ChannelPair();
        await using var crowd = new ChannelPair();
        Task<bool> serving = RunAsync(server);
        Task<bool> meeting = RunAsync(crowd);
        await SayAsync(server, Hello(AgentRole.Server, plan));
        string endPoint = (await HearAsync<ReadyFrame>(server)).EndPoint!;
        await SayAsync(crowd, Hello(AgentRole.Client, plan, endPoint));
        Assert.Null((await HearAsync<ReadyFrame>(crowd)).EndPoint);
        await SayAsync(server, new MemoryFrame(null));
        ProcessMemory memory = (await HearAsync<MemoryFrame>(server)).Memory!;
        Assert.InRange(memory.ManagedBytes, 1, memory.ResidentBytes);
        await SayAsync(crowd, new GoFrame());
        foreach (RunPhase phase in (RunPhase[])[RunPhase.Measure, RunPhase.Drain])
        {
            Assert.Equal(phase, (await HearAsync<PhaseFrame>(crowd)).Phase);
        }

        ClientReport met = (await HearAsync<ResultFrame>(crowd)).Clients!;
        Assert.Equal(plan.Clients, met.Measured.ClientReceived);
        Assert.InRange(met.ConnectSeconds, double.Epsilon, plan.ConnectDeadline.TotalSeconds);
        Assert.InRange(met.DurationSeconds, 0, plan.LossDeadline.TotalSeconds);
        await SayAsync(server, new StopFrame());
        Assert.Equal(plan.Clients, (await HearAsync<ResultFrame>(server)).Server!.Received);
        await SayAsync(crowd, new ByeFrame());
        await HearAsync<ByeFrame>(crowd);
        await SayAsync(server, new ByeFrame());
        await HearAsync<ByeFrame>(server);
        Assert.True(await serving.WaitAsync(ChannelPair.Deadline, Token));
        Assert.True(await meeting.WaitAsync(ChannelPair.Deadline, Token));
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
        await using var server = new ChannelPair();
        await using var clients = new ChannelPair();
        Task<bool> serving = RunAsync(server, FakeStreams.Catalog);
        Task<bool> measuring = RunAsync(clients, FakeStreams.Catalog);
        await SayAsync(server, Hello(AgentRole.Server, plan) with { Credentials = credentials.Server });
        ReadyFrame ready = await HearAsync<ReadyFrame>(server);
        await SayAsync(clients, Hello(AgentRole.Client, plan, ready.EndPoint) with { Credentials = credentials.Clients });
        await HearAsync<ReadyFrame>(clients);
        await SayAsync(clients, new GoFrame());
        await HearAsync<PhaseFrame>(clients);
        await HearAsync<PhaseFrame>(clients);
        await HearAsync<StepFrame>(clients);
        await SayAsync(clients, new StepFrame());
        ClientReport measured = (await HearAsync<ResultFrame>(clients)).Clients!;
        await SayAsync(server, new StopFrame());
        ServerReport served = (await HearAsync<ResultFrame>(server)).Server!;
        Assert.Equal([$"The server of ServerOnly with mode=calm has {FakeStreams.Parts(credentials.Server)}."], served.Remarks);
        Assert.Equal([$"The clients of Slow with mode=quick want 127.0.0.1 and have {FakeStreams.Parts(credentials.Clients)}."], measured.Remarks);
        Assert.Equal(("10.0", "4.0", "P256"), (served.LibraryVersion, measured.LibraryVersion, served.Key));
        Assert.Equal([new TlsHandshakes("1.3", "TLS_AES_256_GCM_SHA384", "x25519", false, plan.Clients)], measured.Handshakes);
        await SayAsync(clients, new ByeFrame());
        await HearAsync<ByeFrame>(clients);
        await SayAsync(server, new ByeFrame());
        await HearAsync<ByeFrame>(server);
        Assert.True(await serving.WaitAsync(ChannelPair.Deadline, Token));
        Assert.True(await measuring.WaitAsync(ChannelPair.Deadline, Token));
    }

    [Fact]
    public async Task StopFrame_ends_the_load_before_its_time_and_its_figures_are_returned()
    {
        RunPlan plan = s_plan with { Duration = TimeSpan.FromHours(1) };
        await using var server = new ChannelPair();
        await using var clients = new ChannelPair();
        Task<bool> serving = RunAsync(server);
        Task<bool> measuring = RunAsync(clients);
        await SayAsync(server, Hello(AgentRole.Server, plan));
        await SayAsync(clients, Hello(AgentRole.Client, plan, (await HearAsync<ReadyFrame>(server)).EndPoint));
        await HearAsync<ReadyFrame>(clients);
        await SayAsync(clients, new GoFrame());
        Assert.Equal(RunPhase.Measure, (await HearAsync<PhaseFrame>(clients)).Phase);
        await SayAsync(clients, new StopFrame());
        Assert.Equal(RunPhase.Drain, (await HearAsync<PhaseFrame>(clients)).Phase);
        await HearAsync<StepFrame>(clients);
        await SayAsync(clients, new StepFrame());
        Assert.True((await HearAsync<ResultFrame>(clients)).Clients!.Aborted);
        await SayAsync(server, new StopFrame());
        Assert.NotNull((await HearAsync<ResultFrame>(server)).Server);
        foreach (ChannelPair pair in (ChannelPair[])[clients, server])
        {
            await SayAsync(pair, new ByeFrame());
            await HearAsync<ByeFrame>(pair);
        }

        Assert.True(await serving.WaitAsync(ChannelPair.Deadline, Token));
        Assert.True(await measuring.WaitAsync(ChannelPair.Deadline, Token));
    }

    [Fact]
    public async Task A_coordinator_of_another_version_is_refused()
    {
        await using var pair = new ChannelPair();
        Task<bool> running = RunAsync(pair);
        await SayAsync(pair, new HelloFrame("0.0.1", AgentRole.Server, s_plan, null));
        FailureFrame failure = await HearAsync<FailureFrame>(pair);
        Assert.Equal($"The coordinator is of version 0.0.1 and this is {ResultBuilder.HarnessVersion}; both must be of the same.", failure.Reason);
        Assert.False(await running.WaitAsync(ChannelPair.Deadline, Token));
    }

    [Fact]
    public async Task A_first_word_that_is_not_hello_is_refused()
    {
        await using var pair = new ChannelPair();
        Task<bool> running = RunAsync(pair);
        await SayAsync(pair, new GoFrame());
        Assert.Equal("The coordinator did not send hello first.", (await HearAsync<FailureFrame>(pair)).Reason);
        Assert.False(await running.WaitAsync(ChannelPair.Deadline, Token));
    }

    [Theory]
    [InlineData("Nothing", "PingPong", "Nothing is not in the build of this process.")]
    [InlineData("Sockets", "Nothing", "Nothing is not in the build of this process.")]
    public async Task What_is_not_in_the_build_is_named(string library, string test, string reason)
    {
        await using var pair = new ChannelPair();
        Task<bool> running = RunAsync(pair);
        await SayAsync(pair, Hello(AgentRole.Server, s_plan with { Library = library, Test = test }));
        Assert.Equal(reason, (await HearAsync<FailureFrame>(pair)).Reason);
        Assert.False(await running.WaitAsync(ChannelPair.Deadline, Token));
    }

    [Fact]
    public async Task A_relay_needs_no_library_in_its_build()
    {
        await using var pair = new ChannelPair();
        Task<bool> running = RunAsync(pair);
        await SayAsync(pair, Hello(AgentRole.Relay, s_plan with { Library = "Nothing", Test = "Nothing" }, "127.0.0.1:9"));
        Assert.NotNull((await HearAsync<ReadyFrame>(pair)).EndPoint);
        await SayAsync(pair, new ByeFrame());
        await HearAsync<ByeFrame>(pair);
        Assert.True(await running.WaitAsync(ChannelPair.Deadline, Token));
    }

    [Fact]
    public async Task An_agent_that_is_to_stay_serves_another_run_and_ends_with_its_input()
    {
        await using var pair = new ChannelPair();
        Task<bool> running = RunAsync(pair);
        for (int run = 1; run <= 2; run++)
        {
            await SayAsync(pair, Hello(AgentRole.Server, s_plan) with { Stays = true });
            Assert.NotNull((await HearAsync<ReadyFrame>(pair)).EndPoint);
            await SayAsync(pair, new ByeFrame());
            await HearAsync<ByeFrame>(pair);
        }

        await pair.EndAsync();
        Assert.True(await running.WaitAsync(ChannelPair.Deadline, Token));
    }

    [Fact]
    public async Task A_server_that_cannot_be_bound_says_why_and_that_the_input_is_wrong()
    {
        await using var pair = new ChannelPair();
        Task<bool> running = RunAsync(pair);
        await SayAsync(pair, Hello(AgentRole.Server, s_plan with { Address = "192.0.2.1" }));
        FailureFrame failure = await HearAsync<FailureFrame>(pair);
        Assert.Equal("--address: 192.0.2.1 is not an address of this machine. Use one of its addresses, such as 127.0.0.1.", failure.Reason);
        Assert.True(failure.IsBadInput);
        Assert.False(await running.WaitAsync(ChannelPair.Deadline, Token));
    }

    [Fact]
    public async Task An_agent_whose_input_ends_stops_by_itself()
    {
        await using var pair = new ChannelPair();
        Task<bool> running = RunAsync(pair);
        await SayAsync(pair, Hello(AgentRole.Server, s_plan));
        await HearAsync<ReadyFrame>(pair);
        await pair.EndAsync();
        Assert.False(await running.WaitAsync(ChannelPair.Deadline, Token));
    }

    [Fact]
    public async Task An_agent_whose_signs_of_life_are_not_acknowledged_stops_by_itself()
    {
        await using var pair = new ChannelPair();
        Task<bool> running = RunAsync(pair);
        HelloFrame hello = Hello(AgentRole.Control, s_plan with { Duration = TimeSpan.FromHours(1) });
        await pair.SayAsync($"{JsonSerializer.Serialize(hello, FrameJson.Default.Frame)}\n");
        Assert.False(await running.WaitAsync(ChannelPair.Deadline, Token));
    }

    private static Task<bool> RunAsync(ChannelPair pair, Catalog? catalog = null) =>
        Task.Run(() => new Agent(pair.Here, catalog ?? LibraryUnderTest.Catalog).RunAsync(), Token);

    private static HelloFrame Hello(AgentRole role, RunPlan plan, string? target = null) => new(ResultBuilder.HarnessVersion, role, plan, target);

    private static Task SayAsync(ChannelPair pair, Frame frame) => pair.Other.SendAsync(frame, Token);

    // Signs of life arrive every second.
    private static async Task<T> HearAsync<T>(ChannelPair pair, bool skipProgress = true)
        where T : Frame
    {
        while (true)
        {
            Frame frame = await pair.Other.ReceiveAsync(ChannelPair.Deadline, Token);
            if (!skipProgress || frame is not ProgressFrame)
            {
                Assert.True(frame is T, $"{frame}");
                return (T)frame;
            }
        }
    }
}
