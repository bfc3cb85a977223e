using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The table of a benchmark under loss: messages that came back, high percentiles of their round trips, and messages that were lost.</summary>
internal static class DeliveryTable
{
    private const double MicrosecondsPerMillisecond = 1000;

    private static readonly string[] s_header =
        ["Library", "Delivery", "Version", "msg/s", "p50", "p90", "p99", "p99.9", "longest", "lost", "packets lost", "launches"];

    /// <summary>Returns whether a benchmark has the figures.</summary>
    public static bool Fits(BenchmarkResult benchmark) => benchmark.Cases.Any(found => found.Summary?.Delivery is not null);

    /// <summary>Returns the description of the figures, in a few sentences.</summary>
    public static string MethodOf(SuiteResult result)
    {
        string launches = SuitePage.LaunchesOf(result);
        RunResult[] streams = [.. result.Benchmarks.SelectMany(RunsOf).Where(run => run.ClientLibrary is not null)];
        string clients = StreamLines.DriverOf(streams) is { } driver ? $" The clients over TCP are those of {driver}." : string.Empty;
        return "Each client sends on schedule, whether or not answers arrive (open loop). \"msg/s\" counts the messages that came back, as the median of " +
            $"{launches} {(launches == "1" ? "launch" : "launches")}; the other figures are of all launches together. A round trip counts from the time at " +
            "which the message was due. \"lost\" is the share of messages without an answer; \"packets lost\" is the share of packets that the path really " +
            $"lost, to the server and to the clients.{clients}";
    }

    /// <summary>Returns the table.</summary>
    public static TextTable Of(BenchmarkResult benchmark) => new(3, s_header, [.. benchmark.Cases.Select(Row)]);

    /// <summary>Returns the table without the versions and the numbers of launches, for a terminal of 120 columns.</summary>
    public static TextTable NarrowOf(BenchmarkResult benchmark)
    {
        static string[] Narrow(string[] cells) => [.. cells[..2], .. cells[3..^1]];
        return new TextTable(2, Narrow(s_header), [.. benchmark.Cases.Select(found => Narrow(Row(found)))]);
    }

    private static IEnumerable<RunResult> RunsOf(BenchmarkResult benchmark) => benchmark.Cases.Select(found => found.MedianLaunch()).OfType<RunResult>();

    private static string[] Row(CaseResult found)
    {
        RunResult? run = found.MedianLaunch();
        DeliverySummary? delivery = found.Summary?.Delivery;
        LatencySummary? latency = delivery?.Microseconds;
        return
        [
            run?.Library ?? found.Library,
            run?.Variant ?? "-",
            run?.LibraryVersion ?? "-",
            found.InvalidReasons.Count > 0 && found.Summary is not null ? $"{SuitePage.Rate(found)} (invalid)" : SuitePage.Rate(found),
            Milliseconds(latency?.P50),
            Milliseconds(latency?.P90),
            Milliseconds(latency?.P99),
            Milliseconds(latency?.P999),
            Milliseconds(latency?.Max),
            Share(delivery?.Lost, delivery?.Sent),
            PacketsLost(run?.Impairment?.Relay),
            Invariant($"{found.Launches.Count(launch => launch.IsValid)} of {found.Launches.Count}"),
        ];
    }

    private static string PacketsLost(RelayCounts? path) => path is null
        ? "-"
        : $"{Share(path.ToServer.Dropped, path.ToServer.Received)}, {Share(path.ToClients.Dropped, path.ToClients.Received)}";

    private static string Milliseconds(double? microseconds) => Figure(microseconds / MicrosecondsPerMillisecond, "0.0", " ms");

    private static string Share(long? part, long? whole) => whole is > 0 ? Invariant($"{(double)part!.Value / whole.Value * 100:0.##} %") : "-";
}
