namespace NetCoreNetworkBenchmark.Tests.Cli.Checks;

public sealed class PlanCheckTests
{
    private static readonly LibraryInfo s_library = new()
    {
        Name = "Small",
        Version = "1.0",
        Protocols = [Protocol.Udp],
        Transmissions = [new TransmissionInfo(Transmission.Unreliable, 1, 100)],
        MaxClients = 50,
    };

    private const string HasFewPorts = "and this system has 201 for clients of one address; ";
    private const string MorePorts = "get more with \"sysctl -w net.ipv4.ip_local_port_range='1024 65535'\"";

    private static readonly IWorkload s_workload = LibraryUnderTest.Catalog.FindWorkload(new RunPlan { Library = "Small" }.Test)!;

    private static readonly RunPlan s_plan = new() { Library = "Small", Clients = 50, MessageSize = 100 };
    private static readonly RunPlan s_stream = s_plan with { Protocol = Protocol.Tcp, Transmission = Transmission.Reliable };

    [Fact]
    public void Check_accepts_a_plan_at_the_limits() => PlanCheck.CheckLimits(s_plan, s_library);

    [Fact]
    public void Check_refuses_what_the_library_does_not_offer_and_says_what_it_does()
    {
        Refuses(s_plan with { Clients = 51 }, s_library, "--clients: Small supports at most 50 clients; 51 were requested.");
        Refuses(s_plan with { MessageSize = 101 }, s_library, "--size: Small (Udp, Unreliable) supports at most 100 bytes in a message; 101 were requested.");
        Refuses(s_plan with { Transmission = Transmission.Reliable }, s_library, "--transmission: Small has no Reliable delivery over UDP. Use Unreliable.");
        Refuses(
            new Payload("chat.txt", 3, 60, "abc") { Content = [new byte[16], new byte[101], new byte[102]] }.AddTo(s_plan), s_library,
            "--payload: Small (Udp, Unreliable) supports at most 100 bytes in a message; line 2 of 'chat.txt' has more.");
        Refuses(
            s_plan with { Protocol = Protocol.Ssl, Transmission = Transmission.Reliable },
            s_library with { UnavailableProtocols = [new UnavailableProtocol(Protocol.Ssl, "it was not found; install it")] },
            "--protocol: Small over TLS cannot run here: it was not found; install it.");
    }

    [Fact]
    public void Check_refuses_a_framing_that_the_library_does_not_declare_and_a_range_of_sizes_without_lengths()
    {
        LibraryInfo library = s_library with { Protocols = [Protocol.Tcp] };
        Refuses(s_stream with { Framing = Framing.Checked }, library, "--framing: Small has no Checked framing over TCP. Use Fixed.");
        PlanCheck.CheckLimits(s_stream with { Framing = Framing.Fixed }, library);
        RunPlan range = s_stream with { SmallestMessage = 32 };
        library = library with { Framings = Enum.GetValues<Framing>() };
        Refuses(range, library, "--size: a range over TCP requires --framing Length or Checked.");
        PlanCheck.CheckLimits(range with { Framing = Framing.Length }, library);
    }

    [Fact]
    public void CheckAlone_refuses_a_schedule_of_the_server_for_clients_alone()
    {
        var request = new CliRequest { BenchmarkPart = new AllPart(), Action = CliAction.Client, Plan = s_plan with { Rate = 100 } };
        BadInput.Throws(
            "--rate: the server keeps the schedule of Multicast, so give it to --role Server alone. --server-host and --client-hosts measure whether it " +
                "keeps it.",
            () => PlanCheck.CheckOneSide(request, new Multicast()));
        PlanCheck.CheckOneSide(request with { Action = CliAction.Server }, new Multicast());
        PlanCheck.CheckOneSide(request, new PingPong());
    }

    [Fact]
    public void CheckOneSide_refuses_limits_and_live_figures_that_the_side_does_not_have()
    {
        const string NoLoad = "--role Server measures no load. Use --role Client, or both sides.";
        RunPlan latency = s_plan with { Limits = [PlanValues.Limit("--limit", "p99=5ms")] };
        RunPlan cpu = s_plan with { Limits = [PlanValues.Limit("--limit", "server-cpu=5us")] };
        BadInput.Throws($"--limit: {NoLoad}", () => Check(CliAction.Server, latency));
        BadInput.Throws("--limit: --role Client does not know the server's CPU time. Use other limits, or both sides.", () => Check(CliAction.Client, cpu));
        BadInput.Throws($"--live: {NoLoad}", () => Check(CliAction.Server, s_plan, live: true));
        Check(CliAction.Client, latency);
        Check(CliAction.Client, s_plan, live: true);

        static void Check(CliAction action, RunPlan plan, bool live = false) =>
            PlanCheck.CheckOneSide(new CliRequest { BenchmarkPart = new AllPart(), Action = action, Plan = plan, Live = live }, new PingPong());
    }

    [Fact]
    public void CheckLatencyIsKnown_refuses_a_limit_of_the_time_of_one_way_between_two_clocks_and_no_other()
    {
        RunPlan here = s_plan with { Limits = [PlanValues.Limit("--limit", "loss=1%"), PlanValues.Limit("--limit", "p99=5ms")] };
        RunPlan apart = here with { Hosts = new HostsPlan { ServerHost = "a" } };
        const string Sentence = "--limit: p99=5ms requires latencies, and the time of one way is known only if the clients run on the server's machine. " +
            "Use other limits.";
        BadInput.Throws(Sentence, () => PlanCheck.CheckLatencyIsKnown(apart, new Multicast(), IPAddress.Loopback));
        BadInput.Throws(Sentence, () => PlanCheck.CheckLatencyIsKnown(here, new Multicast(), IPAddress.Parse("192.0.2.1")));
        PlanCheck.CheckLatencyIsKnown(here, new Multicast(), IPAddress.Loopback);
        PlanCheck.CheckLatencyIsKnown(apart, new PingPong(), IPAddress.Loopback);
        PlanCheck.CheckLatencyIsKnown(apart with { Limits = [here.Limits![0]] }, new Multicast(), IPAddress.Loopback);
    }

    [Theory, InlineData("p99=5ms", false), InlineData("server-cpu=5us", true)]
    public void A_limit_of_the_servers_CPU_time_gives_each_side_a_process(string limit, bool hasSeparateProcesses) =>
        Assert.Equal(hasSeparateProcesses, Placement.NeedsProcesses(s_plan with { Limits = [PlanValues.Limit("--limit", limit)] }));

    [Fact]
    public void Check_refuses_more_clients_than_descriptors_and_names_ulimit()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no limit of descriptors.");
        long limit = DescriptorLimit.Current()!.Value;
        Assert.SkipUnless(limit < int.MaxValue, "This machine has no limit of descriptors that a plan could exceed.");
        var exception = Assert.Throws<BenchmarkException>(
            () => PlanCheck.CheckLimits(s_plan with { Clients = (int)limit }, s_library with { MaxClients = null }));
        exception.Message.AssertHas($"ulimit -n {limit + DescriptorLimit.Reserved}");
        Assert.True(exception.IsBadInput);
    }

    [Fact]
    public void FaultOfDescriptors_refuses_more_than_select_can_watch_on_macOS()
    {
        long highest = (long)DescriptorLimit.HighestFor(ulong.MaxValue, isMacOs: true);
        Assert.Equal((1_024, 256UL, 4_096UL), (highest, DescriptorLimit.HighestFor(256, isMacOs: true), DescriptorLimit.HighestFor(4_096, isMacOs: false)));
        Assert.Equal(
            "1,000 clients need about 1,224 open descriptors, and this process may have 1,024; with more, .NET on macOS can write past the sets of select " +
                "(dotnet/runtime#126235): run it on Linux or use at most 800 clients.",
            PlanCheck.FaultOfDescriptors(s_plan with { Clients = 1_000 }, s_library, highest, isMacOs: true)?.OfPlan().Message);
        Assert.Null(PlanCheck.FaultOfDescriptors(s_plan with { Clients = 800 }, s_library, highest, isMacOs: true));
    }

    [Theory]
    [InlineData(201, 0, null)]
    [InlineData(202, 0, "202 clients need 202 local ports, " + HasFewPorts + MorePorts + " or use at most 201 clients.")]
    [InlineData(101, 5, "101 clients need 202 local ports, " + HasFewPorts + MorePorts + " or use at most 100 clients.")]
    [InlineData(
        70_000, 0,
        "70,000 clients need 70,000 local ports, " + HasFewPorts +
            "divide the clients among several hosts with --client-hosts or use at most 201 clients.")]
    public void FaultOfPorts_counts_those_of_the_clients_and_of_the_relay(int clients, double delayMilliseconds, string? sentence)
    {
        RunPlan plan = s_plan with { Clients = clients, Impairment = new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(delayMilliseconds) } };
        Assert.Equal(sentence, PlanCheck.FaultOfPorts(plan, s_library, s_workload, ports: 201)?.OfPlan().Message);
    }

    [Fact]
    public void FaultOfPorts_counts_two_ports_of_the_relay_for_a_client_that_roams()
    {
        RunPlan plan = s_plan with { Clients = 67, Impairment = new ImpairmentPlan { Roam = TimeSpan.FromSeconds(1) } };
        Assert.Null(PlanCheck.FaultOfPorts(plan, s_library, s_workload, ports: 201));
        Assert.NotNull(PlanCheck.FaultOfPorts(plan with { Clients = 68 }, s_library, s_workload, ports: 201));
    }

    [Fact]
    public void FaultOfPorts_finds_none_where_clients_need_no_port_or_have_other_addresses()
    {
        RunPlan plan = s_plan with { Clients = 500 };
        Assert.Null(PlanCheck.FaultOfPorts(plan, s_library with { DescriptorsPerClient = 0 }, s_workload, ports: 201));
        Assert.Null(PlanCheck.FaultOfPorts(plan, s_library, LibraryUnderTest.Catalog.Workloads.First(test => test is IConnectionWorkload), ports: 201));
        Assert.Null(PlanCheck.FaultOfPorts(plan with { Hosts = new HostsPlan { ServerHost = "other" } }, s_library, s_workload, ports: 201));
    }

    [Theory, InlineData(1, 1 << 20, 992, null)]
    [InlineData(
        2, 1 << 20, 992,
        "2 clients with 1,048,576 messages of 992 bytes in flight need at least 2.0 GiB of memory, and half of the memory of this machine " +
            "or control group is 1.0 GiB; use a larger one or fewer clients, messages or bytes.")]
    [InlineData(
        1_000_000, 1_000_000, 33_554_432,
        "1,000,000 clients with 1,000,000 messages of 33,554,432 bytes in flight need at least 31,250,029,802.3 GiB of memory, " +
            "and half of the memory of this machine or control group is 1.0 GiB; use a larger one or fewer clients, messages or bytes.")]
    public void FaultOfMemory_compares_all_messages_in_flight_with_the_memory(int clients, int messages, int size, string? sentence)
    {
        RunPlan plan = s_plan with { Clients = clients, ParallelMessages = messages, MessageSize = size };
        Assert.Equal(sentence, PlanCheck.FaultOfMemory(plan, s_workload, memory: 1L << 30)?.OfPlan().Message);
    }

    [Theory, InlineData(1_000_000, null)]
    [InlineData(
        50_000_000,
        "50,000,000 messages per second, of which each may wait 5 s for its answer, need at least 7.5 GiB of memory, and half of the memory of this " +
            "machine or control group is 1.0 GiB; use a larger one or a lower rate.")]
    public void FaultOfRate_compares_the_messages_of_an_open_loop_with_the_memory(double rate, string? sentence)
    {
        RunPlan plan = s_plan with { Rate = rate };
        Assert.Equal(sentence, PlanCheck.FaultOfRate(plan, s_workload, memory: 1L << 30)?.OfPlan().Message);
        Assert.Equal(sentence is null, PlanCheck.FaultOfRate(plan with { Rate = 1, LastRate = rate }, s_workload, memory: 1L << 30) is null);
    }

    [Fact]
    public void FindLibrary_names_the_remedy_for_a_library_that_is_not_in_this_build()
    {
        Assert.SkipUnless(LibraryUnderTest.Catalog.NotInBuild.Count > 0, "All optional packages are in this build.");
        string name = LibraryUnderTest.Catalog.NotInBuild[0].Library;
        var exception = Assert.Throws<BenchmarkException>(() => PlanCheck.FindLibrary(LibraryUnderTest.Catalog, name));
        exception.Message.AssertBegins($"--library: {name} is not in this build: package {name}");
        exception.Message.AssertHas("RestoreAdditionalProjectSources=DIR");
    }

    [Fact]
    public void CheckServer_refuses_one_call_for_all_clients_without_such_a_call_or_with_more_server_threads()
    {
        IWorkload workload = LibraryUnderTest.Catalog.FindWorkload(new Multicast().Name)!;
        RunPlan plan = workload.Options.Single(option => option.Name == "--broadcast").Apply(s_plan with { Test = workload.Name }, string.Empty);
        LibraryInfo without = s_library with { ServerPushTransports = [Protocol.Udp] };
        LibraryInfo with = without with { BroadcastTransports = [Protocol.Udp] };
        PlanCheck.CheckServer(plan, with, LibraryUnderTest.Catalog);
        Assert.Throws<BenchmarkException>(() => PlanCheck.CheckServer(plan, without, LibraryUnderTest.Catalog)).Message.AssertBegins(
            "--test: Multicast with one call for all clients requires a library that has one, and Small has none over UDP. Use the library ");
        BadInput.Throws(
            "--server-threads: one call reaches the clients of one thread of the server. Use --server-threads 1.",
            () => PlanCheck.CheckServer(plan with { ServerThreads = 2 }, with, LibraryUnderTest.Catalog));
    }

    [Fact]
    public void A_bad_network_under_TCP_and_a_neighbour_are_for_one_run_of_one_load_on_this_machine_alone()
    {
        RunPlan plan = s_plan with { Protocol = Protocol.Tcp, Impairment = new ImpairmentPlan { Loss = 0.01 } };
        var request = new CliRequest { BenchmarkPart = new AllPart(), Action = CliAction.Sweep, Plan = plan };
        const string Several = "a bad network under TCP is for one run of one load, or for --launches. Use -P Udp or Quic, or --cut.";
        RunPlan delayed = plan with { Impairment = new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(1), Seed = 2 } };
        BadInput.Throws($"--loss: {Several}", () => PlanCheck.CheckNamespacePath(request, plan));
        BadInput.Throws($"--rtt: {Several}", () => PlanCheck.CheckNamespacePath(request with { Given = ["--rtt"] }, plan));
        BadInput.Throws($"--delay: {Several}", () => PlanCheck.CheckNamespacePath(request, delayed));
        CliRequest run = request with { Action = CliAction.Run };
        BadInput.Throws(
            "--loss: a bad network under TCP is for both sides on this machine. Use -P Udp or Quic, or --cut.",
            () => PlanCheck.CheckNamespacePath(run, plan with { Hosts = new HostsPlan { ServerHost = "a" } }));
        BadInput.Throws(
            "--loss: a bad network under TCP is for IPv4, because the path has addresses of IPv4 alone. Use -P Udp or Quic, or --cut.",
            () => PlanCheck.CheckNamespacePath(run, plan with { Address = "::1" }));
        PlanCheck.CheckNamespacePath(
            request, plan with { Impairment = new ImpairmentPlan { Cut = new Interruption(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2)) } });
        PlanCheck.CheckNamespacePath(request, plan with { Protocol = Protocol.Udp });
        RunPlan neighbour = plan with { Protocol = Protocol.Udp, Impairment = new ImpairmentPlan { NeighbourBitsPerSecond = long.MaxValue } };
        BadInput.Throws(
            "--neighbour: a TCP connection in the same queue is for one run of one load, or for --launches. Omit the option.",
            () => PlanCheck.CheckNamespacePath(request, neighbour));
        BadInput.Throws(
            "--neighbour: a TCP connection in the same queue is for both sides on this machine. Omit the option.",
            () => PlanCheck.CheckNamespacePath(run, neighbour with { Hosts = new HostsPlan { ServerHost = "a" } }));
    }

    private static void Refuses(RunPlan plan, LibraryInfo library, string sentence) => BadInput.Throws(sentence, () => PlanCheck.CheckLimits(plan, library));
}
