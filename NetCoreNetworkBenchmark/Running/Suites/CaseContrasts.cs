using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>The figures of the cases of one benchmark, ready to be compared.</summary>
internal sealed record CaseContrasts(RoundContrasts Rates, RoundContrasts ServerCpu)
{
    /// <summary>
    /// Creates the figures of a benchmark. The slices of a set are compared by their round. Of a set without slices, as in results of earlier versions, the
    /// ratios to the baseline are one round. So are those of all cases if the baseline was interleaved with some of them in another group of processes.
    /// </summary>
    public static CaseContrasts Of(BenchmarkResult benchmark)
    {
        int[] sets = [.. benchmark.Cases.SelectMany(caseResult => caseResult.Launches).Select(launch => launch.Number).Distinct().Order()];
        LaunchResult?[][] launches = [.. sets.Select(set => benchmark.Cases.Select(caseResult => LaunchOf(caseResult, set)).ToArray())];
        return new CaseContrasts(
            new RoundContrasts(
            [
                .. launches.Select(set => SeriesOf(
                    set, slices => slices.MessagesPerSecond, launch => Ratio(launch.MessagesPerSecond, launch.Baseline?.MessagesPerSecond))),
            ]),
            new RoundContrasts(
            [
                .. launches.Select(set => SeriesOf(
                    set, slices => slices.ServerCpuMicroseconds, launch => Ratio(launch.ServerCpuMicroseconds, launch.Baseline?.ServerCpuMicroseconds))),
            ]));
    }

    private static LaunchResult? LaunchOf(CaseResult caseResult, int set) =>
        caseResult.Launches.FirstOrDefault(launch => launch.Number == set && launch.IsValid);

    private static IReadOnlyList<double?>[] SeriesOf(
        LaunchResult?[] set, Func<SliceSeries, IReadOnlyList<double?>> slices, Func<LaunchResult, double?> ratio)
    {
        LaunchResult[] valid = [.. set.OfType<LaunchResult>()];
        bool hasSlices = valid.All(launch => launch.Slices is not null) && valid.Select(launch => launch.Baseline?.MessagesPerSecond).Distinct().Count() <= 1;
        return [.. set.Select(launch => launch is null ? [] : hasSlices ? slices(launch.Slices!) : [ratio(launch)])];
    }

    private static double? Ratio(double? figure, double? baseline) => figure / baseline is { } ratio && double.IsFinite(ratio) && ratio > 0 ? ratio : null;
}
