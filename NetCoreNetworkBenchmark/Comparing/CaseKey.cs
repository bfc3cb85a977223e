using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Comparing;

/// <summary>The properties that must be the same for two launches to be comparable.</summary>
/// <param name="Benchmark">The benchmark, or the test of a single run.</param>
/// <param name="Library">The library, with its profile.</param>
internal sealed record CaseKey(string Benchmark, string Library, string Test, string Load)
{
    /// <summary>The name for display; one name may stand for several loads.</summary>
    public string Name => $"{Benchmark}, {Library}";

    public string Title(bool isOneLoad) => isOneLoad ? Benchmark : $"{Benchmark} ({Load})";

    public static CaseKey From(string benchmark, RunResult result, IReadOnlyList<PlanOption> options) =>
        new(benchmark, result.Name, result.Plan.Test, PlanOptions.DescribeLoad(options, result.Plan, result.Tls?.Negotiated ?? string.Empty));
}

/// <param name="Control">Round trips per second of the raw sockets just before the launch; null if they were not measured.</param>
/// <param name="P99Microseconds">The 99th percentile of the latency; null in a closed loop, and if it is not known.</param>
internal sealed record ComparableLaunch(
    double MessagesPerSecond, double? Control, double? ServerCpuMicroseconds = null, double? P99Microseconds = null, double? ServerAllocatedBytes = null)
{
    public bool HasControl => Control > 0;

    public double? ValueOf(JudgedFigure figure) => figure switch
    {
        JudgedFigure.MessagesPerSecond => MessagesPerSecond,
        JudgedFigure.ServerCpu => ServerCpuMicroseconds,
        JudgedFigure.P99 => P99Microseconds,
        _ => ServerAllocatedBytes,
    };

    /// <summary>A faster machine allocates as much.</summary>
    public double Goodness(JudgedFigure figure, bool inRelation) =>
        FigureContrast.Goodness(figure, ValueOf(figure)!.Value) / (inRelation && figure != JudgedFigure.AllocatedBytes ? Control!.Value : 1);
}

internal sealed record ComparableRatio(string Baseline, SetRatio Rate, SetRatio? ServerCpu = null, SetRatio? P99 = null);
