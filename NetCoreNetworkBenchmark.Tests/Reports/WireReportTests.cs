using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Documents;

namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>What libraries put on the wire, in the reports of a comparison.</summary>
public sealed class WireReportTests
{
    private const string Uncounted = "A relay sees the bytes of TCP, but not its packets.";

    // Two messages of 42 bytes with their answers: one packet for each, and an acknowledgement to the clients.
    private static readonly WireFigures s_plain = new(WireCounter.Relay, new WireDirection(2, 2, 140), new WireDirection(2, 3, 160));
    private static readonly WireFigures s_merged = new(WireCounter.Relay, new WireDirection(100, 10, 5_000), new WireDirection(100, 10, 5_000));

    private static SuiteResult Counted { get; } = With(SampleSuites.Decided, result => result.Library == "LiteNetLib" ? (s_merged, null) : (s_plain, null));

    [Fact]
    public void Figures_are_both_directions_for_each_message_that_clients_received()
    {
        Assert.Equal((2.5, 150, 0.8), (s_plain.PacketsPerMessage, s_plain.BytesPerMessage, s_plain.MessagesPerPacket));
        BenchmarkResult open = Counted.Benchmarks[2];
        CaseFigures figures = CaseFigures.From(open, open.Cases[0]);
        Assert.Equal((2.5, 150), (figures.WirePackets, figures.WireBytes));
        int clients = open.Cases[0].MedianLaunch()!.Plan.Clients;
        Assert.Equal(1 - (4 * open.Cases[0].MedianLaunch()!.Plan.MeanMessageSize / 300), figures.WireOverhead!.Value, tolerance: 1e-9);
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
        Assert.Equal(("3: kbit/s per client", Counted.Benchmarks[0].Cases.Count), (table.Columns[^1].Title, table.Rows.Count));
        WireBlocks.MergingOf(Counted.Benchmarks).AssertBegins("Messages in a packet, Benchmark 1: LiteNetLib 10.0, ");
        WireBlocks.MergingOf(Counted.Benchmarks).AssertHas("ENet 0.8");
        Counted.Markdown().AssertHas("Messages in a packet, Benchmark 1: LiteNetLib 10.0");
    }

    [Theory, InlineData("wire=150B", true), InlineData("wire=149B", false)]
    public void Limits_judge_the_bytes_of_a_case_or_of_a_run_that_has_its_own_count(string text, bool holds)
    {
        RunLimit limit = PlanValues.Limit("--limit", text);
        SuiteResult limited = SampleSuites.Decided.WithCases(result => result.WithRuns(run => run.WithPlan(plan => plan with { Limits = [limit] })));
        SuiteResult suite = With(limited, _ => (s_plain, null));
        CaseResult result = suite.Benchmarks[0].Cases[0];
        LimitResult judged = Assert.Single(CaseFigures.WithLimits(suite.Benchmarks[0], result).Limits!);
        Assert.Equal((150, holds, "wire was 150 B"), (judged.Measured, judged.Holds, judged.Found));
        RunResult launch = result.MedianLaunch()!;
        Assert.Empty(launch.Limits!);
        Assert.Equal([judged], (launch with { Wire = s_plain }).Limits!);
    }

    [Fact]
    public void Lead_names_what_has_counted()
    {
        SuiteResult both = With(
            SampleSuites.Decided, result => (result.Library == "LiteNetLib" ? s_merged : s_plain with { CountedBy = WireCounter.TunPair }, null));
        WireBlocks.MeaningOf(Counted.Benchmarks).AssertHas("They were counted by a relay of datagrams in a short launch ");
        WireBlocks.MeaningOf(both.Benchmarks).AssertHas("by a relay of datagrams and a pair of TUN devices in ");
        both.Json().AssertHas("\"countedBy\": \"tunPair\"");
        Assert.Null(WireBlocks.MeaningOf(SampleSuites.Decided.Benchmarks));
    }

    [Fact]
    public void Reports_without_a_count_have_no_trace_of_it()
    {
        Assert.Null(WireBlocks.TableOf(SampleSuites.Decided.Benchmarks));
        Assert.Null(WireBlocks.MergingOf(SampleSuites.Decided.Benchmarks));
        Assert.DoesNotContain("wire", SampleSuites.Decided.Markdown(), StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void A_reason_that_packets_were_not_counted_is_one_sentence_for_all_cases()
    {
        string page = With(SampleSuites.Decided, _ => (null, Uncounted)).Markdown();
        Assert.Single(Regex.Matches(page, Regex.Escape(Uncounted)));
        page.AssertHas("Note: Packets on the wire were not counted over UDP (");
    }

    [Fact]
    public void JSON_and_the_summary_have_the_figures()
    {
        Assert.Equal(s_plain, ((SuiteResult)ResultFile.Parse(Counted.Json())).Benchmarks[0].Cases[0].Wire);
        Counted.Json().AssertHas("\"countedBy\": \"relay\"");
        string[] rows = new SummaryReport().Render(Counted).Split('\n');
        rows[0].AssertHas(",wirePackets,wireBytes,wireKilobitsPerClient,wireOverhead,serverCpuToBest,");
        rows[1].AssertHas(",2.5,150,");
        Assert.Equal(s_plain, Counted.Brief().Benchmarks[0].Cases[0].Wire);
    }

    // The first launch of a case has the count.
    private static SuiteResult With(SuiteResult suite, Func<CaseResult, (WireFigures? Wire, string? Uncounted)> counted) => suite.WithCases(result =>
    {
        (WireFigures? wire, string? uncounted) = counted(result);
        return result with { Launches = [result.Launches[0] with { Wire = wire, Uncounted = uncounted }, .. result.Launches.Skip(1)] };
    });
}
