using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Comparing;

/// <summary>The properties that must be the same for two launches to be comparable.</summary>
/// <param name="Benchmark">The benchmark, or the test of a single run.</param>
/// <param name="Library">The library, with its profile.</param>
/// <param name="Load">The load that is requested of the library, in the words of the options.</param>
internal sealed record CaseKey(string Benchmark, string Library, string Test, string Load)
{
    /// <summary>The name for display; one name may stand for several loads.</summary>
    public string Name => $"{Benchmark}, {Library}";

    /// <summary>Returns the benchmark for display, with the load if its name alone stands for several.</summary>
    public string Title(bool isOneLoad) => isOneLoad ? Benchmark : $"{Benchmark} ({Load})";

    /// <param name="options">The options, of which those with a <see cref="PlanOption.Key"/> are in the key.</param>
    public static CaseKey From(string benchmark, RunResult result, IReadOnlyList<PlanOption> options) =>
        new(benchmark, result.Name, result.Plan.Test, PlanOptions.DescribeLoad(options, result.Plan, result.Tls?.Negotiated ?? string.Empty));
}

/// <param name="MessagesPerSecond">Round trips per second.</param>
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

    /// <summary>Returns how good a known figure is, in relation to the control if that is wanted. A faster machine allocates as much.</summary>
    public double Goodness(JudgedFigure figure, bool inRelation) =>
        FigureContrast.Goodness(figure, ValueOf(figure)!.Value) / (inRelation && figure != JudgedFigure.AllocatedBytes ? Control!.Value : 1);
}

/// <summary>The figures of a case divided by those of the baseline.</summary>
/// <param name="Baseline">The library of the baseline.</param>
internal sealed record ComparableRatio(string Baseline, SetRatio Rate, SetRatio? ServerCpu = null, SetRatio? P99 = null);
