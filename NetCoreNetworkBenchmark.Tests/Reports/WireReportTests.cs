using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Documents;

namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>What libraries put on the wire, in the reports of a comparison.</summary>
public sealed class WireReportTests
{
    private const string Uncounted = "A relay without rights sees the bytes of TCP, but not its packets.";

    // Two messages of 42 bytes with their answers: one packet for each, and an acknowledgement to the clients.
    private static readonly WireFigures s_plain = new(WireCounter.Relay, new WireDirection(2, 2, 140), new WireDirection(2, 3, 160));
    private static readonly WireFigures s_merged = new(WireCounter.Relay, new WireDirection(100, 10, 5_000), new WireDirection(100, 10, 5_000));

    private static SuiteResult Counted { get; } = With(SampleSuites.Decided, result => result.Library == "LiteNetLib" ? (s_merged, null) : (s_plain, null));

    [Fact]
    public void Figures_are_both_directions_for_each_message_that_clients_received()
    {
        Assert.Equal((2.5, 150, 0.8), (s_plain.PacketsPerMessage, s_plain.BytesPerMessage, s_plain.MessagesPerPacket));
        BenchmarkResult open = Counted.Benchmarks[2];
        CaseFigures figures = CaseFigures.Of(open, open.Cases[0]);
        Assert.Equal((2.5, 150), (figures.WirePackets, figures.WireBytes));
        int clients = open.Cases[0].MedianLaunch()!.Plan.Clients;
        Assert.Equal(150 * 8 / 1e3 * figures.MessagesPerSecond!.Value / clients, figures.WireKilobitsPerClient!.Value, tolerance: 1e-9);
    }

    [Fact]
    public void Ranking_has_bytes_and_packets_as_columns()
    {
        BenchmarkResult benchmark = Counted.Benchmarks[0];
        Plot plot = Ranking.PlotOf(benchmark, string.Empty, new Palette(benchmark.Cases.Select(result => result.Library)));
        Table table = Ranking.TablesOf(benchmark, plot).First();
        string[] titles = [.. table.Columns.Select(column => column.Title)];
        TableRow row = table.Rows.First(candidate => candidate.Cells.Any(cell => cell.Text == "ENet"));
        Assert.Equal(("150.0", "2.500"), (row.Cells[Array.IndexOf(titles, "wire B/msg")].Text, row.Cells[Array.IndexOf(titles, "packets/msg")].Text));
    }

    [Fact]
    public void Lead_has_a_row_for_each_library_and_the_messages_in_a_packet_where_one_merges()
    {
        Table table = WireBlocks.TableOf(Counted.Benchmarks)!;
        Assert.Equal(
            ["On the wire", "1: bytes per message", "1: packets per message", "2: bytes per message", "2: packets per message", "3: bytes per message"],
            table.Columns.Select(column => column.Title).Take(6));
        Assert.Equal("3: kbit/s per client", table.Columns[^1].Title);
        Assert.Equal(Counted.Benchmarks[0].Cases.Count, table.Rows.Count);
        Assert.StartsWith("Messages in a packet, Benchmark 1: LiteNetLib 10.0, ", WireBlocks.MergingOf(Counted.Benchmarks), StringComparison.Ordinal);
        Assert.Contains("ENet 0.8", WireBlocks.MergingOf(Counted.Benchmarks), StringComparison.Ordinal);
        Assert.Contains("Messages in a packet, Benchmark 1: LiteNetLib 10.0", new MarkdownReport().TextOf(Counted), StringComparison.Ordinal);
    }

    [Fact]
    public void Reports_without_a_count_have_no_trace_of_it()
    {
        Assert.Null(WireBlocks.TableOf(SampleSuites.Decided.Benchmarks));
        Assert.Null(WireBlocks.MergingOf(SampleSuites.Decided.Benchmarks));
        Assert.DoesNotContain("wire", new MarkdownReport().TextOf(SampleSuites.Decided), StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void A_reason_that_packets_were_not_counted_is_one_sentence_for_all_cases()
    {
        string page = new MarkdownReport().TextOf(With(SampleSuites.Decided, _ => (null, Uncounted)));
        Assert.Single(Regex.Matches(page, Regex.Escape(Uncounted)));
        Assert.Contains("Note: Packets on the wire were not counted over UDP (", page, StringComparison.Ordinal);
    }

    [Fact]
    public void JSON_and_the_summary_have_the_figures()
    {
        var read = (SuiteResult)ResultFile.Parse(new JsonReport().TextOf(Counted));
        Assert.Equal(s_plain, read.Benchmarks[0].Cases[0].Wire);
        Assert.Contains("\"countedBy\": \"relay\"", new JsonReport().TextOf(Counted), StringComparison.Ordinal);
        string[] rows = new SummaryReport().TextOf(Counted).Split('\n');
        Assert.Contains(",wirePackets,wireBytes,wireKilobitsPerClient,clients,serverCpuToBest,", rows[0], StringComparison.Ordinal);
        Assert.Contains(",2.5,150,", rows[1], StringComparison.Ordinal);
        Assert.Equal(s_plain, Counted.Brief().Benchmarks[0].Cases[0].Wire);
    }

    // The first launch of a case has the count.
    private static SuiteResult With(SuiteResult suite, Func<CaseResult, (WireFigures? Wire, string? Uncounted)> counted) => suite.WithCases(result =>
        result with
        {
            Launches =
            [
                .. result.Launches.Select((launch, index) => index > 0 ? launch : launch with
                {
                    Wire = counted(result).Wire,
                    Uncounted = counted(result).Uncounted,
                }),
            ],
        });
}
