using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The picture of the deliveries under each loss, with which the page of such a benchmark begins.</summary>
internal static class LossPicture
{
    /// <summary>The name of the file.</summary>
    public const string File = "loss.svg";

    private const string LossOption = "--loss";
    private const string DelayOption = "--delay";
    private const string Milliseconds = "ms";
    private const string Unreliable = "Unreliable";

    /// <summary>Returns the line of a page that shows the picture; null if there is none.</summary>
    public static string? LineOf(SuiteResult suite) => Of(suite.Benchmarks) is { Count: > 0 } drawn
        ? $"![{TitleOf(drawn)}: {string.Join(", ", drawn.SelectMany(benchmark => benchmark.Cases).Select(found => found.Library).Distinct())}]({File})"
        : null;

    /// <summary>
    /// Returns the benchmarks of the picture: those with figures, if they have the figures of a delivery and differ in nothing but the loss; otherwise, none.
    /// </summary>
    public static IReadOnlyList<BenchmarkResult> Of(IEnumerable<BenchmarkResult> benchmarks)
    {
        BenchmarkResult[] measured = [.. benchmarks.Where(benchmark => benchmark.Cases.Any(found => found.Summary is not null))];
        return measured.All(DeliveryTable.Fits)
            && measured.Select(DelayOf).Distinct().Count() == 1
            && measured.Select(LossOf).Distinct().Count() == measured.Length
            && measured.All(benchmark => AskedOf(benchmark) is not null)
            ? measured
            : [];
    }

    /// <summary>Returns the title of the picture.</summary>
    public static string TitleOf(IReadOnlyList<BenchmarkResult> drawn) =>
        $"Round trips and goodput under loss{(DelayOf(drawn[0]) is { } delay ? $", delayed {Spaced(delay)} each way" : string.Empty)}";

    /// <summary>Returns the loss of packets, as it was asked for. A loss of 0 is not among the options, which ask for something.</summary>
    public static string LossOf(BenchmarkResult benchmark) =>
        Invariant($"{AskedOf(benchmark)?.GetValueOrDefault(LossOption)?.TrimEnd('%') ?? "0"} %");

    /// <summary>Returns whether a case is of messages that are not sent again.</summary>
    public static bool IsUnreliable(CaseResult found) => found.MedianLaunch()?.Transmission == Unreliable;

    // As the titles of the benchmarks have it, with a space before the unit.
    private static string Spaced(string delay) =>
        delay.EndsWith(Milliseconds, StringComparison.Ordinal) ? $"{delay[..^Milliseconds.Length]} {Milliseconds}" : delay;

    private static string? DelayOf(BenchmarkResult benchmark) => AskedOf(benchmark)?.GetValueOrDefault(DelayOption);

    private static IReadOnlyDictionary<string, string>? AskedOf(BenchmarkResult benchmark) =>
        benchmark.Cases.Select(found => found.MedianLaunch()?.Impairment?.Asked).FirstOrDefault(asked => asked is not null);
}
