namespace NetCoreNetworkBenchmark.Tests.Results;

/// <summary>The brief result that <c>-b</c> writes to be committed. It is small, and gives the same page and comparisons as the whole result.</summary>
public sealed class BriefResultTests : ProgramInFolder
{
    private const int MaxBytes = 1_720_000;
    private const int MaxBytesOfPage = 65_000;
    private const int MaxBytesOfHtml = 800_000;

    // The measured values of a case differ from machine to machine.
    private const double Margin = 0.95;

    [Fact]
    public void The_files_of_the_predefined_benchmark_with_all_libraries_are_small()
    {
        SuiteResult suite = Predefined();
        Assert.Equal(110, suite.Benchmarks.Sum(benchmark => benchmark.Cases.Count));
        new ResultFiles(Folder.FullName, Formats).Write(suite.Brief());
        FileInfo[] files = Folder.GetFiles();
        string sizes = string.Join(", ", files.Select(file => string.Create(CultureInfo.InvariantCulture, $"{file.Name}: {file.Length:N0}")));
        Assert.Equal(["README.md", "results.html", "results.json"], files.Select(file => file.Name).Order(StringComparer.Ordinal));
        FileInfo html = files.Single(file => file.Extension == ".html");
        Assert.True(html.Length <= MaxBytesOfHtml, sizes);
        Assert.True(files.Sum(file => file.Length) - html.Length <= Margin * MaxBytes, sizes);
        Assert.True(files.Single(file => file.Name == "README.md").Length <= Margin * MaxBytesOfPage, sizes);
        TestContext.Current.SendDiagnosticMessage(sizes);
    }

    [Fact]
    public void The_page_of_a_brief_result_that_is_read_back_is_the_whole_results()
    {
        foreach (SuiteResult suite in (SuiteResult[])[Predefined(), SampleSuites.Suite])
        {
            Result read = ResultFile.Parse(suite.Brief().Json());
            Assert.Equal(suite.Markdown(), read.Markdown());
            Assert.Equal(new HlogReport().Render(suite.Brief()), new HlogReport().Render(read));
            Assert.Equal(suite.Brief().Json(), read.Json());
        }
    }

    [Fact]
    public void A_comparison_of_a_brief_result_is_that_of_the_whole()
    {
        foreach (SuiteResult suite in (SuiteResult[])[Predefined(), SampleSuites.Suite])
        {
            var whole = new ResultSet("whole", [suite]);
            var brief = new ResultSet("brief", [ResultFile.Parse(suite.Brief().Json())]);
            Assert.Equal(whole.Cases, brief.Cases);
            Assert.All(whole.Cases, key => Assert.Equal(whole.LaunchesOf(key), brief.LaunchesOf(key)));
            Assert.Equal(whole.Unusable, brief.Unusable);
            Assert.Equal(whole.Control, brief.Control);
        }
    }

    [Fact]
    public void The_log_of_a_brief_result_has_the_median_launch_of_each_case()
    {
        string log = new HlogReport().Render(SampleSuites.Suite.Brief());
        Assert.Single(log.Split('\n'), line => line.StartsWith("Tag=", StringComparison.Ordinal)).AssertBegins("Tag=Benchmark_1/ENet,");
    }

    [Fact]
    public void A_brief_result_keeps_the_figures_of_the_other_launches()
    {
        CaseResult found = SampleSuites.Suite.Brief().Benchmarks[0].Cases[0];
        Assert.Equal([false, true, true], found.Launches.Select(launch => launch.Result is null));
        Assert.Equal([SampleResults.Valid.MessagesPerSecond, 27_000, 18_000], found.Launches.Select(launch => launch.MessagesPerSecond!.Value));
        Assert.Equal(SampleResults.Chosen.Remarks, found.Launches[2].Remarks);
        Assert.Equal((true, 201_234.5), (found.Launches[0].IsValid, found.Launches[0].Control));
    }

    [Fact]
    public void A_brief_result_has_five_parts_of_the_timeline_together_and_keeps_their_sums()
    {
        var fine = new SideTimeline(
            Seconds: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], Messages: [1, 2, 3, 4, 5, 6], P99Microseconds: [10, 50, 20, 30, 40, 60],
            CpuSeconds: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1], PauseMilliseconds: [1, 1, 1, 1, 1, 1], PoolQueue: [7, 8, 7, 7, 7, 7],
            PoolThreads: [2, 2, 2, 2, 3, 2]);
        SuiteResult suite = SampleSuites.SuiteOf(SampleResults.Valid.WithClients(clients => clients with { Timeline = fine }));

        // Whoever writes it again, as 'report -f json' does, has the same parts.
        var read = (SuiteResult)ResultFile.Parse(((SuiteResult)ResultFile.Parse(suite.Brief().Json())).Brief().Json());
        SideTimeline coarse = read.Benchmarks[0].Cases[0].Launches[0].Result!.Clients.Timeline!;
        Assert.Equal([15L, 6], coarse.Messages!);
        Assert.Equal([50.0, 60], coarse.P99Microseconds!);
        Assert.Equal([0.5, 0.6], coarse.Seconds);
        Assert.Equal([0.5, 0.1], coarse.CpuSeconds);
        Assert.Equal([5.0, 1], coarse.PauseMilliseconds);
        Assert.Equal([8L, 7], coarse.PoolQueue);
        Assert.Equal([3, 2], coarse.PoolThreads);
    }

    // Two benchmarks of the first part, with ten cases of five launches each, and eighteen of the other part, with five cases of four launches.
    private static SuiteResult Predefined()
    {
        var random = new Random(1);
        string histogram = HistogramOf(random);
        return SampleSuites.Suite with
        {
            LaunchCount = 5,
            Aborted = false,
            Benchmarks =
            [
                .. Enumerable.Range(1, 2)
                    .Select(number => new BenchmarkResult($"Benchmark {number}", [.. Cases(random, histogram, SampleResults.Valid, cases: 10, launches: 5)])),
                .. Enumerable.Range(1, 18).Select(number => new BenchmarkResult(
                    $"RoundTrip SSL, {number * 100} clients, own clients",
                    [.. Cases(random, histogram, SampleResults.Stream.WithPlan(plan => plan with { Test = "RoundTrip" }), cases: 5, launches: 4)])
                {
                    Part = "Round trip and multicast",
                }),
            ],
        };
    }

    private static IEnumerable<CaseResult> Cases(Random random, string histogram, RunResult sample, int cases, int launches) =>
        from number in Enumerable.Range(0, cases)
        let library = number % 2 == 0 ? $"NetCoreServer{number}" : $"NetCoreServer{number} (tuned)"
        select CaseSummarizer.Summarize(
            library,
            [
                .. Enumerable.Range(1, launches)
                    .Select(launch => new LaunchResult(launch, LaunchOf(random, histogram, sample, library), null) { Control = 100_000 + random.NextDouble() }),
            ]);

    private static RunResult LaunchOf(Random random, string histogram, RunResult sample, string library)
    {
        double rate = 10_000_000 * (1 + (random.NextDouble() / 10));
        double latency = 10_000 + (1_000 * random.NextDouble());
        return sample.WithRate(Math.Round(rate)).WithPlan(plan => plan with
        {
            Library = library.Split(' ')[0],
            Profile = library.EndsWith(')') ? Profile.Tuned : Profile.Default,
            Settings = new Dictionary<string, string> { ["batch"] = "off", ["send"] = "message", ["wait"] = "block" },
        }).WithClients(clients => clients with
        {
            StartedAt = clients.StartedAt.AddSeconds(random.NextDouble() * 1000),
            Latency = new LatencyReport(
                new LatencySummary(latency / 1.1, latency, latency * 1.1, latency * 1.3, latency * 1.7, latency * 2.1, latency * 3.3, latency * 7.7),
                histogram),
        }) with
        {
            Command = $"{sample.Command} {new string('x', 240)}",
        };
    }

    // A little larger than the histograms of the first committed results, which had 5.4 kB on average.
    private static string HistogramOf(Random random)
    {
        var histogram = new LatencyHistogram();
        for (int value = 0; value < 200_000; value++)
        {
            double normal = Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
            histogram.Record((long)(10_000_000 * Math.Exp(0.5 * normal)));
        }

        return HistogramCodec.Encode(histogram);
    }
}
