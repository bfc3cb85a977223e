using System.Globalization;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>Computes the figures of cases in relation to the floor of their benchmark, and ranks them.</summary>
internal static class FloorRatios
{
    /// <summary>The widest interval of a usable ratio, as a factor to either side.</summary>
    private const double MostFactor = 2;

    /// <summary>Ranks the cases of benchmarks that have a floor.</summary>
    /// <param name="benchmarks">The benchmarks of one suite.</param>
    /// <returns>The benchmarks, with <see cref="CaseResult.ToFloor"/> and the cases in their former order.</returns>
    public static IReadOnlyList<BenchmarkResult> Rank(IReadOnlyList<BenchmarkResult> benchmarks)
    {
        Table[] rates = [.. benchmarks.Select(benchmark => new Table(benchmark, launch => launch.MessagesPerSecond / launch.Floor?.MessagesPerSecond))];
        Table[] costs = [.. benchmarks.Select(benchmark => new Table(benchmark, launch => launch.ServerCpuMicroseconds / launch.Floor?.ServerCpuMicroseconds))];
        VariancePrior? ofRates = PriorOf(rates);
        VariancePrior? ofCosts = PriorOf(costs);
        return
        [
            .. benchmarks.Select((benchmark, index) =>
                benchmark.Floor is null ? benchmark : Rank(benchmark, rates[index], ofRates, costs[index], ofCosts)),
        ];
    }

    private static VariancePrior? PriorOf(Table[] tables) => VariancePrior.Of(Ranking.VariancesOf(tables.SelectMany(table => table.Cases)));

    private static BenchmarkResult Rank(BenchmarkResult benchmark, Table rates, VariancePrior? ofRates, Table costs, VariancePrior? ofCosts)
    {
        var rate = new Ranking(rates.Cases, ofRates);
        var cost = new Ranking(costs.Cases, ofCosts);
        IReadOnlyList<int?> ranks = rate.Ranks();
        return benchmark with
        {
            Cases =
            [
                .. benchmark.Cases.Select((found, index) => rate.RatioOf(index) is { } ratio && ranks[index] is { } rank
                    ? Judged(found, new FloorRatio(FigureOf(ratio), rank)
                    {
                        StandardError = ratio.StandardError,
                        DegreesOfFreedom = ratio.Degrees,
                        ServerCpu = cost.RatioOf(index) is { } ofServer ? FigureOf(ofServer) : null,
                    })
                    : found),
            ],
        };
    }

    private static CaseResult Judged(CaseResult found, FloorRatio ratio)
    {
        double? factor = ratio.Rate.Upper / ratio.Rate.Ratio;
        return found with
        {
            ToFloor = ratio,
            InvalidReasons = factor > MostFactor
                ?
                [
                    .. found.InvalidReasons,
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"The sets differ too much: the 95 % interval of the ratio reaches {factor:0.00} times the ratio (at most {MostFactor} times)."),
                ]
                : found.InvalidReasons,
        };
    }

    private static RatioFigure FigureOf(SetRatio ratio) => new(ratio.Ratio, ratio.Lower, ratio.Upper);

    /// <summary>A figure of each case in relation to that of the floor, by set.</summary>
    private sealed class Table(BenchmarkResult benchmark, Func<LaunchResult, double?> ratio)
    {
        public IReadOnlyList<IReadOnlyDictionary<int, double>> Cases { get; } =
        [
            .. benchmark.Cases.Select(found => found.Launches
                .Where(launch => launch.IsValid && ratio(launch) is { } value && double.IsFinite(value) && value > 0)
                .ToDictionary(launch => launch.Number, launch => ratio(launch)!.Value)),
        ];
    }
}
