namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>The latencies are null in a closed loop.</summary>
internal sealed record CaseContrasts(RoundContrasts Rates, RoundContrasts ServerCpu, RoundContrasts? P50, RoundContrasts? P99)
{
    /// <summary>
    /// The slices of a set are compared by their round. The ratios to the baseline of a set without slices are one round. So are those of all cases if the
    /// baseline was interleaved with some of them in another group of processes. Latencies are compared by slices alone.
    /// </summary>
    public static CaseContrasts From(BenchmarkResult benchmark)
    {
        int[] sets = [.. benchmark.Cases.SelectMany(caseResult => caseResult.Launches).Select(launch => launch.Number).Distinct().Order()];
        LaunchResult?[][] launches = [.. sets.Select(set => benchmark.Cases.Select(caseResult => LaunchOf(caseResult, set)).ToArray())];
        bool isOpenLoop = benchmark.Cases.SelectMany(caseResult => caseResult.Launches).Any(launch => launch.Result?.Schedule is not null);
        return new CaseContrasts(
            Contrasts(slices => slices.MessagesPerSecond, launch => Ratio(launch.MessagesPerSecond, launch.Baseline?.MessagesPerSecond)),
            Contrasts(slices => slices.ServerCpuMicroseconds, launch => Ratio(launch.ServerCpuMicroseconds, launch.Baseline?.ServerCpuMicroseconds)),
            isOpenLoop ? Contrasts(slices => slices.P50Microseconds, _ => null) : null,
            isOpenLoop ? Contrasts(slices => slices.P99Microseconds, _ => null) : null);

        RoundContrasts Contrasts(Func<SliceSeries, IReadOnlyList<double?>> slices, Func<LaunchResult, double?> ratio) =>
            new([.. launches.Select(set => SeriesOf(set, slices, ratio))]);
    }

    private static LaunchResult? LaunchOf(CaseResult caseResult, int set) =>
        caseResult.Launches.FirstOrDefault(launch => launch.Number == set && launch.IsValid);

    private static IReadOnlyList<double?>[] SeriesOf(
        LaunchResult?[] set, Func<SliceSeries, IReadOnlyList<double?>> slices, Func<LaunchResult, double?> ratio)
    {
        LaunchResult[] valid = [.. set.OfType<LaunchResult>()];

        // Each group of processes has a baseline with figures of its own, and only cases of one group have common rounds.
        bool isOneGroup = valid.Select(launch => launch.Baseline?.MessagesPerSecond).Distinct().Count() <= 1;
        bool haveRounds = isOneGroup && valid.All(launch => launch.Slices is not null);
        return [.. set.Select(launch => launch is null ? [] : haveRounds ? slices(launch.Slices!) : [ratio(launch)])];
    }

    private static double? Ratio(double? figure, double? baseline) => figure / baseline is { } ratio && double.IsFinite(ratio) && ratio > 0 ? ratio : null;
}
