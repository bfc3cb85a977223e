using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>One library under one load, measured in several launches. Each launch has fresh processes.</summary>
/// <param name="Library">The library's name, with the profile in brackets if it is not the default.</param>
/// <param name="Launches">The launches in the order in which they ran.</param>
/// <param name="Summary">The quoted figures of the launches; null if no launch was valid.</param>
/// <param name="InvalidReasons">The reasons why the case may not be used, a sentence each; empty if it may be used.</param>
/// <param name="ToBaseline">The figures in relation to the baseline of the benchmark; null without slices, or if no launch was valid.</param>
/// <param name="ToBest">The figures in relation to the best library of the benchmark; null without slices, or if no launch was valid.</param>
/// <param name="IsBaseline">Whether the case is a line to compare the libraries with, and is not ranked among them: raw sockets.</param>
public sealed record CaseResult(
    string Library, IReadOnlyList<LaunchResult> Launches, CaseSummary? Summary, IReadOnlyList<string> InvalidReasons, BaselineRatio? ToBaseline = null,
    BestRatio? ToBest = null, [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] bool IsBaseline = false)
{
    /// <summary>The figures in relation to those under other loads; null without several loads in process sets.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<LoadRatio>? ToFirstLoad { get; init; }

    /// <summary>Whether the figures of the case may be used.</summary>
    public bool Valid => InvalidReasons.Count == 0 && Summary is not null;

    internal WireFigures? Wire => Launches.Select(launch => launch.Wire).FirstOrDefault(wire => wire is not null);

    /// <summary>Returns the launch whose rate is the median (the lower one of two). Its details stand for the case.</summary>
    public RunResult? MedianLaunch()
    {
        RunResult[] candidates = QuotedLaunches();
        return candidates.OrderBy(result => result.MessagesPerSecond).ElementAtOrDefault((candidates.Length - 1) / 2);
    }

    /// <summary>Returns the valid results of launches; if none is valid, all.</summary>
    internal RunResult[] QuotedLaunches()
    {
        RunResult[] results = [.. Launches.Select(launch => launch.Result).OfType<RunResult>()];
        return results.Any(result => result.Valid) ? [.. results.Where(result => result.Valid)] : results;
    }

    /// <summary>Returns a copy with the median launch, whose timelines have longer parts, and only the figures of the others.</summary>
    public CaseResult Brief()
    {
        RunResult? median = MedianLaunch();
        return this with
        {
            Launches =
            [
                .. Launches.Select(launch => launch.Result is { } whole && ReferenceEquals(whole, median)
                    ? launch with { Result = whole.WithCoarseTimelines() }
                    : launch.Brief()),
            ],
        };
    }
}

/// <summary>One launch: a result, or the reason why there is none, or both if the result is invalid.</summary>
/// <param name="Number">The launch's number, from 1.</param>
/// <param name="Result">The result of the launch.</param>
/// <param name="Failure">The reason why it failed or is invalid, in a sentence.</param>
/// <param name="Control">Round trips per second of raw sockets just before the launch: the machine's own speed. Null if it was not measured.</param>
/// <param name="Baseline">The baseline in the same set of processes; null if the cases were not interleaved, or if it had no valid figures.</param>
/// <param name="Slices">The slices of the launch, one of each round; null if it was not measured in slices.</param>
/// <param name="Figures">The figures of a launch whose result is not kept; otherwise, null.</param>
/// <param name="Wire">What the load puts on the wire; null if it was not counted with this launch.</param>
/// <param name="Uncounted">The reason why that could not be counted, in a sentence; null if it was, or if another launch has it.</param>
public sealed record LaunchResult(
    int Number, RunResult? Result, string? Failure, double? Control = null, BaselineFigures? Baseline = null, SliceSeries? Slices = null,
    LaunchFigures? Figures = null, WireFigures? Wire = null, string? Uncounted = null)
{
    internal double? MessagesPerSecond => Known?.MessagesPerSecond;

    internal double? P50Microseconds => Known?.P50Microseconds;

    internal double? P99Microseconds => Known?.P99Microseconds;

    internal double? ServerCpuMicroseconds => Known?.ServerCpuMicroseconds;

    internal double? ServerAllocatedBytes => Known?.ServerAllocatedBytes;

    internal Guid? Id => Known?.Id;

    internal DateTimeOffset? StartedAt => Known?.StartedAt;

    internal bool IsValid => Known?.Valid ?? false;

    internal IReadOnlyList<string> Remarks => Known?.Remarks ?? [];

    internal LaunchResult Brief() => this with { Result = null, Figures = Known };

    private LaunchFigures? Known => Result is null ? Figures : LaunchFigures.From(Result);
}

/// <summary>The figures that a brief result keeps of a launch that is not the median one. The summary and a comparison are made of them.</summary>
/// <param name="Id">The identity of the measurement.</param>
/// <param name="StartedAt">The start of the measurement.</param>
/// <param name="MessagesPerSecond">Messages per second.</param>
/// <param name="P50Microseconds">The 50th percentile of the latency, in microseconds; null if no message came back.</param>
/// <param name="P99Microseconds">The 99th percentile of the latency, in microseconds; null if no message came back.</param>
/// <param name="ServerCpuMicroseconds">The server's CPU time of one message, in microseconds; null if the server had no process of its own.</param>
/// <param name="Valid">Whether the figures may be used.</param>
/// <param name="Remarks">The deviations of the library's adapter from the plan, a sentence each.</param>
/// <param name="ServerAllocatedBytes">Managed bytes that the server allocated per message; null if it had no process of its own.</param>
public sealed record LaunchFigures(
    Guid Id, DateTimeOffset StartedAt, double MessagesPerSecond, double? P50Microseconds, double? P99Microseconds, double? ServerCpuMicroseconds, bool Valid,
    IReadOnlyList<string> Remarks, double? ServerAllocatedBytes)
{
    internal static LaunchFigures From(RunResult result) => new(
        result.Id, result.Clients.StartedAt, result.MessagesPerSecond, result.LatencyMicroseconds?.P50, result.LatencyMicroseconds?.P99,
        result.Costs.Server?.CpuMicrosecondsPerMessage, result.Valid, result.Remarks, result.Costs.Server?.AllocatedBytesPerMessage);
}

/// <summary>The quoted figures of several launches.</summary>
/// <param name="MessagesPerSecond">Round trips per second.</param>
/// <param name="P50Microseconds">The 50th percentile of the round trips, in microseconds; null if none could be timed.</param>
/// <param name="P99Microseconds">The 99th percentile of the round trips, in microseconds; null if none could be timed.</param>
/// <param name="P999Microseconds">
/// The 99.9th percentile of the round trips, in microseconds; null if the load was no interleaved open loop, or if they are fewer than 1,000.
/// </param>
/// <param name="MessagesPerServerCpuSecond">Messages for each second of the server's CPU time; null if the server had no process of its own.</param>
/// <param name="ServerCpuMicroseconds">The server's CPU time of one message, in microseconds; null if the server had no process of its own.</param>
/// <param name="Delivery">The delivery under an impairment, of all launches together; null if the load was no open loop, or if nothing was impaired.</param>
/// <param name="MaxMicroseconds">The longest round trip of all launches, in microseconds; null if the load was no interleaved open loop.</param>
public sealed record CaseSummary(
    Spread MessagesPerSecond, Spread? P50Microseconds = null, Spread? P99Microseconds = null, Spread? P999Microseconds = null,
    Spread? MessagesPerServerCpuSecond = null, Spread? ServerCpuMicroseconds = null, DeliverySummary? Delivery = null, double? MaxMicroseconds = null)
{
    /// <summary>The workload's own figures, and percentiles of its own times in microseconds; null if there are none, and in a comparison in slices.</summary>
    public IReadOnlyList<OwnFigure>? OwnFigures { get; init; }
}

/// <summary>A figure of the load's own over several launches.</summary>
/// <param name="Name">The name, such as that of a distribution with a percentile.</param>
/// <param name="Unit">The unit, such as µs; empty for a number of things.</param>
/// <param name="Spread">The figure over the launches.</param>
public sealed record OwnFigure(string Name, string Unit, Spread Spread);

/// <summary>The delivery of an open loop under an impairment, of all launches of a case together.</summary>
/// <param name="Microseconds">The round trips of the messages that came back, in microseconds.</param>
/// <param name="Sent">Messages that the clients sent.</param>
/// <param name="Lost">Messages that never came back, or not before the deadline for a loss.</param>
public sealed record DeliverySummary(LatencySummary Microseconds, long Sent, long Lost)
{
    /// <summary>The 99th percentile of each launch, in microseconds; null if a launch has none.</summary>
    public Spread? P99OfLaunches { get; init; }

    internal long Returned => Sent - Lost;
}

/// <summary>A figure over several launches.</summary>
/// <param name="Median">The median over the launches. For latencies: the percentile of all launches together.</param>
/// <param name="Lower">The lower end of the 95 % confidence interval between launches; null if there are too few, and for latencies of all launches.</param>
/// <param name="Upper">The upper end of the interval; null if there is none.</param>
/// <param name="Modes">The centre and size of each group, the smallest first, if launches fell into clearly different groups; otherwise, empty.</param>
public sealed record Spread(double Median, double? Lower, double? Upper, IReadOnlyList<SpreadMode> Modes)
{
    /// <summary>Half the width of the interval in relation to the median; null if there is no interval.</summary>
    public double? RelativeHalfWidth => Lower is { } lower && Upper is { } upper && Median > 0 ? (upper - lower) / 2 / Median : null;
}

/// <summary>A group of launches.</summary>
/// <param name="Centre">The median of the group.</param>
/// <param name="Launches">The number of launches in the group.</param>
public sealed record SpreadMode(double Centre, int Launches);

/// <summary>The baseline of a benchmark in one set of processes: the case to which the others are compared.</summary>
/// <param name="MessagesPerSecond">Messages per second, over all slices of the set.</param>
/// <param name="ServerCpuMicroseconds">The server's CPU time of one message, in microseconds; null if it is not known.</param>
public sealed record BaselineFigures(double MessagesPerSecond, double? ServerCpuMicroseconds);

/// <summary>
/// The figures of one case in one set of processes, by the round. Cases are compared within the round, because the speed of a shared machine differs little
/// between neighbouring slices. A slice that was disturbed is left out, and has null: the JIT compiler used more than its allowed share of a process' time, or
/// more messages than allowed were sent late.
/// </summary>
/// <param name="MessagesPerSecond">Messages per second.</param>
/// <param name="ServerCpuMicroseconds">
/// The server's CPU time per message without that of the JIT compiler, in microseconds; null where it is not known.
/// </param>
public sealed record SliceSeries(IReadOnlyList<double?> MessagesPerSecond, IReadOnlyList<double?> ServerCpuMicroseconds)
{
    /// <summary>The largest share of a slice in which a JIT compiler may run. A slice with a larger share is left out.</summary>
    public const double MaxCompilation = 0.1;

    /// <summary>
    /// The largest share of the messages of a slice that may be sent late. A slice with a larger share is left out. A run allows 1 %: in a slice, that is one
    /// delay by the scheduler.
    /// </summary>
    public const double MaxLate = 0.05;

    /// <summary>The 50th percentile of the latency in each slice, in microseconds, with null where none was timed.</summary>
    public IReadOnlyList<double?> P50Microseconds { get; init; } = [];

    /// <summary>The 99th percentile of the latency in each slice, in microseconds, with null where none was timed.</summary>
    public IReadOnlyList<double?> P99Microseconds { get; init; } = [];

    /// <summary>The share of the messages of each slice that were sent late, between 0 and 1; 0 in a closed loop.</summary>
    public IReadOnlyList<double> LateShares { get; init; } = [];

    /// <summary>The share of each slice in which the JIT compiler of the server or of the clients ran, between 0 and 1; the larger of both.</summary>
    public IReadOnlyList<double> CompilationShares { get; init; } = [];

    /// <summary>The wall time of a slice that was not measured, in seconds, as the mean of all slices: resuming, settling and pausing.</summary>
    public double OverheadSeconds { get; init; }

    /// <summary>Whether the JIT compilers still ran for more than 10 % of a burst of load and its rest when the time for the warm-up was over.</summary>
    public bool StillCompiled { get; init; }

    /// <summary>The reason then lasts all the time, and a few slices by chance would show no more.</summary>
    internal static bool AreMost(int leftOut, int slices) => 2 * leftOut > slices;
}

/// <summary>The figures of a case in relation to the baseline of its benchmark, in the same sets.</summary>
/// <param name="Rate">Messages per second divided by those of the baseline: the higher, the better. Its 95 % interval is that of this ratio alone.</param>
/// <param name="Rank">
/// The first place that the case may have among the libraries: 1 plus those decided better. Null for a baseline, and for a case without an interval.
/// </param>
/// <param name="LastRank">The last place that the case may have: all libraries minus those decided worse. Null if it is <see cref="Rank"/>.</param>
/// <param name="StandardError">The standard error of the logarithm of <see cref="Rate"/>, by which results are compared; null if there is no interval.</param>
/// <param name="DegreesOfFreedom">The degrees of freedom of <see cref="StandardError"/>; null if there is no interval.</param>
/// <param name="ServerCpu">The server's CPU time of one message divided by that of the baseline: the lower, the better. Null if it is not known.</param>
public sealed record BaselineRatio(
    RatioFigure Rate, int? Rank, int? LastRank = null, double? StandardError = null, double? DegreesOfFreedom = null, RatioFigure? ServerCpu = null);

/// <summary>
/// The figures of a case in relation to the best library of its benchmark, which has 1 without an interval. The interval of another library is the one that
/// decides among all pairs of a ranking by this figure: it excludes 1 exactly if the library and the best one are decided.
/// <see cref="Decision.Confidence"/> is that of the ranked figure.
/// </summary>
/// <remarks>
/// A latency is compared in an open loop alone: with a full window it is the inverse of the rate (Little 1961, A Proof for the Queuing Formula L = λW).
/// </remarks>
/// <param name="Rate">Messages per second divided by those of the library with the most: the higher, the better.</param>
/// <param name="ServerCpu">The server's CPU time per message divided by that of the library with the least: the lower, the better. Null if not known.</param>
/// <param name="P50">The 50th percentile of the latency in a slice divided by that of the library with the lowest; null in a closed loop.</param>
/// <param name="P99">The 99th percentile of the latency in a slice divided by that of the library with the lowest; null in a closed loop.</param>
public sealed record BestRatio(RatioFigure Rate, RatioFigure? ServerCpu, RatioFigure? P50 = null, RatioFigure? P99 = null);

/// <summary>
/// The figures of a case under one load divided by those under the load that differs in the value of one option alone: its first value. The intervals are of
/// 95 % for each ratio alone.
/// </summary>
/// <param name="Option">The option.</param>
/// <param name="First">Its first value.</param>
/// <param name="IsInRounds">
/// Whether both loads were measured in the same rounds, whose differences are compared. Otherwise, each has sets of its own, and the interval is made of the
/// differences between the sets of both.
/// </param>
/// <param name="Rate">The ratio of the messages per second; null if one of them is not known.</param>
/// <param name="ServerCpu">The ratio of the server's CPU time per message; null if one of them is not known.</param>
/// <param name="P99">The ratio of the 99th percentiles of the latency; null in a closed loop, and if one of them is not known.</param>
public sealed record LoadRatio(string Option, string First, bool IsInRounds, RatioFigure? Rate, RatioFigure? ServerCpu, RatioFigure? P99);

/// <summary>The interval of a ratio among several that are judged together, by which it is decided whether it differs from 1.</summary>
/// <param name="Lower">The lower end.</param>
/// <param name="Upper">The upper end.</param>
/// <param name="Confidence">The confidence, such as 0.999.</param>
public sealed record RatioInterval(double Lower, double Upper, double Confidence)
{
    internal bool IsOpen => new RatioFigure(1, Lower, Upper).IsOpen;
}

/// <summary>The ratio of a figure to another, from several launches.</summary>
/// <param name="Ratio">The ratio.</param>
/// <param name="Lower">The lower end of the ratio's confidence interval, of 95 % unless its owner names another; null if there is none.</param>
/// <param name="Upper">The upper end of the interval; null if there is none.</param>
public sealed record RatioFigure(double Ratio, double? Lower, double? Upper)
{
    /// <summary>Half the width of the interval on a logarithmic scale, such as 0.03 for ±3 %; null if there is no interval.</summary>
    internal double? HalfWidth => Lower is > 0 and var lower && Upper is { } upper ? Math.Log(upper / lower) / 2 : null;

    /// <summary>
    /// The largest difference from 1 that the interval contains, such as 0.05 for a ratio between 0.95 and 1 / 0.95: two one-sided tests exclude a larger one
    /// (Schuirmann 1987). Null if there is no interval, or if it is without 1.
    /// </summary>
    internal double? Bound => Lower is <= 1 and var lower && Upper is >= 1 and var upper ? 1 - Math.Min(lower, 1 / upper) : null;

    /// <summary>Whether the interval is so wide that it shows nothing: it has a half width of more than 100 %, as after few sets that differ.</summary>
    internal bool IsOpen => Upper is not null && !(HalfWidth <= 1);
}
