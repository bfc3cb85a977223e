namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>Pages of large results: a page of some hundred kilobytes opens at once, and can be committed.</summary>
[Trait("Category", "Long")]
public sealed class HtmlPageSizeTests
{
    private const int MaxBytes = 800_000;

    private static readonly string[] s_libraries =
    [
        "NetCoreServer0", "NetCoreServer0 (tuned)", "NetCoreServer1", "NetCoreServer1 (tuned)", "NetCoreServer2", "NetCoreServer2 (tuned)", "Sockets",
    ];

    [Fact]
    public void The_page_of_a_comparison_of_two_large_suites_is_small()
    {
        ComparisonResult comparison = Comparer.Compare(
            new ResultSet("old", [Large(benchmarks: 18, seed: 1)]), new ResultSet("new", [Large(benchmarks: 18, seed: 2)]), 0.1, "1.2.3");
        Assert.Equal(108, comparison.Cases.Count);
        int size = Encoding.UTF8.GetByteCount(comparison.Html());
        TestContext.Current.SendDiagnosticMessage(string.Create(CultureInfo.InvariantCulture, $"The page has {size:N0} bytes."));
        Assert.InRange(size, 100_000, MaxBytes);
    }

    [Fact]
    public void The_page_of_a_large_suite_is_small()
    {
        int size = Encoding.UTF8.GetByteCount(Large().Html());
        TestContext.Current.SendDiagnosticMessage(string.Create(CultureInfo.InvariantCulture, $"The page has {size:N0} bytes."));
        Assert.InRange(size, 100_000, MaxBytes);
    }

    [Fact]
    public void The_page_of_a_brief_result_is_that_of_the_whole()
    {
        SuiteResult suite = SampleSuites.Suite;
        Assert.Equal(suite.Html(), suite.Brief().Html());
    }

    // Benchmarks of seven libraries in five sets, with 20,000 different latencies in each launch.
    internal static SuiteResult Large(int benchmarks = 12, int seed = 1, int values = 20_000)
    {
        var random = new Random(seed);
        return SampleSuites.Suite with
        {
            LaunchCount = 5,
            Interleaving = new InterleavingMethod(5, null, 0.5, 1),
            Benchmarks =
            [
                .. Enumerable.Range(1, benchmarks).Select(number => CaseRanking.Rank(new BenchmarkResult(
                    $"RoundTrip TCP, {number * 100} clients",
                    [.. s_libraries.Select(library => CaseOf(random, library, values))])
                {
                    Baseline = "Sockets",
                    HasRawBaseline = true,
                    Part = number > 2 ? "Round trip" : null,
                })),
            ],
        };
    }

    private static CaseResult CaseOf(Random random, string name, int values) => CaseSummarizer.Summarize(
        name,
        [
            .. Enumerable.Range(1, 5).Select(launch => new LaunchResult(launch, LaunchOf(random, name, values), null)
            {
                Baseline = new BaselineFigures(1_000_000 * (1 + random.NextDouble()), 5),
            }),
        ],
        isInterleaved: true);

    private static RunResult LaunchOf(Random random, string name, int values)
    {
        var histogram = new LatencyHistogram();
        for (int value = 0; value < values; value++)
        {
            histogram.Record((long)(10_000_000 * Math.Exp(2 * random.NextDouble() * random.NextDouble())) + value);
        }

        return SampleResults.Valid.OfLibrary(name).WithRate(1_000_000 * (1 + random.NextDouble()))
            .WithClients(clients => clients with { Latency = LatencyReport.From(histogram) });
    }
}
