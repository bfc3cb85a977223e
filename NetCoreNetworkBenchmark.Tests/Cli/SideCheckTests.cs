namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class SideCheckTests
{
    private static readonly LibraryInfo s_library = new()
    {
        Name = "Small",
        Version = "1.0",
        Protocols = [Protocol.Udp],
        Transmissions = [new TransmissionInfo(Transmission.Unreliable, 1, 100)],
    };

    private static readonly PinningPlan s_pinning = new() { ServerCores = [0, 2], ClientCores = [1] };

    [Fact]
    public void What_a_library_allows_passes()
    {
        PlanCheck.CheckSides(Request(plan => plan), s_library);
        PlanCheck.CheckSides(Request(plan => plan with { ServerThreads = 3 }), s_library with { MaxServerThreads = 3 });
        PlanCheck.CheckSides(Request(plan => plan with { ServerThreads = 1_000 }), s_library with { MaxServerThreads = null });
        PlanCheck.CheckSides(
            Request(plan => plan with { ClientThreads = 3 }) with { Given = [ProcessOptions.ClientThreadsName] },
            s_library with { ClientThreadsByPlan = true });
    }

    [Fact]
    public void More_server_threads_than_the_library_can_have_are_refused()
    {
        CliRequest request = Request(plan => plan with { ServerThreads = 4 });
        Refuses("--server-threads: Small supports at most 1 server thread on this system; 4 were requested.", request, s_library);
        Refuses(
            "--server-threads: Small supports at most 3 server threads on this system; 4 were requested.", request, s_library with { MaxServerThreads = 3 });
    }

    [Fact]
    public void Client_threads_of_a_library_that_decides_itself_are_refused() => Refuses(
        "--client-threads: Small decides the threads of its clients itself. Omit the option.",
        Request(plan => plan) with { Given = [ProcessOptions.ClientThreadsName] }, s_library);

    [Fact]
    public void Cores_that_the_process_may_not_use_are_refused_with_those_that_it_may()
    {
        PlanCheck.CheckCores(s_pinning, [0, 1, 2]);
        BadInput.Throws("--pin: this process may not use core 0+2. Use cores of 1+3-5.", () => PlanCheck.CheckCores(s_pinning, [1, 3, 4, 5]));
        BadInput.Throws("--pin: this process may not use core 1-2. Use cores of 0.", () => PlanCheck.CheckCores(s_pinning, [0]));
    }

    [Fact]
    public void CheckCores_is_refused_when_the_system_has_no_affinity()
    {
        Assert.SkipUnless(OperatingSystem.IsMacOS(), "This system binds processes to cores.");
        BadInput.Throws(
            "--pin: only Linux and Windows can bind a process to cores. Omit the option.",
            () => PlanCheck.CheckCores(new RunPlan { Library = "Sockets", Pinning = s_pinning }));
    }

    [Fact]
    public void A_side_by_itself_is_bound_to_cores_of_its_own_only()
    {
        CliRequest server = Request(plan => plan with { Pinning = new PinningPlan { ServerCores = [0] } }) with { Action = CliAction.Server };
        CliRequest clients = Request(plan => plan with { Pinning = new PinningPlan { ClientCores = [0] } }) with { Action = CliAction.Client };
        PlanCheck.CheckOneSide(server, new PingPong());
        PlanCheck.CheckOneSide(clients, new PingPong());
        BadInput.Throws(
            "--pin: --role Client is the clients alone. Use clients=CORES.",
            () => PlanCheck.CheckOneSide(server with { Action = CliAction.Client }, new PingPong()));
        BadInput.Throws(
            "--pin: --role Server is the server alone. Use server=CORES.",
            () => PlanCheck.CheckOneSide(clients with { Action = CliAction.Server }, new PingPong()));
    }

    [Theory, InlineData("-l", "Sockets"), InlineData("-b")]
    public Task The_program_refuses_cores_that_it_may_not_use(params string[] arguments)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Other systems have other cores, or none to be bound to.");
        return ProgramInFolder.AssertRefusedAsync("Error: --pin: this process may not use core 1023. Use cores of ", [.. arguments, "--pin", "clients=1023"]);
    }

    private static void Refuses(string sentence, CliRequest request, LibraryInfo library) =>
        BadInput.Throws(sentence, () => PlanCheck.CheckSides(request, library));

    private static CliRequest Request(Func<RunPlan, RunPlan> change) => new()
    {
        Action = CliAction.Run,
        Plan = change(new RunPlan { Library = "Small" }),
        BenchmarkPart = new AllPart(),
    };
}
