using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>
/// The lines that NetCoreServer's own performance programs print, in their order and words, for their tests. The additional measurements follow.
/// In those programs, "message latency" is the time divided by the number of messages. Here it is the mean of the measured latencies.
/// </summary>
internal static class ReferenceLines
{
    private const double BytesAStep = 1024;
    private static readonly string[] s_units = ["KiB", "MiB", "GiB", "TiB"];

    /// <summary>Whether a run is one of the tests of these programs. Results of version 0.5.0 have no layout.</summary>
    public static bool AreFor(RunResult result) => result.Layout == FigureLayout.NetCoreServer || result.LatencyKind == LatencyKind.OneWay;

    public static void Write(RunResult result, TextWriter writer)
    {
        double bytes = (double)result.Messages.ClientReceived * result.MessageSize;
        writer.WriteLine(Invariant($"Errors: {result.Errors:N0}"));
        writer.WriteLine();
        writer.WriteLine(Invariant($"Total time: {result.DurationSeconds:0.000} s"));
        writer.WriteLine($"Total data: {DataSize(bytes)}");
        writer.WriteLine(Invariant($"Total messages: {result.Messages.ClientReceived:N0}"));
        writer.WriteLine($"Data throughput: {DataSize(result.DurationSeconds <= 0 ? 0 : bytes / result.DurationSeconds)}/s");
        writer.WriteLine(MessageLines.Latency(result));
        writer.WriteLine(Invariant($"Message throughput: {result.MessagesPerSecond:N0} msg/s"));
        MessageLines.WritePercentiles(result, writer);
        writer.WriteLine();
        MessageLines.WriteTotals(result.Messages, writer);
        WriteShares(result.ClientShares, writer);
    }

    private static void WriteShares(ClientShares? shares, TextWriter writer)
    {
        if (shares is null)
        {
            return;
        }

        writer.WriteLine(Invariant($"Messages a client received: fewest {shares.Fewest:N0}, median {shares.Median:N0}, most {shares.Most:N0}"));
        if (shares.SlowClients > 0)
        {
            string named = string.Join(", ", shares.Slowest.Select(client => Invariant($"number {client.Client} with {client.Messages:N0}")));
            string rest = shares.SlowClients > shares.Slowest.Count ? Invariant($" and {shares.SlowClients - shares.Slowest.Count:N0} more") : string.Empty;
            writer.WriteLine($"Slow clients (less than half the median): {named}{rest}");
        }
    }

    private static string DataSize(double bytes)
    {
        if (bytes < BytesAStep)
        {
            return Invariant($"{bytes:0} bytes");
        }

        int unit = Math.Min((int)Math.Log(bytes, BytesAStep), s_units.Length) - 1;
        return Invariant($"{bytes / Math.Pow(BytesAStep, unit + 1):0.000} {s_units[unit]}");
    }
}
