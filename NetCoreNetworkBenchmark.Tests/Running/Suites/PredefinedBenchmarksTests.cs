namespace NetCoreNetworkBenchmark.Tests.Running.Suites;

public sealed class PredefinedBenchmarksTests
{
    private static readonly LibraryInfo s_fastest = Library("Fastest", [Protocol.Udp, Protocol.Tcp, Protocol.Ssl]);

    [Fact]
    public void Everything_begins_with_the_benchmarks_of_the_original()
    {
        IReadOnlyList<Benchmark> all = Create(new AllPart());
        Assert.Equal(
            [("Benchmark 1", 1000, 1), ("Benchmark 2", 100, 1000)],
            all.Take(2).Select(found => (found.Title, found.Template.Clients, found.Template.ParallelMessages)));
        Assert.All(
            all.Take(2),
            found => Assert.Equal(
                (null, "PingPong", Protocol.Udp, 32), (found.Part, found.Template.Test, found.Template.Protocol, found.Template.MessageSize)));
        Assert.Distinct(all.Select(found => found.Title));
    }

    [Fact]
    public void The_matrix_is_that_of_NetCoreServer()
    {
        Assert.Equal(
            [
                .. from protocol in (Protocol[])[Protocol.Tcp, Protocol.Ssl, Protocol.Udp]
                   from test in (string[])["RoundTrip", "Multicast"]
                   from clients in (int[])[1, 100]
                   select (test, protocol, clients, 1000, 32),
            ],
            Create(new AllPart()).Skip(4).Where(found => !found.OwnClients).Select(found =>
                (found.Template.Test, found.Template.Protocol, found.Template.Clients, found.Template.ParallelMessages, found.Template.MessageSize)));
    }

    [Theory, InlineData("udp", Protocol.Udp), InlineData("tcp", Protocol.Tcp), InlineData("ssl", Protocol.Ssl)]
    public void A_part_has_one_transport(string part, Protocol protocol) =>
        Assert.All(Create(PartOf(part)), found => Assert.Equal(protocol, found.Template.Protocol));

    [Fact]
    public void Quick_has_the_first_three_benchmarks_without_tuned_profiles()
    {
        Assert.Equal(["Benchmark 1", "Benchmark 2", "Benchmark 3"], Create(new QuickPart()).Select(found => found.Title));
        Assert.All(Create(new QuickPart()), found => Assert.False(found.WithTunedProfiles));
    }

    [Fact]
    public void Benchmark_3_is_a_game_servers_load_at_a_fixed_rate()
    {
        Benchmark found = Create(new AllPart())[2];
        Assert.Equal(("Benchmark 3", 500, 10_000, 32), (found.Title, found.Template.Clients, found.Template.Rate, found.Template.MessageSize));
    }

    [Theory, InlineData("all"), InlineData("udp")]
    public void Benchmark_4_is_100_players_who_see_50_at_20_Hz_for_each_library_that_pushes_over_UDP(string part)
    {
        Benchmark found = Create(PartOf(part))[3];
        RunPlan plan = found.Template;
        Assert.Equal(("Benchmark 4", "Snapshots", 100, TimeSpan.FromMilliseconds(50)), (found.Title, plan.Test, plan.Clients, plan.Tick!.Value));
        Assert.Equal((2_000, 16 + (50 * 16)), (plan.Rate, plan.MessageSize));
        Assert.Equal((50, 30), (SnapshotLoad.From(plan).Visible, SnapshotLoad.From(plan).InputsPerSecond));
        LibraryInfo pushes = Library("Pushes", [Protocol.Udp]) with { ServerPushTransports = [Protocol.Udp] };
        Assert.Equal((true, false), (found.Supports(pushes, null), found.Supports(pushes with { ServerPushTransports = [Protocol.Tcp] }, null)));
    }

    [Fact]
    public void Only_the_load_at_a_fixed_rate_has_the_clients_of_another_library_over_datagrams()
    {
        Assert.Equal([false, false, true], Create(new QuickPart()).Select(found => found.SharesClients));
        Benchmark shared = Create(new QuickPart())[2];
        LibraryInfo plain = Library("Plain", [Protocol.Udp]) with { HasPlainDatagrams = true, HasClients = false };
        LibraryInfo fastest = s_fastest with { HasPlainDatagrams = true };

        // A server without clients requires those of the fastest library; one with a format of its own has its own.
        Assert.Equal((true, false), (shared.Supports(plain, fastest), shared.Supports(plain with { HasPlainDatagrams = false }, fastest)));
        Assert.True(shared.Supports(Library("Wrapped", [Protocol.Udp]), fastest));
    }

    [Fact]
    public void Tls_has_full_handshakes_with_keys_of_two_kinds()
    {
        IReadOnlyList<Benchmark> found = Create(new TlsPart());
        Assert.Equal(["TLS handshakes, Rsa2048", "TLS handshakes, P256"], found.Select(benchmark => benchmark.Title));
        Assert.Equal([TlsKey.Rsa2048, TlsKey.P256], found.Select(benchmark => benchmark.Template.Tls.Key));
        Assert.All(found, benchmark => Assert.Equal(
            (Framing.Http, "none", true), (benchmark.Template.Framing, benchmark.Template.Tls.Resumption, benchmark.Workload is IConnectionWorkload)));
        LibraryInfo http = Library("Http", [Protocol.Ssl]) with { Framings = [Framing.Http], HasClients = false };
        Assert.True(found[0].Supports(http, s_fastest));
        Assert.All(Create(new SslPart()), benchmark => Assert.False(benchmark.Supports(http, s_fastest)));
    }

    [Fact]
    public void The_matrix_of_handshakes_has_each_combination_once()
    {
        IReadOnlyList<Benchmark> found = Create(new TlsMatrixPart());
        Assert.Equal(2 * 2 * 3 * 3, found.Count);
        Assert.Distinct(found.Select(benchmark => (benchmark.Title, benchmark.Variant)));
        Assert.Distinct(found.Select(benchmark => benchmark.Template.Tls));
        Assert.All(found, benchmark => Assert.Equal(benchmark.Template.Tls.Resumption, Assert.Single(benchmark.Template.WorkloadOptions).Value));
        Assert.Equal(("x25519", "secp384r1, session"), (found[0].Variant, found[8].Variant));
        Assert.Equal(
            ["TLS 1.3 handshakes, Rsa2048", "TLS 1.2 handshakes, Rsa2048", "TLS 1.3 handshakes, P256", "TLS 1.2 handshakes, P256"],
            found.Select(benchmark => benchmark.Title).Distinct());
        Assert.All(found, benchmark => Assert.StartsWith(
            $"TLS {benchmark.Template.Tls.Version} handshakes, {benchmark.Template.Tls.Key}", benchmark.Title, StringComparison.Ordinal));
    }

    [Fact]
    public void The_matrix_of_handshakes_is_of_Epoll_unless_a_library_is_chosen() => Assert.Equal(
        ["Epoll"],
        PredefinedCases.LibrariesOf(
            new CliRequest { BenchmarkPart = new TlsMatrixPart(), Action = CliAction.Benchmark, Plan = new RunPlan { Library = "Fastest" } }));

    [Fact]
    public void Framed_has_the_three_groups_of_the_reference_over_tcp_and_tls()
    {
        IReadOnlyList<Benchmark> found = Create(new FramedPart());
        Assert.Distinct(found.Select(benchmark => benchmark.Title));
        Assert.All(found, benchmark => Assert.Equal(
            (Framing.Checked, Transmission.Reliable, 1), (benchmark.Template.Framing, benchmark.Template.Transmission, benchmark.Launches)));
        foreach (Protocol protocol in (Protocol[])[Protocol.Tcp, Protocol.Ssl])
        {
            Benchmark[] over = [.. found.Where(benchmark => benchmark.Template.Protocol == protocol)];
            Assert.Equal(
                [
                    "RoundTrip: 1 x 1 x 1", "RoundTrip: 1 x 1 x 10", "RoundTrip: 1 x 1 x 100", "RoundTrip: 1 x 1 x 1000", "RoundTrip: 1 x 1 x 10000",
                    "RoundTrip: 1 x 1 x 100000", "RoundTrip: 1 x 1 x 1000000",
                    "Burst: 1 x 100 x 1", "Burst: 1 x 100 x 10", "Burst: 1 x 100 x 100", "Burst: 1 x 100 x 1000", "Burst: 1 x 100 x 10000",
                    "Burst: 1 x 100 x 100000", "Burst: 1 x 10 x 1000000",
                    "Burst: 5 x 10000 x 2", "Burst: 5 x 100000 x 2", "Burst: 10 x 100000 x 2",
                ],
                over.Select(benchmark => benchmark.Template).Select(plan =>
                    $"{plan.Test}: {plan.Clients} x {plan.ParallelMessages} x {plan.MessageSize}"));
            Assert.Equal([7, 7, 3], over.GroupBy(benchmark => benchmark.Part).Select(part => part.Count()));
            Assert.All(over, benchmark => Assert.Equal(
                (benchmark.Row!.Table == RowTable.TotalTimes, protocol == Protocol.Tcp && benchmark.Row.Table == RowTable.TotalTimes),
                (benchmark.Workload.EndsWhenDone(benchmark.Template), benchmark.Row.Published is not null)));
        }
    }

    [Fact]
    public void Networks_has_a_game_over_each_delivery_and_streams_over_the_reliable_ones()
    {
        IReadOnlyList<Benchmark> found = Create(new NetworksPart());
        Assert.Equal(
            [
                .. from delivery in (string[])["unreliable", "reliable", "TCP", "QUIC"]
                   select ("4g", delivery),
                .. from roundTrip in (int[])[30, 140, 280]
                   from loss in (int[])[0, 1]
                   from delivery in (string[])["reliable", "TCP", "QUIC"]
                   select ($"Goodput, {roundTrip} ms, {loss} % loss", delivery),
            ],
            found.Select(benchmark => (benchmark.Title, benchmark.Variant)));
        Assert.All(found.Take(4), benchmark => Assert.Equal(
            (20, 1200.0, 100, 6), (benchmark.Template.Clients, benchmark.Template.Rate, benchmark.Template.MessageSize, benchmark.Launches)));
        Assert.All(found.Skip(4), benchmark => Assert.Equal(
            (1, null, 1_000, 400),
            (benchmark.Template.Clients, benchmark.Template.Rate, benchmark.Template.MessageSize, benchmark.Template.ParallelMessages)));
        Assert.Equal([15, 70, 140], found.Skip(4).Select(benchmark => benchmark.Template.Impairment.Delay.TotalMilliseconds).Distinct());
        Assert.Equal(("4g", 100, 0.04), (
            found[0].Template.Impairment.Network, found[0].Template.Impairment.Delay.TotalMilliseconds, found[0].Template.Impairment.Loss));
    }

    [Fact]
    public void Networks_that_the_user_chose_have_both_loads()
    {
        IReadOnlyList<Benchmark> found =
            new NetworksPart().Create(PredefinedBenchmarks.Duration, anyMachine: false, LibraryUnderTest.Catalog.Workloads, ["wifi", "5g"]);
        Assert.Equal(["wifi", "5g", "Goodput, wifi", "Goodput, 5g"], found.Select(benchmark => benchmark.Title).Distinct());
    }

    [Fact]
    public void Networks_has_libraries_with_a_reliable_delivery_and_the_kernels_own_transports()
    {
        TransmissionInfo[] both = [.. Enum.GetValues<Transmission>().Select(transmission => new TransmissionInfo(transmission, 0, 1000))];
        LibraryInfo reliable = Library("Reliable", [Protocol.Udp, Protocol.Tcp]) with { Transmissions = both };
        LibraryInfo raw = Library("Sockets", [Protocol.Udp, Protocol.Tcp]) with { Transmissions = both[..1], IsBaseline = true };
        LibraryInfo other = raw with { Name = "Other", IsBaseline = false };
        LibraryInfo quic = Library("Q", [Protocol.Quic]) with { Transmissions = both[1..] };
        Assert.Equal(
            [
                ("unreliable", true, true, false, false), ("reliable", true, false, false, false), ("TCP", false, true, false, false),
                ("QUIC", false, false, false, true),
            ],
            Create(new NetworksPart()).Take(4).Select(benchmark => (
                benchmark.Variant, benchmark.Supports(reliable, s_fastest), benchmark.Supports(raw, s_fastest), benchmark.Supports(other, s_fastest),
                benchmark.Supports(quic, s_fastest))));
    }

    [Fact]
    public void Channels_has_one_and_two_channels_for_libraries_that_have_them()
    {
        IReadOnlyList<Benchmark> found = Create(new ChannelsPart());
        Assert.Equal(
            [("wifi", "one channel", 1), ("wifi", "two channels", 2), ("wifi", "TCP", 1), ("wifi", "QUIC", 1)],
            found.Select(benchmark => (benchmark.Title, benchmark.Variant, benchmark.Template.Channels)));
        LibraryInfo one = Library("One", [Protocol.Udp]) with { Transmissions = [new TransmissionInfo(Transmission.Reliable, 0, 1_000)] };
        Assert.Equal(
            [true, false, true, true],
            ((LibraryInfo[])[one, one with { Channels = 2 }]).SelectMany(library => found.Take(2).Select(benchmark => benchmark.Supports(library, null))));
    }

    [Fact]
    public void Queues_has_a_stream_and_a_neighbour_of_each_kind_in_each_queue()
    {
        IReadOnlyList<Benchmark> found = Create(new QueuesPart());
        Assert.Equal(
            [
                ("A stream beside a TCP upload", "A queue of 50 ms"), ("A stream beside a TCP upload", "A queue of 200 ms"),
                ("A stream beside a TCP upload", "A queue of 1,000 ms"),
                ("A stream beside a TCP connection with 100 kbit/s", "A queue of 200 ms, 100 kbit/s"),
            ],
            found.Select(benchmark => (benchmark.Part!, benchmark.Title)).Distinct());
        Assert.All(found, benchmark => Assert.Equal((10_000_000, null), (benchmark.Template.Impairment.BandwidthBitsPerSecond, benchmark.Template.Rate)));
        Assert.Equal([long.MaxValue, 100_000], found.Select(benchmark => benchmark.Template.Impairment.NeighbourBitsPerSecond!.Value).Distinct());
    }

    [Fact]
    public void Roaming_has_one_event_in_each_measurement()
    {
        IReadOnlyList<Benchmark> found = Create(new RoamingPart());
        Assert.Equal(["A new address", "No network for a second"], found.Select(benchmark => benchmark.Title).Distinct());
        Assert.All(found.Select(benchmark => benchmark.Template), plan =>
        {
            // The warm-up may end at any time.
            TimeSpan first = plan.Impairment.Roam ?? plan.Impairment.Outage!.Period;
            TimeSpan over = first + (plan.Impairment.Outage?.Length ?? TimeSpan.Zero);
            Assert.InRange(first, plan.WarmUp, plan.Duration);
            Assert.InRange(plan.Duration - over, TimeSpan.FromSeconds(0.5), TimeSpan.MaxValue);
            Assert.InRange(plan.WarmUp + plan.Duration, first, 2 * first);
        });
        Assert.Equal(["roaming"], found[1].VariedSettings);
    }

    [Theory, InlineData("tls-matrix", "=tls-matrix"), InlineData("all", "")]
    public void A_part_has_a_name_on_the_command_line(string name, string suffix) => Assert.Equal(suffix, PartOf(name).Suffix);

    [Fact]
    public void The_streams_of_the_matrix_are_measured_in_both_profiles() => Assert.All(Create(new AllPart()).Skip(2), found =>
        Assert.Equal(found.Template.Protocol != Protocol.Udp && !found.OwnClients, found.WithTunedProfiles));

    [Fact]
    public void A_library_runs_where_it_has_the_transport_and_what_the_test_needs()
    {
        Benchmark roundTrip = Create(new TcpPart()).First(found => found.Template.Test == "RoundTrip" && !found.OwnClients);
        Benchmark own = Create(new TcpPart()).First(found => found.OwnClients);
        Benchmark multicast = Create(new TcpPart()).First(found => found.Template.Test == "Multicast");
        LibraryInfo stream = Library("Stream", [Protocol.Tcp]);
        LibraryInfo serverOnly = stream with { Name = "Server only", HasClients = false };
        LibraryInfo datagrams = Library("Datagrams", [Protocol.Udp]);
        Assert.Equal([true, true, false], ((LibraryInfo[])[stream, serverOnly, datagrams]).Select(library => roundTrip.Supports(library, s_fastest)));
        Assert.Equal((true, false), (roundTrip.Supports(stream, null), roundTrip.Supports(serverOnly, null)));
        Assert.Equal((true, false, false), (own.Supports(stream, s_fastest), own.Supports(serverOnly, s_fastest), own.Supports(s_fastest, s_fastest)));
        LibraryInfo wrapped = stream with { Name = "Wrapped", WireFormat = "Wrap" };
        Assert.Equal((false, true), (roundTrip.Supports(wrapped, s_fastest), own.Supports(wrapped, s_fastest)));
        LibraryInfo pushing = stream with { ServerPushTransports = [Protocol.Tcp] };
        Assert.Equal((false, true), (multicast.Supports(stream, s_fastest), multicast.Supports(pushing, s_fastest)));
    }

    [Fact]
    public void No_warm_up_is_longer_than_the_slices()
    {
        var slices = TimeSpan.FromSeconds(0.1);
        Assert.All(
            LibraryUnderTest.Catalog.Parts.SelectMany(part => Create(part, slices)),
            benchmark => Assert.InRange(benchmark.Template.WarmUp, TimeSpan.Zero, slices));
    }

    [Fact]
    public void A_part_of_others_without_a_load_or_with_an_unknown_test_is_bad_input()
    {
        BadInput.Throws("The part mine of the benchmark has no load. Use another part.", () => Create(new OtherPart { Loads = [] }));
        IReadOnlyCollection<IWorkload> tests = [.. LibraryUnderTest.Catalog.Workloads.Where(test => test is not PingPong)];
        BadInput.Throws(
            "The part mine of the benchmark has the test PingPong, which is not among those of this program. " +
                "Make it a public class of an assembly that is loaded.",
            () => new OtherPart { Loads = [new Benchmark("Load", new PingPong(), new RunPlan { Library = string.Empty })] }.Create(
                PredefinedBenchmarks.Duration, anyMachine: false, tests));
    }

    [Fact]
    public void The_test_of_a_plan_is_that_of_its_load() => Assert.Equal(
        "PingPong", Create(new OtherPart { Loads = [new Benchmark("Load", new PingPong(), new RunPlan { Library = string.Empty })] })[0].Template.Test);

    private static IBenchmarkPart PartOf(string name) => LibraryUnderTest.Catalog.Parts.Single(part => part.Name == name);

    private static IReadOnlyList<Benchmark> Create(IBenchmarkPart part, TimeSpan? slices = null) =>
        part.Create(slices ?? PredefinedBenchmarks.Duration, anyMachine: false, LibraryUnderTest.Catalog.Workloads);

    private static LibraryInfo Library(string name, Protocol[] protocols) => new() { Name = name, Version = "1.0", Protocols = protocols, Transmissions = [] };

    private sealed class OtherPart : IBenchmarkPart
    {
        public required IReadOnlyList<Benchmark> Loads { get; init; }
        public string Name => "mine";

        public IEnumerable<Benchmark> Create(PartTemplates templates) => Loads;
    }
}
