using NetCoreNetworkBenchmark.Workloads.FixedCounts;

namespace NetCoreNetworkBenchmark.Tests.Running.Outcome;

public sealed class HostFiguresTests
{
    [Fact]
    public void A_host_that_did_much_less_than_its_part_voids_the_run_by_name_and_hardware()
    {
        HostsResult hosts = HostsOf([(100, 900), (100, 1_300)], cpus: ["Slow One", "Fast One"]);
        Assert.Equal(
            [
                "The clients on host-0 were 50.0 % of the clients and had 40.9 % of the messages (limit: ±10 %), so the hosts were compared and not the " +
                    "servers. It has 2 cores of Slow One, host-1 has 2 of Fast One.",
                "The clients on host-1 were 50.0 % of the clients and had 59.1 % of the messages (limit: ±10 %), so the hosts were compared and not the " +
                    "servers. It has 2 cores of Fast One, host-0 has 2 of Slow One.",
            ],
            HostFigures.FindFaults(hosts));
    }

    [Theory, InlineData(1_000, 1_000), InlineData(1_000, 1_200)]
    public void A_part_of_90_to_110_percent_is_even(long one, long other) => Assert.Empty(HostFigures.FindFaults(HostsOf([(100, one), (100, other)])));

    [Fact]
    public void The_part_is_by_the_number_of_clients() => Assert.Empty(HostFigures.FindFaults(HostsOf([(600, 6_000), (400, 4_000)])));

    [Fact]
    public void Hosts_that_are_one_machine_are_remarked_and_their_parts_void_nothing()
    {
        HostsResult hosts = HostsOf([(100, 500), (100, 1_500)], bootIds: ["same", "same"]);
        Assert.Empty(HostFigures.FindFaults(hosts));
        Assert.Contains("host-0, host-1 are one machine, and their processes share its cores.", HostFigures.FindRemarks(hosts, isOneLibrary: true));
        Assert.Equal(2, HostFigures.FindRemarks(hosts, isOneLibrary: true).Count());
    }

    [Theory]
    [InlineData(0.94, null)]
    [InlineData(0.97, "host-0 was saturated: 97 % of its CPU time was used (limit: 95 %), so its clients were measured and not the server.")]
    public void A_host_without_idle_time_voids_the_run_by_name(double busy, string? fault) =>
        Assert.Equal(fault is null ? [] : [fault], HostFigures.FindFaults(HostsOf([(1, 10), (1, 10)], busy: busy)));

    // Other cores of the machine are idle.
    [Theory]
    [InlineData(1.8, null)]
    [InlineData(1.96, "host-1 was saturated: 98 % of its CPU time was used (limit: 95 %), so its clients were measured and not the server.")]
    public void A_host_whose_clients_use_all_the_cores_that_they_may_use_voids_the_run_by_name(double cores, string? fault)
    {
        HostsResult hosts = HostsOf([(1, 10), (1, 10)]);
        ProcessCost cost = hosts.Clients[1].Cost with { Seconds = 10, UserCpuSeconds = cores * 10, SystemCpuSeconds = 0 };
        Assert.Equal(
            fault is null ? [] : [fault], HostFigures.FindFaults(hosts with { Clients = [hosts.Clients[0], hosts.Clients[1] with { Cost = cost }] }));
    }

    [Theory, InlineData(0.05, 0), InlineData(-0.05, 0), InlineData(2, 1), InlineData(-2, 1)]
    public void A_clock_that_was_set_voids_the_run_by_name(double seconds, int faults)
    {
        string[] found = [.. HostFigures.FindFaults(HostsOf([(1, 10), (1, 10)], clockStep: seconds))];
        Assert.Equal(faults, found.Length);
        Assert.All(found, fault => Assert.StartsWith("The clock of host-0 was set by ", fault, StringComparison.Ordinal));
    }

    [Fact]
    public void Different_versions_of_the_library_are_remarked() => Assert.Contains(
        "The hosts have different versions of the library: host-0 1.0, host-1 1.1.",
        HostFigures.FindRemarks(HostsOf([(1, 10), (1, 10)], versions: ["1.0", "1.1"]), isOneLibrary: true));

    [Fact]
    public void The_versions_of_two_libraries_are_not_compared()
    {
        HostsResult hosts = HostsOf([(1, 10), (1, 10)]);
        HostsResult driven = hosts with { Server = hosts.Clients[0] with { LibraryVersion = "another library's" } };
        Assert.Empty(HostFigures.FindRemarks(driven, isOneLibrary: false));
        Assert.Single(HostFigures.FindRemarks(driven, isOneLibrary: true));
    }

    [Fact]
    public void Namespaces_of_this_machine_are_no_hosts_of_a_result() =>
        Assert.Null(HostFigures.From(MeasurementsOf([(1, 10)], launcher: Launcher.Namespaces)));

    private static HostsResult HostsOf(
        (int Clients, long Messages)[] drivers, string[]? cpus = null, string[]? bootIds = null, string[]? versions = null, double busy = 0.5,
        double clockStep = 0) => HostFigures.From(MeasurementsOf(drivers, cpus, bootIds, versions, busy, clockStep))!;

    private static RunMeasurements MeasurementsOf(
        (int Clients, long Messages)[] drivers, string[]? cpus = null, string[]? bootIds = null, string[]? versions = null, double busy = 0.5,
        double clockStep = 0, Launcher launcher = Launcher.Ssh) => new()
        {
            Plan = new RunPlan
            {
                Library = SampleLibrary.Name,
                Clients = drivers.Sum(driver => driver.Clients),
                Hosts = new HostsPlan
                {
                    ServerHost = "server",
                    ClientHosts = [.. drivers.Select((_, index) => new ClientHost($"host-{index}"))],
                    Launcher = launcher,
                },
            },
            Library = SampleLibrary.Info,
            EndPoint = new IPEndPoint(IPAddress.Loopback, 1),
            Workload = new PingPong(),
            LoadGenerators =
            [
                .. drivers.Select((driver, index) => SampleFrames.Clients with
                {
                    Clients = driver.Clients,
                    Measured = new MessageCounters { ClientReceived = driver.Messages },
                    LibraryVersion = versions?[index] ?? "1.0",
                    Machine = new MachineUse(index == 0 ? busy : 0.5, 0, 4),
                }),
            ],
            GeneratorHosts =
            [
                .. drivers.Select((_, index) => HostOf($"host-{index}", cpus?[index], bootIds?[index] ?? $"{index}", index == 0 ? clockStep : 0)),
            ],
            Fitness = new Fitness { Warnings = [] },
        };

    private static HostReport HostOf(string name, string? cpu, string bootId, double clockStep) => new(
        name,
        new HostFacts
        {
            ProcessId = 1,
            MachineName = name,
            BootId = bootId,
            Clock = DateTimeOffset.UnixEpoch,
            Environment = MachineInspector.Inspect() with { Cpu = cpu ?? "One", Cores = 2 },
            Fitness = new Fitness { Warnings = [] },
        },
        TimeSpan.FromSeconds(clockStep));
}

public sealed class TlsFaultsTests
{
    private static readonly NegotiatedTls s_full = new("1.3", "TLS_AES_256_GCM_SHA384", "x25519", Resumed: false) { Count = 50, Key = "Rsa2048" };

    [Theory]
    [InlineData("x25519", null)]
    [InlineData("secp384r1", "50 handshakes used the group secp384r1 instead of x25519.")]
    [InlineData(null, "The clients of Sockets cannot choose or report the group of a handshake, and --group x25519 requires it.")]
    public void FindFaults_names_another_group_than_the_one_asked_for(string? group, string? fault)
    {
        RunResult result = ResultOf(s_full with { Group = group }, new TlsPlan { Group = "x25519" });
        Assert.Equal(fault is null ? [] : [fault], Validity.FindTlsFaults(result));
    }

    [Theory]
    [InlineData(null, null)]
    [InlineData(TlsKey.Rsa2048, null)]
    [InlineData(TlsKey.P256, "50 handshakes used a certificate with the key Rsa2048 instead of P256.")]
    public void FindFaults_names_another_key_than_the_one_asked_for_at_any_server(TlsKey? key, string? fault)
    {
        foreach (string? authority in (string?[])[null, "authority.crt"])
        {
            RunResult result = ResultOf(s_full, new TlsPlan { Key = key, AuthorityFile = authority });
            Assert.Equal(fault is null ? [] : [fault], Validity.FindTlsFaults(result));
        }
    }

    private static RunResult ResultOf(NegotiatedTls handshakes, TlsPlan tls) => SampleResults.Stream
        .WithPlan(plan => plan with { ClientLibrary = "Sockets", Tls = tls })
        .WithClients(clients => clients with { Handshakes = [handshakes] });
}

public sealed class ResultBuilderTests
{
    // Three quarters of the machine were busy: with a quarter for the clients and a quarter for the server, a quarter was used by others.
    [Theory, InlineData(2.0), InlineData(0.5)]
    public void Other_programs_took_a_share_of_all_cores_of_the_machine_however_long_the_server_watched(double serverSeconds)
    {
        // More than this process may use.
        const int Cores = 4_096;
        RunResult result = ResultOf(
            SampleFrames.Clients with { Cost = BusyFor(0.25 * Cores, seconds: 2), Machine = new MachineUse(0.75, 0, Cores) },
            SampleFrames.Server with { Cost = BusyFor(0.25 * Cores, serverSeconds) });
        Assert.Equal(0.25, result.Fitness.OtherShare!.Value, tolerance: 1e-9);
    }

    [Theory, InlineData(0.03, 0, true), InlineData(0.01, 0, false), InlineData(0.03, 0.02, false)]
    public void A_side_that_works_while_its_load_is_paused_is_named_unless_it_compiles(double cores, double compiling, bool isNamed)
    {
        const double Seconds = 10;
        ProcessCost idle = BusyFor(cores, Seconds) with { CompilationSeconds = compiling * Seconds };
        RunResult result = ResultOf(
            SampleFrames.Clients with { Idle = BusyFor(0, Seconds), Remarks = [] },
            SampleFrames.Server with { Idle = idle, Remarks = [] });
        Assert.Equal(
            isNamed ? ["The server used more than 2 % of a core while the load was paused: the library is not idle between slices."] : [], result.Remarks);
    }

    private static RunResult ResultOf(ClientReport clients, ServerReport server) => ResultBuilder.Build(new RunMeasurements
    {
        Plan = new RunPlan { Library = SampleLibrary.Name },
        Library = SampleLibrary.Info,
        EndPoint = new IPEndPoint(IPAddress.Loopback, 1),
        Workload = new PingPong(),
        LoadGenerators = [clients],
        Server = server,
        Fitness = new Fitness { Warnings = [] },
    });

    private static ProcessCost BusyFor(double cores, double seconds) =>
        SampleFrames.Server.Cost! with { Seconds = seconds, UserCpuSeconds = cores * seconds, SystemCpuSeconds = 0 };
}

public sealed class CountGapTests
{
    private static readonly RunPlan s_plan = new() { Library = "Sockets", Clients = 20, ParallelMessages = 1 };

    [Theory]
    [InlineData(72_579, 2.6785, 0)]
    [InlineData(100_000, 3, 0)]
    [InlineData(100_020, 3, 0)]
    [InlineData(99_980, 3, 0)]
    [InlineData(97_980, 3, -0.02)]
    [InlineData(105_020, 3, 0.05)]
    [InlineData(98_000, 2.5, 0.17576)]
    public void Of_is_what_neither_the_lengths_of_the_intervals_nor_the_messages_in_flight_explain(long served, double seconds, double gap)
    {
        RunResult result = ResultOf(served, seconds, served == 72_579 ? 81_287 : 100_000);
        Assert.Equal(gap, CountGap.Find(new PingPong(), result)!.Value, tolerance: 1e-5);
    }

    [Fact]
    public void Of_is_null_when_the_counts_of_the_sides_need_not_be_equal()
    {
        RunResult result = ResultOf(50_000, 3);
        Assert.Null(CountGap.Find(new PingPong(), result.WithPlan(plan => plan with { Rate = 1_000 })));
        Assert.Null(CountGap.Find(new FixedCount(), result));
        RunResult[] others =
        [
            result.WithLost(1),
            result.WithClients(clients => clients with { AfterStart = clients.AfterStart with { Duplicated = 1 } }),
            result.WithClients(clients => clients with { Aborted = true }),
            result.WithClients(clients => clients with { LatencyKind = LatencyKind.OneWay }),
            result with { Relay = SampleResults.OpenLoop.Relay },
            result.WithServer(server => server with { Received = null }),
            result.WithServer(server => server with { Received = 0 }),
            result.WithServer(server => server with { Idle = server.Cost }),
            result with { Hosts = new HostsResult("ssh", null, null, []) { Missing = [new MissingHost("host-a", null, "It is gone.")] } },
        ];
        Assert.All(others, other => Assert.Null(CountGap.Find(new PingPong(), other)));
    }

    [Theory, InlineData(0.019, false, false), InlineData(-0.021, true, false), InlineData(0.099, true, false), InlineData(-0.101, false, true)]
    public void A_gap_is_a_remark_above_2_percent_and_a_fault_above_10(double gap, bool isRemark, bool isFault)
    {
        RunResult result = ResultOf(90_000, 3);
        Assert.Equal((isRemark, isFault), (CountGap.RemarkOf(gap, result) is not null, CountGap.FaultOf(gap, result) is not null));
    }

    [Fact]
    public void A_gap_is_a_remark_when_any_machine_is_good_enough()
    {
        RunResult result = ResultOf(88_980, 3).WithPlan(plan => plan with { AnyMachine = true });
        double? gap = CountGap.Find(new PingPong(), result);
        Assert.Null(CountGap.FaultOf(gap, result));
        Assert.Equal(
            "The server counted messages at a rate 11.0 % lower than the clients (limit: 2 %): 29,660 msg/s (88,980 in 3.000 s), " +
                "the clients 33,333 msg/s (100,000 in 3.000 s).",
            CountGap.RemarkOf(gap, result));
    }

    [Theory, InlineData(1_000, 0), InlineData(1_030, 0), InlineData(999, -1), InlineData(0, -1), InlineData(1_031, 1), InlineData(2_020, 1)]
    public void FaultOfTotals_names_answers_without_a_message_at_the_server_and_messages_that_no_client_sent(long served, int fault)
    {
        RunResult result = ResultOf(100_000, 3).WithClients(clients => clients with
        {
            Whole = new MessageCounters { ClientSent = 1_010, ClientReceived = 1_000, GivenUp = 10 },
        });
        string? sentence = CountGap.FaultOfTotals(new PingPong(), result, served);
        Assert.Equal(
            fault switch
            {
                < 0 => $"The clients counted 1,000 answers, but only {served:N0} messages reached the handler of the server: " +
                    "the others were answered without it, and cost it nothing.",
                > 0 => $"The handler of the server was called for {served:N0} messages, but the clients sent 1,010 (limit: +2 %), " +
                    "so its CPU time per message is too low.",
                _ => null,
            },
            sentence);
        Assert.Null(CountGap.FaultOfTotals(new PingPong(), result, null));
        Assert.Null(CountGap.FaultOfTotals(new PingPong(), result.WithClients(clients => clients with { LatencyKind = LatencyKind.OneWay }), served));
    }

    private static RunResult ResultOf(long served, double seconds, long received = 100_000) => SampleResults.Valid.WithPlan(_ => s_plan)
        .WithServer(server => server with { Received = served, Cost = server.Cost! with { Seconds = seconds } })
        .WithClients(clients => clients with { DurationSeconds = 3, Measured = clients.Measured with { ClientReceived = received } });
}
