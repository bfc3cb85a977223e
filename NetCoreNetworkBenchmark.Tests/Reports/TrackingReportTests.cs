using NJsonSchema;

namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>The formats of services that keep figures over time, validated by schemas from their documentation.</summary>
public sealed class TrackingReportTests
{
    // https://bencher.dev/bmf.json
    private const string SchemaOfBencher = """
        {
          "type": "object",
          "patternProperties": {
            "^.{1,1024}$": {
              "type": "object",
              "patternProperties": {
                "^.{1,64}$": {
                  "type": "object",
                  "properties": { "value": { "type": "number" }, "lower_value": { "type": "number" }, "upper_value": { "type": "number" } },
                  "required": ["value"],
                  "additionalProperties": false
                }
              },
              "additionalProperties": false
            }
          },
          "additionalProperties": false
        }
        """;

    // https://github.com/benchmark-action/github-action-benchmark, "Custom benchmarks".
    private const string SchemaOfGitHubAction = """
        {
          "type": "array",
          "minItems": 1,
          "items": {
            "type": "object",
            "properties": {
              "name": { "type": "string" }, "unit": { "type": "string" }, "value": { "type": "number" },
              "range": { "type": "string" }, "extra": { "type": "string" }
            },
            "required": ["name", "unit", "value"],
            "additionalProperties": false
          }
        }
        """;

    private static readonly (IJoiningReport Report, string Schema)[] s_formats =
        [(new BencherReport(), SchemaOfBencher), (new GitHubActionReport(), SchemaOfGitHubAction)];

    public static TheoryData<string> Samples => ["run", "open-loop", "suite", "turns", "decided", "framed", "loss"];

    [Theory, MemberData(nameof(Samples))]
    public async Task A_file_is_valid_by_the_schema_of_the_service(string sample)
    {
        foreach ((IJoiningReport report, string schema) in s_formats)
        {
            JsonSchema parsed = await JsonSchema.FromJsonAsync(schema, TestContext.Current.CancellationToken);
            Assert.Empty(parsed.Validate(Written(report, ReportTests.AllSamples[sample])));
        }
    }

    [Fact]
    public async Task A_wrong_file_is_refused_by_the_schemas()
    {
        JsonSchema bencher = await JsonSchema.FromJsonAsync(SchemaOfBencher, TestContext.Current.CancellationToken);
        Assert.NotEmpty(bencher.Validate("""{ "a": { "latency": { "lower_value": 1 } } }"""));
        JsonSchema action = await JsonSchema.FromJsonAsync(SchemaOfGitHubAction, TestContext.Current.CancellationToken);
        Assert.NotEmpty(action.Validate("""[{ "name": "a", "unit": "ns", "value": "1" }]"""));
    }

    [Fact]
    public void Bencher_gets_the_figures_of_each_valid_case_with_their_intervals()
    {
        KeyValuePair<string, JsonNode?> only = Assert.Single(JsonNode.Parse(Written(new BencherReport(), SampleSuites.Suite))!.AsObject());
        Assert.Equal("Benchmark 1, Udp Unreliable, 1000 clients, 1 message, 32 bytes: ENet", only.Key);
        Spread rate = SampleSuites.Suite.Benchmarks[0].Cases[0].Summary!.MessagesPerSecond;
        JsonNode throughput = only.Value!["throughput"]!;
        Assert.Equal(
            (rate.Median, rate.Lower, rate.Upper),
            ((double)throughput["value"]!, (double)throughput["lower_value"]!, (double)throughput["upper_value"]!));
        Assert.Equal(1000 * SampleSuites.Suite.Benchmarks[0].Cases[0].Summary!.P99Microseconds!.Median, (double)only.Value["latency-p99"]!["value"]!);
    }

    [Fact]
    public void Figures_of_cases_that_were_compared_are_those_of_the_ranking()
    {
        BenchmarkResult benchmark = SampleSuites.Decided.Benchmarks[0].WithCases(found => found.IsBaseline ? found : found with
        {
            ToBest = new BestRatio(new RatioFigure(3 * found.ToBest!.Rate.Ratio, 2, 4), new RatioFigure(2, 1.5, 2.5)),
        });
        SuiteResult suite = SampleSuites.Decided.WithBenchmarks(benchmark);
        JsonObject bencher = JsonNode.Parse(Written(new BencherReport(), suite))!.AsObject();
        JsonArray action = JsonNode.Parse(Written(new GitHubActionReport(), suite))!.AsArray();
        Assert.All(benchmark.Figures!, figures =>
        {
            JsonNode measures = bencher.Single(entry => entry.Key.EndsWith($": {figures.Library}", StringComparison.Ordinal)).Value!;
            JsonNode entry = action.Single(entry => ((string)entry!["name"]!).EndsWith($": {figures.Library}", StringComparison.Ordinal))!;
            var rate = figures.MessagesPerSecond!;
            Assert.Equal((rate.Value, rate.Upper), ((double)measures["throughput"]!["value"]!, (double?)measures["throughput"]!["upper_value"]));
            Assert.Equal((1000 * figures.ServerCpuMicroseconds!.Value, rate.Value), ((double)measures["server-cpu"]!["value"]!, (double)entry["value"]!));
        });
    }

    [Fact]
    public void A_run_is_named_by_its_test_load_and_library()
    {
        KeyValuePair<string, JsonNode?> only = Assert.Single(JsonNode.Parse(Written(new BencherReport(), SampleResults.Valid))!.AsObject());
        Assert.Equal("PingPong, Udp Unreliable, 1000 clients, 1 message, 32 bytes: ENet", only.Key);
        Assert.Equal(["throughput", "latency", "latency-p99", "server-cpu"], only.Value!.AsObject().Select(measure => measure.Key));
        Assert.Equal(1000 * SampleResults.Valid.LatencyMicroseconds!.P50, (double)only.Value["latency"]!["value"]!);
    }

    [Fact]
    public void A_file_for_github_action_benchmark_has_rates_alone()
    {
        JsonArray rates = JsonNode.Parse(Written(new GitHubActionReport(), SampleSuites.Turns))!.AsArray();
        Assert.Equal(["msg/s"], rates.Select(entry => (string)entry!["unit"]!).Distinct());
        Assert.Contains(rates, entry => ((string)entry!["name"]!).EndsWith(": Fast", StringComparison.Ordinal));
    }

    [Fact]
    public void A_result_without_a_valid_case_has_no_file()
    {
        Assert.All(s_formats, format => Assert.All(
            (Result[])[SampleResults.Invalid, SampleResults.Server, SampleSearches.Sweep, SampleSearches.MaxClients],
            result => Assert.Null(format.Report.FileNameOf(result))));
        Assert.Equal(["results.bencher.json", "results.github-action.json"], s_formats.Select(format => format.Report.FileNameOf(SampleSuites.Suite)));
    }

    [Fact]
    public void A_comparison_has_the_figures_of_the_new_version()
    {
        ComparedCase compared = SampleResults.Comparison.Cases[1];
        JsonNode measures = JsonNode.Parse(Written(new BencherReport(), SampleResults.Comparison))![$"{compared.Benchmark}: {compared.Library}"]!;
        Assert.Equal(compared.NewMedian, (double)measures["throughput"]!["value"]!);
        ComparedFigure cpu = compared.Figures.First(figure => figure.Figure == JudgedFigure.ServerCpu);
        Assert.Equal(1000 * cpu.New!.Value, (double)measures["server-cpu"]!["value"]!, tolerance: 1e-6);
        JsonNode entry = JsonNode.Parse(Written(new GitHubActionReport(), SampleResults.Comparison))!.AsArray()[1]!;
        Assert.Equal((compared.NewMedian, SampleResults.Comparison.New), ((double)entry["value"]!, (string)entry["extra"]!));
    }

    [Fact]
    public void Several_results_are_joined_unless_they_are_of_one_case()
    {
        string joined = Written(new BencherReport(), SampleResults.Valid, SampleResults.Valid.OfLibrary("Other"));
        Assert.Equal(2, JsonNode.Parse(joined)!.AsObject().Count);
        BenchmarkException refused = Assert.Throws<BenchmarkException>(() => Written(new BencherReport(), SampleResults.Valid, SampleResults.Valid));
        refused.Message.AssertBegins("Several results are of 'PingPong, Udp Unreliable, 1000 clients");
    }

    [Fact]
    public void Each_other_load_has_another_name()
    {
        Func<RunPlan, RunPlan>[] loads =
        [
            plan => plan with { Clients = 10 }, plan => plan with { ParallelMessages = 9 }, plan => plan with { MessageSize = 9 },
            plan => plan with { Transmission = Transmission.Reliable }, plan => plan with { Think = TimeSpan.FromMilliseconds(1) },
            plan => plan with { Rate = 5 }, plan => plan with { Rate = 5, Arrivals = Arrivals.Poisson }, plan => plan with { ServerThreads = 2 },
            plan => plan with { Payload = new Payload("file", 1, 1, new string('a', 64)) },
            plan => plan with { Impairment = new ImpairmentPlan { Loss = 0.1 } }, plan => plan with { Impairment = new ImpairmentPlan { Loss = 0.2 } },
            plan => plan with { Protocol = Protocol.Tcp }, plan => plan with { Protocol = Protocol.Tcp, Framing = Framing.Checked },
            plan => plan with { Protocol = Protocol.Ssl }, plan => plan with { Protocol = Protocol.Ssl, Tls = new TlsPlan { Mutual = true } },
            plan => plan.WithWorkloadOption("--path", "/a"), plan => plan.WithWorkloadOption("--path", "/b"),
        ];
        foreach (Func<RunResult, Result> of in (Func<RunResult, Result>[])[run => run, run => SampleSuites.SuiteOf(run)])
        {
            Result[] results = [.. loads.Select(load => of(SampleResults.Valid.WithPlan(load)))];
            Assert.Equal(loads.Length, JsonNode.Parse(Written(new BencherReport(), results))!.AsObject().Count);
        }
    }

    private static string Written(IJoiningReport report, params Result[] results)
    {
        using var writer = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        report.WriteAll(results, writer);
        return writer.ToString();
    }
}
