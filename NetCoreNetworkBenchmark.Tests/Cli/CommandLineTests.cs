using NetCoreNetworkBenchmark.Workloads.Handshakes;

namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class CommandLineTests
{
    private static readonly LibraryInfo s_library = new()
    {
        Name = "Sockets",
        Version = "1.0",
        Protocols = [Protocol.Udp],
        Transmissions = [],
        MaxServerThreads = null,
        ClientThreadsByPlan = true,
    };

    // The test uses its own names, so a new library or test changes nothing here.
    internal static readonly CommandLine Parser = new(
        [new MaxClients(), new Multicast(), new PingPong(), new RoundTrip()], LibraryUnderTest.Catalog.Parts,
        ["ENet", "ENet-CSharp", "LiteNetLib", "NetCoreServer", "Sockets"], ["json", "markdown"], ["ENet-CSharp", "LiteNetLib", "NetCoreServer"]);

    [Theory, InlineData("-b", "all"), InlineData("-b=TLS-Matrix", "tls-matrix")]
    public void A_part_of_the_benchmark_is_chosen_by_its_name(string arguments, string name) => Assert.Equal(name, Read(arguments).BenchmarkPart.Name);

    [Fact]
    public void Defaults_are_those_of_the_original()
    {
        RunPlan plan = Read(string.Empty).Plan;
        Assert.Equal(("PingPong", "LiteNetLib", "127.0.0.1", 3333), (plan.Test, plan.Library, plan.Address, plan.Port));
        Assert.Equal((1000, 1, 32, MessageLoad.Ones), (plan.Clients, plan.ParallelMessages, plan.MessageSize, plan.MessageLoad));
        Assert.Equal((10, 5, 1), (plan.Duration.TotalSeconds, plan.WarmUp.TotalSeconds, plan.Iterations));
        Assert.Null(plan.Rate);
        Assert.Equal((true, Protocol.Udp, Transmission.Unreliable), (plan.Impairment.IsNone, plan.Protocol, plan.Transmission));
        Assert.False(Read(string.Empty).HasLibrary);
    }

    [Fact]
    public void A_stream_is_reliable_and_has_no_other_defaults_than_these()
    {
        RunPlan plan = Read("-P ssl").Plan;
        Assert.Equal((Protocol.Ssl, Transmission.Reliable, Framing.Fixed, null), (plan.Protocol, plan.Transmission, plan.Framing, plan.ClientLibrary));
        Assert.Equal((new TlsPlan(), Transmission.Unreliable), (plan.Tls, Read("-P tcp -r Unreliable").Plan.Transmission));
    }

    [Theory, InlineData("-c 100"), InlineData("-c=100"), InlineData("-c100"), InlineData("--clients 100"), InlineData("--clients=100")]
    public void A_value_may_follow_in_every_usual_way(string arguments) => Assert.Equal(100, Read(arguments).Plan.Clients);

    [Theory]
    [InlineData("::1", "::1"), InlineData("[::1]", "::1"), InlineData("0:0:0:0:0:0:0:1", "::1"), InlineData("::ffff:127.0.0.1", "127.0.0.1")]
    [InlineData("localhost", "localhost")]
    public void An_address_is_taken_in_its_usual_form(string text, string address) =>
        Assert.Equal((address, address), (Read($"-a {text}").Plan.Address, Read($"-P ssl --server-name {text}").Plan.Tls.ServerName));

    [Theory, InlineData("-t pingpong"), InlineData("--test=PINGPONG")]
    public void The_test_is_found_without_regard_to_case(string arguments) => Assert.Equal("PingPong", Read(arguments).Plan.Test);

    [Theory]
    [InlineData("-l enet", "ENet")]
    [InlineData("-lLITENETLIB", "LiteNetLib")]
    [InlineData("--library=netcoreserver", "NetCoreServer")]
    [InlineData("--library enet-csharp", "ENet-CSharp")]
    [InlineData("-l sockets", "Sockets")]
    public void The_library_is_found_without_regard_to_case(string arguments, string library) =>
        Assert.Equal((library, true), (Read(arguments).Plan.Library, Read(arguments).HasLibrary));

    [Fact]
    public void Every_option_reaches_the_plan()
    {
        CliRequest request = Read(
            "-t PingPong -l Sockets -P udp -r reliable -a localhost -p 4444 -c 7 -m 8 -s 9 -x random -d 2.5 --warmup 0 -o out --json --verbose");
        RunPlan plan = request.Plan;
        Assert.Equal((Protocol.Udp, Transmission.Reliable, "localhost", 4444), (plan.Protocol, plan.Transmission, plan.Address, plan.Port));
        Assert.Equal((7, 8, 9, MessageLoad.Random), (plan.Clients, plan.ParallelMessages, plan.MessageSize, plan.MessageLoad));
        Assert.Equal((2.5, 0), (plan.Duration.TotalSeconds, plan.WarmUp.TotalSeconds));
        Assert.Equal(("out", true, CliAction.Run), (request.Output, request.Json, request.Action));
    }

    [Theory, InlineData("-b", false), InlineData("-b --continue", true), InlineData("--continue -b=tcp", true)]
    public void A_benchmark_goes_on_where_the_user_wants_that(string line, bool continues) =>
        Assert.Equal((CliAction.Benchmark, continues), (Read(line).Action, Read(line).Continue));

    [Theory]
    [InlineData("--rate 1000..20000/10s", 10, 100)]
    [InlineData("--rate 1000..20000/500ms -d 10", 20, 10)]
    [InlineData("--rate 100.5..20000/1m -d 120 --arrivals Poisson", 2, 120)]
    public void A_rate_that_rises_divides_the_duration_into_steps(string line, int steps, double seconds)
    {
        RunPlan plan = Read(line).Plan;
        Assert.Equal((20_000, steps, seconds), (plan.LastRate, plan.Iterations, plan.Duration.TotalSeconds));
        Assert.Equal(plan, Read(PlanArguments.Command(PlanOptions.All.SelectMany(option => option.ArgumentsOf(plan))).Split(' ', 2)[1]).Plan);
    }

    [Fact]
    public void Every_option_of_a_trustworthy_figure_reaches_the_plan()
    {
        RunPlan plan = Read(
            "--rate 2500.5 --arrivals Poisson --iterations 4 --any-machine --delay 5ms --jitter 1ms --loss 1% --duplicate 2% --reorder 3% --corrupt 4% " +
            "--stall 100ms/1s --outage 2s/20s --roam 5s --bandwidth 10mbit --seed 7").Plan;
        Assert.Equal((2500.5, Arrivals.Poisson, 4, true), (plan.Rate, plan.Arrivals, plan.Iterations, plan.AnyMachine));
        Assert.Equal(
            new ImpairmentPlan
            {
                Delay = TimeSpan.FromMilliseconds(5),
                Jitter = TimeSpan.FromMilliseconds(1),
                Loss = 0.01,
                Duplicate = 0.02,
                Reorder = 0.03,
                Corrupt = 0.04,
                Stall = new Interruption(TimeSpan.FromMilliseconds(100), TimeSpan.FromSeconds(1)),
                Outage = new Interruption(TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(20)),
                Roam = TimeSpan.FromSeconds(5),
                BandwidthBitsPerSecond = 10_000_000,
                Seed = 7,
            },
            plan.Impairment);
        Assert.Equal(new Interruption(TimeSpan.FromMilliseconds(200), TimeSpan.FromSeconds(2)), Read("-P Tcp --cut 0.2s/2s").Plan.Impairment.Cut);
    }

    [Fact]
    public void A_neighbour_is_in_the_plan_and_in_its_command()
    {
        RunPlan plan = Read("--bandwidth 10mbit/1mbit --neighbour 100kbit").Plan;
        Assert.Equal(100_000, plan.Impairment.NeighbourBitsPerSecond);
        Assert.Equal(plan, Read(PlanArguments.Command(PlanOptions.All.SelectMany(option => option.ArgumentsOf(plan))).Split(' ', 2)[1]).Plan);
        Assert.Equal(["bandwidth 10000kbit/1000kbit to the server/to the clients", "neighbour 100kbit"], ImpairmentOptions.Describe(plan.Impairment));
    }

    [Theory, InlineData("-d 10 --iterations 1000", 1000), InlineData("-d 0.3 --iterations 30", 30), InlineData("-d 100 --iterations 10000", 10_000)]
    public void Iterations_may_be_as_short_as_ten_milliseconds(string arguments, int iterations) => Assert.Equal(iterations, Read(arguments).Plan.Iterations);

    [Fact]
    public void Threads_and_cores_reach_the_plan()
    {
        CliRequest request = Read("--server-threads 2 --client-threads 3 --pin server=0-1+3,clients=2");
        Assert.Equal((2, 3), (request.Plan.ServerThreads, request.Plan.ClientThreads));
        Assert.Equal(["--server-threads", "--client-threads", "--pin"], request.Given);
        Assert.Equal(new PinningPlan { ServerCores = [0, 1, 3], ClientCores = [2] }, request.Plan.Pinning);
    }

    [Theory]
    [InlineData("--pin server=0", new[] { 0 }, null)]
    [InlineData("--pin clients=3+1-2+1", null, new[] { 1, 2, 3 })]
    [InlineData("--pin=CLIENTS=1,Server=0", new[] { 0 }, new[] { 1 })]
    public void A_side_is_bound_to_each_of_its_cores_once(string arguments, int[]? server, int[]? clients)
    {
        PinningPlan pinning = Read(arguments).Plan.Pinning;
        Assert.Equal(server, pinning.ServerCores);
        Assert.Equal(clients, pinning.ClientCores);
    }

    [Fact]
    public void Threads_that_are_not_chosen_follow_from_the_cores()
    {
        CliRequest request = Read(string.Empty);
        Assert.Equal((1, true), (request.Plan.ServerThreads, request.Plan.Pinning.IsNone));
        Assert.Empty(request.Given);
        Assert.Equal(Math.Clamp(Environment.ProcessorCount / 2, 1, 8), request.Plan.ClientThreads);
        Assert.Equal((request.Plan.ClientThreads, 3), (Read("--pin server=0-3").Plan.ClientThreads, Read("--pin clients=0-2").Plan.ClientThreads));
        Assert.Equal((8, 2), (Read("--pin clients=0-15").Plan.ClientThreads, Read("--pin clients=0-15 --client-threads 2").Plan.ClientThreads));
    }

    [Fact]
    public void Read_takes_settings_by_library_name_and_value() => Assert.Equal(
        [new RequestedSetting("epoll", "batch", "gso"), new RequestedSetting("ENet-CSharp", "x.y", "a=b")],
        Read("--set epoll.batch=gso --set ENet-CSharp.x.y=a=b").Settings);

    [Fact]
    public void A_sweep_takes_its_limits()
    {
        CliRequest request = Read("--sweep --limit p99=5ms --limit p99.9=0.5s");
        Assert.Equal(CliAction.Sweep, request.Action);
        Assert.Equal([(99, 5_000), (99.9, 500_000)], request.Plan.Limits!.Select(limit => (limit.Percentile!.Value, limit.Bound)));
    }

    [Theory]
    [InlineData("--sweep", SweepVariable.Rate), InlineData("--sweep rate", SweepVariable.Rate), InlineData("--sweep Clients", SweepVariable.Clients)]
    [InlineData("--sweep=players", SweepVariable.Clients)]
    public void A_sweep_is_of_the_rate_or_of_the_clients(string arguments, SweepVariable variable)
    {
        CliRequest request = Read($"-l ENet,LiteNetLib {arguments} --limit p99=5ms");
        Assert.Equal((CliAction.Sweep, variable, false, 2), (request.Action, request.Sweep, request.IsComparison, request.Plans.Count));
    }

    [Theory]
    [InlineData("-l Sockets --rate 500 --sweep --limit p99=5ms", null)]
    [InlineData("-l Sockets --rate-per-client 0.3 --sweep clients --limit p99=5ms", 0.3)]
    [InlineData("-l Sockets,ENet --rate 500 --sweep clients --limit p99=5ms", null)]
    [InlineData("-l Sockets,ENet --think 5ms --sweep clients --limit ticks.late=1% --limit age.p99=2ms --limit server-cpu=150%", null)]
    public void The_command_of_a_sweep_asks_for_the_same_sweep(string arguments, double? ratePerClient)
    {
        CliRequest request = Read(arguments);
        string command = PlanArguments.CommandOfSweep(
            [.. request.Plans.Select(plan => (plan, LibraryUnderTest.Create("Sockets").Info, (IWorkload)new PingPong()))], request.Sweep, ratePerClient);
        CliRequest again = Read(command.Split(' ', 2)[1]);
        Assert.Equal((request.Action, request.Sweep), (again.Action, again.Sweep));
        Assert.Equal(request.Plans, again.Plans);
        Assert.Equal(request.IsGiven("--rate-per-client"), again.IsGiven("--rate-per-client"));
    }

    [Fact]
    public void Limits_of_ticks_ages_busy_cores_and_bytes_on_the_wire_are_read() => Assert.Equal(
        [
            new RunLimit(LimitKind.LateTicks, 0.01, null, "ticks.late=1%"), new RunLimit(LimitKind.Age, 150_000, 99, "age.p99=150ms"),
            new RunLimit(LimitKind.Age, 1_000_000, 100, "age.max=1s"), new RunLimit(LimitKind.ServerCores, 1.5, null, "server-cpu=150%"),
            new RunLimit(LimitKind.Wire, 120, null, "wire=120B"),
        ],
        Read("--limit ticks.late=1% --limit age.p99=150ms --limit age.max=1s --limit server-cpu=150% --limit wire=120B").Plan.Limits!);

    [Fact]
    public void A_run_takes_limits_of_latency_loss_and_server_CPU_and_its_command_has_them()
    {
        CliRequest request = Read("-l Sockets --limit p50=80us --limit max=0.1s --limit loss=0.7% --limit server-cpu=10us");
        Assert.Equal(
            [
                new RunLimit(LimitKind.Latency, 80, 50, "p50=80us"), new RunLimit(LimitKind.Latency, 100_000, 100, "max=0.1s"),
                new RunLimit(LimitKind.Loss, 0.007, null, "loss=0.7%"), new RunLimit(LimitKind.ServerCpu, 10, null, "server-cpu=10us"),
            ],
            request.Plan.Limits!);
        CliRequest again = Read(PlanArguments.CommandOf(request.Plan, LibraryUnderTest.Create("Sockets").Info).Split(' ', 2)[1]);
        Assert.Equal(request.Plan.Limits, again.Plan.Limits);
    }

    [Fact]
    public void The_search_for_the_most_clients_takes_a_bound_and_a_deadline()
    {
        CliRequest request = Read("-t maxclients -l Sockets -c 500 --deadline 250ms");
        Assert.Equal((CliAction.CapacitySearch, 500), (request.Action, request.MaxClients));
        Assert.Equal(("MaxClients", 250), (request.Plan.Test, request.Plan.LossDeadline.TotalMilliseconds));
        CliRequest withDefaults = Read("-t MaxClients");
        Assert.Null(withDefaults.MaxClients);
        Assert.Equal(1, withDefaults.Plan.LossDeadline.TotalSeconds);
    }

    [Theory]
    [InlineData("-t MaxClients -l ENet -r Reliable -p 0 -s 100 -x zeros", null)]
    [InlineData("-t MaxClients -l Sockets -a localhost -c 7 --deadline 0.5s", 7)]
    [InlineData("-t MaxClients -l Sockets --deadline 10us", null)]
    [InlineData("-t MaxClients -l Sockets -c 7 --any-machine", 7)]
    [InlineData("-t MaxClients -l Sockets -P Ssl --framing length --client-library Sockets --key rsa4096 --tls 1.3", null)]
    [InlineData("-t MaxClients -l Sockets -P Tcp --pin server=0,clients=1 --runtime gcServer=1", null)]
    [InlineData("-t MaxClients -l Sockets -P Tcp --server-host node1 --client-hosts node2,node3=2 --profile Tuned", null)]
    public void The_command_of_a_search_for_the_most_clients_asks_for_the_same(string arguments, int? clients)
    {
        CliRequest request = Read(arguments);
        LibraryInfo library = LibraryUnderTest.Catalog.CreateLibrary(request.Plan.Library)!.Info;
        CliRequest again = Read(PlanArguments.CommandOfCapacitySearch(request.Plan, library, new MaxClients(), clients).Split(' ', 2)[1]);
        Assert.Equal((request.Plan, CliAction.CapacitySearch, clients), (again.Plan, again.Action, again.MaxClients));
    }

    [Theory]
    [InlineData("", CliAction.Run)]
    [InlineData("--role both", CliAction.Run)]
    [InlineData("--role Server", CliAction.Server)]
    [InlineData("--role client -a localhost", CliAction.Client)]
    [InlineData("--list", CliAction.List)]
    [InlineData("-b", CliAction.Benchmark)]
    [InlineData("--benchmark", CliAction.Benchmark)]
    public void Action_follows_from_the_options(string arguments, object action) => Assert.Equal(action, Read(arguments).Action);

    [Fact]
    public void Lists_of_values_are_all_combinations_with_the_first_one_first()
    {
        CliRequest request = Read("-l ENet,LiteNetLib -s 32..512,1024 -c 100,1 --loss 0%,1%");
        Assert.Equal(16, request.Plans.Count);
        Assert.Equal(16, request.Plans.Distinct().Count());
        Assert.Equal(request.Plan, request.Plans[0]);
        Assert.Equal(("ENet", 100, 32, 512, 0), (
            request.Plan.Library, request.Plan.Clients, request.Plan.SmallestMessage, request.Plan.MessageSize, request.Plan.Impairment.Loss));
        Assert.Equal(["--library", "--clients", "--size", "--loss"], request.Varied.Select(option => option.Name));
        Assert.Equal("0, 1%", request.Varied[3].FormatValues(request.Plans));
    }

    [Fact]
    public void A_list_that_is_also_a_number_has_spaces_when_it_is_typed_and_when_it_is_printed()
    {
        CliRequest request = Parser.Read(Parser.Parse(["-l", "ENet", "-c", "100, 200"]));
        Assert.Equal([100, 200], request.Plans.Select(plan => plan.Clients));
        Assert.Equal("100, 200", Assert.Single(request.Varied).FormatValues(request.Plans));
    }

    [Theory]
    [InlineData("-b --precision 3% --time 10m --baseline ENet --any-machine --profile Tuned --set a.b=c --pin server=0 --runtime gcServer=1")]
    [InlineData("-b=tls-matrix -l ENet")]
    [InlineData("-b=udp -l ENet,LiteNetLib --baseline ENet")]
    [InlineData("-l ENet,LiteNetLib -c 100 --precision 3% --time 10m --baseline LiteNetLib")]
    [InlineData("-b --versions LiteNetLib=1,2 -l LiteNetLib --launches 2")]
    [InlineData("regress other -b=quick --any-machine --launches 2")]
    [InlineData("regress other -c 100 --rounds 2")]
    [InlineData("--list --verbose")]
    [InlineData("-l Sockets -o regress")]
    public void Read_takes_the_options_that_have_an_effect(string arguments) => Read(arguments);

    [Theory, InlineData("Server"), InlineData("Client")]
    public void Each_side_alone_shows_a_certificate_of_its_own_with_mutual_TLS(string role)
    {
        TlsPlan tls = Read($"-P Ssl --mutual-tls --certificate a --certificate-key b --role {role}").Plan.Tls;
        Assert.Equal((true, "a", "b"), (tls.Mutual, tls.CertificateFile, tls.CertificateKeyFile));
    }

    [Theory]
    [InlineData("-l Sockets -c 7 -m 8 -s 9 -x random --warmup 0 --iterations 3")]
    [InlineData("-l ENet -r Reliable -p 0 -d 0.5 --any-machine --loss-deadline 0.5")]
    [InlineData("-l Sockets --rate 1000 --stall 100ms/1s --seed 7")]
    [InlineData("-l Sockets --rate 1000 --outage 2s/20s --roam 2.5s")]
    [InlineData("-l Sockets --rate 0.5 --delay 5ms --jitter 1ms --loss 7% --duplicate 29% --reorder 3% --corrupt 0.5% --bandwidth 10mbit")]
    [InlineData("-l Sockets --server-threads 2 --client-threads 3 --pin server=0-1+3")]
    [InlineData("-l Sockets --pin server=0,clients=1-2")]
    [InlineData("-l Sockets -s 32..512 --think 1.5ms")]
    [InlineData("-l Sockets -P Tcp --framing length --client-library NetCoreServer")]
    [InlineData("-l Sockets -P Ssl --key p384 --tls 1.2 --mutual-tls --server-name example.org --authority ca.crt")]
    [InlineData("-l Sockets -P Ssl --certificate server.crt --certificate-key server.key --tls 1.3")]
    public void The_command_of_a_result_asks_for_the_same_plan(string arguments)
    {
        RunPlan plan = Read(arguments).Plan;
        Assert.Equal(plan, Read(string.Join(' ', PlanArguments.From(plan, s_library))).Plan);
    }

    [Fact]
    public void A_flag_of_a_test_has_no_value_in_the_command()
    {
        var commandLine = new CommandLine([new PingPong(), new Handshake()], LibraryUnderTest.Catalog.Parts, ["Sockets"], []);
        RunPlan plan = Read("-t Handshake -l Sockets -P Ssl --handshake-only", commandLine).Plan;
        Assert.Equal(plan, Read(string.Join(' ', PlanArguments.From(plan, s_library, new Handshake())), commandLine).Plan);
    }

    [Fact]
    public void An_option_of_a_test_is_in_the_help_the_plan_and_the_command()
    {
        var commandLine = new CommandLine([new PingPong(), new TestWithOptions()], LibraryUnderTest.Catalog.Parts, ["Sockets"], []);
        RunPlan plan = Read("-t WithOptions --fan-out 3 -l Sockets", commandLine).Plan;
        Assert.Equal("3", plan.WorkloadOptions["--fan-out"]);
        PlanArguments.CommandOf(plan, s_library).AssertEnds(" --fan-out 3");
        Assert.Equal("2", Read("-t WithOptions -l Sockets", commandLine).Plan.WorkloadOptions["--fan-out"]);
        Assert.Equal(plan, Read(string.Join(' ', PlanArguments.From(plan, s_library)), commandLine).Plan);
        Assert.Empty(Read("-l Sockets", commandLine).Plan.WorkloadOptions);
        Assert.Equal("--fan-out requires -t WithOptions.", Assert.Throws<BenchmarkException>(() => Read("--fan-out 3", commandLine)).Message);
        Assert.Equal(
            "--rate is not applicable to -t WithOptions: the test has a rate of its own.",
            Assert.Throws<BenchmarkException>(() => Read("-t WithOptions --rate 3", commandLine)).Message);
        string help = string.Join(' ', HelpPageTests.HelpOf(commandLine, "--help load").Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries));
        help.AssertHas(
            "receivers of each message; requires -t WithOptions [default: 2]", "port of the server; 0 for a free one; with -t WithOptions the first of two");
    }

    private static CliRequest Read(string arguments, CommandLine commandLine) =>
        commandLine.Read(commandLine.Parse(arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries)));

    internal static CliRequest Read(string arguments) => Read(arguments, Parser);

    internal static CliRequest Read(IReadOnlyList<string> arguments) => Parser.Read(Parser.Parse(arguments));

    private sealed class TestWithOptions : IMessageWorkload
    {
        public string Name => "WithOptions";

        public IReadOnlyList<WorkloadOption> Options =>
            [new("--fan-out", "receivers of each message", (plan, text) => plan.WithWorkloadOption("--fan-out", text)) { Default = "2" }];

        public IReadOnlyDictionary<string, string> OptionRemarks => new Dictionary<string, string> { ["--port"] = "with -t WithOptions the first of two" };
        public IReadOnlyDictionary<string, string> ExcludedOptions => new Dictionary<string, string> { ["--rate"] = "the test has a rate of its own" };

        public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => throw new NotSupportedException();

        public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) => throw new NotSupportedException();
    }
}
