namespace NetCoreNetworkBenchmark.Tests.Hostile;

/// <summary>
/// The long form of the tests in this folder, for every server, by build/torture.sh: with a million datagrams and changed packages. The long tests have one
/// server in them, and all with changed packages, of which there are 20,000. Writes a row for each server to the file that the script names.
/// </summary>
[CollectionDefinition(nameof(TortureTests), DisableParallelization = true)]
[Collection(nameof(TortureTests))]
[Trait("Category", "Torture")]
public sealed class TortureTests
{
    private const string TableVariable = "TORTURE_TABLE";
    private const string CountVariable = "TORTURE_COUNT";
    private const int DefaultCount = 20_000;
    private const int TlsDivisor = 20;
    private const int Rate = 100_000;
    private const int OfEachKind = 20;
    private const string InLongTests = "Sockets";

    // The datagrams, and the changed packages without TLS.
    private static readonly int s_count =
        int.TryParse(Environment.GetEnvironmentVariable(CountVariable), CultureInfo.InvariantCulture, out int count) ? count : DefaultCount;

    // Of unsolicited connections: up to a thousand in all.
    private static readonly int s_waves = Math.Clamp(s_count / 10_000, 1, 10);

    // The clients are served while the datagrams come, and after them.
    private static readonly TimeSpan s_flood = TimeSpan.FromSeconds(1.5 + (1.2 * s_count / Rate));

    public static IEnumerable<TheoryDataRow<string>> DatagramServers() =>
        HostileDatagramTests.Servers().Select(row => row.Data == InLongTests ? row.WithTrait("Category", "Long") : row);

    public static IEnumerable<TheoryDataRow<string, Protocol>> StreamServers() =>
        HostileConnectionTests.Servers().Select(row => row.Data.Item1 == InLongTests ? row.WithTrait("Category", "Long") : row);

    /// <summary>Every library over every stream, and Epoll over TCP with two event loops and with a thread for each connection.</summary>
    public static IEnumerable<TheoryDataRow<string, Protocol, string>> PackageServers() =>
    [
        .. from row in LibraryUnderTest.OverTcp()
           select new TheoryDataRow<string, Protocol, string>(row.Data.Item1, row.Data.Item2, string.Empty),
        .. from settings in (string[])["--server-threads 2", "--set epoll.architecture=threads"]
           select new TheoryDataRow<string, Protocol, string>("Epoll", Protocol.Tcp, settings),
    ];

    [Theory, MemberData(nameof(DatagramServers))]
    public async Task A_server_lives_through_random_datagrams(string name)
    {
        var row = new Row(name, Protocol.Udp);
        try
        {
            await using var run = new HostileRun(name, Protocol.Udp, s_flood);
            await run.BeginAsync();
            var flood = new DatagramFlood(run.EndPoint, s_count, Rate);
            await flood.RunAsync(TestContext.Current.CancellationToken);
            await run.ServesAsync();
            await run.CountsAsync(flood);
            RunResult result = await run.EndAsync();
            long drops = DatagramFlood.KernelDrops(run.EndPoint.Port);
            bool counts = LibraryUnderTest.Create(name).Info.CountsUnsolicitedDatagrams;
            long foreign = run.Foreign(UnsolicitedTraffic.Datagrams);
            row.Sent = string.Create(CultureInfo.InvariantCulture, $"{flood.Sent:N0} datagrams from {flood.Ports:N0} ports");
            row.Drops = drops;
            row.Foreign = counts ? string.Create(CultureInfo.InvariantCulture, $"{foreign:N0}") : "the library does not report them";
            row.Tell(result);
            Assert.Equal(s_count, flood.Sent);
            Assert.InRange(result.Lost, 0, HostileRun.InFlight * drops);
            Assert.Equal(0, result.Corrupted);
            Assert.Empty(result.ErrorsByName);
            row.Verdict = "lives";
        }
        finally
        {
            row.Write();
        }
    }

    [Theory, MemberData(nameof(StreamServers))]
    public async Task Server_survives_waves_of_unsolicited_connections(string name, Protocol protocol)
    {
        var row = new Row(name, protocol);
        try
        {
            await using var run = new HostileRun(name, protocol, TimeSpan.FromSeconds(1 + (0.3 * s_waves)), handshakeDeadline: TimeSpan.FromSeconds(2));
            await run.BeginAsync();
            int opened = 0;
            for (int wave = 0; wave < s_waves; wave++)
            {
                using var unsolicited = new UnsolicitedConnections(run.EndPoint);
                unsolicited.OpenEach(OfEachKind);
                opened += unsolicited.Made;
                await run.ServesAsync();
                await Task.Delay(TimeSpan.FromSeconds(0.2), TestContext.Current.CancellationToken);
            }

            await run.ServesAsync();
            row.Sent = string.Create(CultureInfo.InvariantCulture, $"{opened:N0} connections");
            RunResult result = await run.EndAsync();
            row.Foreign = string.Create(CultureInfo.InvariantCulture, $"{run.Foreign(UnsolicitedTraffic.Connections):N0}");
            row.Tell(result);
            Assert.Equal((0, 0), (result.Lost, result.Corrupted));
            Assert.DoesNotContain(result.ErrorsByName.Keys, error => error.StartsWith("client", StringComparison.Ordinal));
            row.Verdict = "lives";
        }
        finally
        {
            row.Write();
        }
    }

    /// <summary>Packages that were changed at random end the connections that sent them, are counted by name, and leave nothing else behind.</summary>
    [Theory, MemberData(nameof(PackageServers)), Trait("Category", "Leak"), Trait("Category", "Long")]
    public async Task A_server_lives_through_changed_packages(string library, Protocol protocol, string settings)
    {
        var row = new Row($"{library} {settings}".TrimEnd(), protocol);
        try
        {
            using var run = new PackageFuzzRun(library, protocol, settings);
            ServerResult result = await run.RunAsync(protocol == Protocol.Ssl ? s_count / TlsDivisor : s_count);
            row.Sent = string.Create(CultureInfo.InvariantCulture, $"{run.Fuzz!.Mutations:N0} packages over {run.Fuzz.Connections:N0} connections");
            row.Foreign = string.Create(CultureInfo.InvariantCulture, $"{result.Server.Unsolicited?.Values.Sum() ?? 0:N0}");
            row.Tell(run.Served, lost: 0, result.Server.Errors);
            Assert.InRange(run.Served, 1, long.MaxValue);
            Assert.InRange(run.Fuzz.Refused, 1, long.MaxValue);
            row.Verdict = string.Create(CultureInfo.InvariantCulture, $"lives; its memory grew by {run.Growth / 1e6:0.0} MB");
        }
        finally
        {
            row.Write();
        }
    }

    private sealed class Row(string library, Protocol protocol)
    {
        private string _own = "- | - | -";

        public string Sent { get; set; } = "-";
        public long? Drops { get; set; }
        public string Foreign { get; set; } = "-";
        public string Verdict { get; set; } = "**failed**";

        public void Tell(RunResult result) => Tell(result.Totals.Sent, result.Lost, result.ErrorsByName);

        public void Tell(long sent, long lost, IReadOnlyDictionary<string, long> errors) => _own = string.Create(
            CultureInfo.InvariantCulture,
            $"{sent:N0} | {lost:N0} | {(errors.Count == 0 ? "0" : string.Join(", ", errors.Select(error => $"{error.Key}: {error.Value}")))}");

        public void Write()
        {
            string drops = Drops is { } dropped ? string.Create(CultureInfo.InvariantCulture, $"{dropped:N0}") : "-";
            string text = $"| {library} | {protocol} | {Sent} | {drops} | {Foreign} | {_own} | {Verdict} |";
            TestContext.Current.SendDiagnosticMessage(text);
            if (Environment.GetEnvironmentVariable(TableVariable) is { Length: > 0 } table)
            {
                File.AppendAllText(table, text + "\n");
            }
        }
    }
}
