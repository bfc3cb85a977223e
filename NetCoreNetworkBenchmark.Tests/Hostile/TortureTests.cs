namespace NetCoreNetworkBenchmark.Tests.Hostile;

/// <summary>The long form of the tests in this folder, run by build/torture.sh. Writes a row for each server to the file that the script names.</summary>
[CollectionDefinition(nameof(TortureTests), DisableParallelization = true)]
[Collection(nameof(TortureTests))]
[Trait("Category", "Torture")]
public sealed class TortureTests
{
    private const string TableVariable = "TORTURE_TABLE";
    private const string CountVariable = "TORTURE_COUNT";
    private const int DefaultCount = 100_000;
    private const int TlsDivisor = 20;
    private const int Rate = 100_000;
    private const int Waves = 10;
    private const int OfEachKind = 20;

    // The datagrams, and the changed packages without TLS.
    private static readonly int s_count =
        int.TryParse(Environment.GetEnvironmentVariable(CountVariable), CultureInfo.InvariantCulture, out int count) ? count : DefaultCount;

    public static IEnumerable<TheoryDataRow<string>> DatagramServers() => HostileDatagramTests.Servers();

    public static IEnumerable<TheoryDataRow<string, Protocol>> StreamServers() => HostileConnectionTests.Servers();

    public static IEnumerable<TheoryDataRow<string, Protocol, string>> PackageServers() => HostilePackageTests.Servers();

    [Theory]
    [MemberData(nameof(DatagramServers))]
    public async Task A_server_lives_through_random_datagrams(string name)
    {
        var row = new Row(name, Protocol.Udp);
        try
        {
            await using var run = new HostileRun(name, Protocol.Udp, TimeSpan.FromSeconds(3 + (s_count / Rate)));
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

    [Theory]
    [MemberData(nameof(StreamServers))]
    public async Task Server_survives_a_thousand_unsolicited_connections(string name, Protocol protocol)
    {
        var row = new Row(name, protocol);
        try
        {
            await using var run = new HostileRun(name, protocol, TimeSpan.FromSeconds(4), handshakeDeadline: TimeSpan.FromSeconds(2));
            await run.BeginAsync();
            int opened = 0;
            for (int wave = 0; wave < Waves; wave++)
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

    [Theory]
    [MemberData(nameof(PackageServers))]
    [Trait("Category", "Leak")]
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
