using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

internal static class WireBlocks
{
    // Fewer are the noise of packets without a message.
    private const double MinMerged = 1.2;

    public static bool AppliesTo(BenchmarkResult benchmark) => benchmark.Cases.Any(result => result.Wire is not null);

    public static Table? TableOf(IReadOnlyList<BenchmarkResult> benchmarks)
    {
        (int Number, BenchmarkResult Benchmark)[] counted =
            [.. from benchmark in benchmarks.Index() where AppliesTo(benchmark.Item) select (benchmark.Index + 1, benchmark.Item)];
        string[] names =
        [
            .. from benchmark in counted
               from result in Ranking.Ordered(benchmark.Benchmark)
               where result.Wire is not null
               orderby result.IsBaseline
               select result.Library,
        ];
        return names.Length == 0 ? null : Table.Create(
            "On the wire",
            [new("On the wire", name => name) { IsText = true, IsRowHeader = true }, .. counted.SelectMany(of => ColumnsOf(of.Number, of.Benchmark))],
            names.Distinct());
    }

    public static string? ShortMeaningOf(IEnumerable<BenchmarkResult> benchmarks) => benchmarks.Any(AppliesTo)
        ? "On the wire: IP packets of both directions with all headers, counted in a launch of its own."
        : null;

    public static string? MeaningOf(IEnumerable<BenchmarkResult> benchmarks)
    {
        WireCounter[] counters =
        [
            .. benchmarks.SelectMany(benchmark => benchmark.Cases).Select(result => result.Wire?.CountedBy).OfType<WireCounter>().Distinct().Order(),
        ];
        return counters.Length == 0 ? null
            : "On the wire are the IP packets of both directions for each message that a client received, with all headers, acknowledgements and " +
                "heartbeats, as on Ethernet with an MTU of 1,500 bytes. They were counted by " +
                $"{string.Join(" and ", counters.Select(NameOf))} in a short launch of its own after the first set, in which nothing was timed.";
    }

    public static string? MergingOf(IEnumerable<BenchmarkResult> benchmarks)
    {
        string[] sentences =
        [
            .. from benchmark in benchmarks
               let counted = benchmark.Cases.Where(result => result.Wire is not null).OrderByDescending(result => result.Wire!.MessagesPerPacket).ToArray()
               where counted is [{ Wire.MessagesPerPacket: >= MinMerged }, ..]
               select $"{benchmark.Title}: {string.Join(", ", counted.Select(result => $"{result.Library} {Figure(result.Wire!.MessagesPerPacket, "0.0")}"))}",
        ];
        return sentences.Length == 0 ? null : $"Messages in a packet, {string.Join("; ", sentences)}.";
    }

    public static IEnumerable<string> ReasonsOf(SuiteResult suite) =>
        from result in suite.Benchmarks.SelectMany(benchmark => benchmark.Cases)
        where result.Wire is null
        from launch in result.Launches
        where launch.Uncounted is not null
        group (result.Library, Protocol: launch.Result?.Protocol ?? result.MedianLaunch()?.Protocol) by launch.Uncounted into cases
        let protocols = string.Join(" and ", cases.Select(of => of.Protocol).OfType<string>().Distinct().Select(Loads.NameOf))
        let libraries = string.Join(", ", cases.Select(of => of.Library).Distinct())
        select $"Packets on the wire were not counted over {protocols} ({libraries}). {cases.Key}";

    private static string NameOf(WireCounter counter) => counter == WireCounter.Relay ? "a relay of datagrams" : "a pair of TUN devices";

    private static Column<string>[] ColumnsOf(int number, BenchmarkResult benchmark)
    {
        double? Of(string name, Func<CaseFigures, double?> figure) =>
            benchmark.Cases.FirstOrDefault(result => result.Library == name) is { } found ? figure(CaseFigures.From(benchmark, found)) : null;
        return
        [
            new($"{number}: bytes per message", name => Of(name, figures => figures.WireBytes)) { Format = "N1", ShortTitle = $"B/msg {number}" },
            new($"{number}: packets per message", name => Of(name, figures => figures.WirePackets), Format: "N3", ShortTitle: $"packets {number}", Priority: 2),
            new(
                $"{number}: kbit/s per client", name => Loads.HaveRate(benchmark) ? Of(name, figures => figures.WireKilobitsPerClient) : null,
                Format: "N1", IsOptional: true, Priority: 1),
        ];
    }
}
