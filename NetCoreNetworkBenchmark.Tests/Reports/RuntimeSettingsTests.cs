using NetCoreNetworkBenchmark.Reports.Builders;

namespace NetCoreNetworkBenchmark.Tests.Reports;

public sealed class RuntimeSettingsTests
{
    [Fact]
    public void A_page_of_several_values_names_the_setting_and_begins_with_collections_pauses_memory_and_p99()
    {
        string page = SuiteOf("gcServer", collections: null).Markdown();
        page.AssertBegins("# gcServer=0,1 of ENet, ENet-CSharp on .NET ");
        string[] headers = [.. page.Split('\n').Where(line => line.StartsWith("| Library ", StringComparison.Ordinal))];
        Assert.Equal(
            ["Library", "GCs of generation 0/1/2", "GC pauses in all", "MiB resident", "allocated bytes per message", "p99"],
            headers[0].Trim('|').Split('|').Select(title => title.Trim()));
        headers[1].AssertHas("server CPU × best");
    }

    [Fact]
    public void A_page_of_one_value_has_the_usual_title_and_no_table_of_collections()
    {
        string page = SampleSuites.Decided.WithCases(result => With(result, "gcServer", "1")).Markdown();
        page.AssertBegins("# Network libraries on .NET ");
        page.AssertHasNo("Garbage collection and memory");
    }

    [Theory]
    [InlineData(0, "The garbage collector of a server did not run in a set, so its settings have little to change here.")]
    [InlineData(1, "The garbage collector of a server ran at most once in a set, so its settings have little to change here.")]
    [InlineData(9, "The garbage collector of a server ran at most 9 times in a set, so its settings have little to change here.")]
    [InlineData(10, null)]
    public void FewCollectionsIn_says_that_few_collections_show_little(int collections, string? sentence)
    {
        SuiteResult suite = SuiteOf("gcServer", collections);
        string? few = RuntimeSettings.FewCollectionsIn(suite);
        Assert.Equal(sentence is not null, few is not null);
        (few ?? string.Empty).AssertBegins(sentence ?? string.Empty);
        Assert.Equal(sentence is not null, suite.Markdown().Contains("The garbage collector of a server", StringComparison.Ordinal));
    }

    [Fact]
    public void FewCollectionsIn_is_silent_about_settings_of_the_compiler() => Assert.Null(RuntimeSettings.FewCollectionsIn(SuiteOf("TieredPGO", 0)));

    [Fact]
    public void A_setting_is_compared_with_its_first_value_for_each_library()
    {
        SuiteResult suite = SuiteOf("gcServer", 0);
        BenchmarkResult benchmark = suite.Benchmarks[0];
        CaseResult first = benchmark.Cases[0];
        CaseResult second = benchmark.Cases[1] with
        {
            Launches = With(first, "gcServer", "1", 0).Launches,
            ToFirstLoad = [new LoadRatio("--runtime", "gcServer=0", true, null, new RatioFigure(1.02, 0.96, 1.08), null)],
        };
        string page = new MarkdownReport().Render(suite with
        {
            Varied = ["--runtime"],
            Benchmarks = [benchmark with { Cases = [first, second] }],
        });
        page.AssertHas("\n* With ENet, gcServer=1 and gcServer=0 cost the server the same, with no difference above 8 %.\n", "\n## By runtime\n");
    }

    private static SuiteResult SuiteOf(string setting, int? collections)
    {
        BenchmarkResult decided = SampleSuites.Decided.Benchmarks[0];
        CaseResult[] cases = [With(decided.Cases[0], setting, "0", collections), With(decided.Cases[1], setting, "1", collections)];
        return SampleSuites.Decided.WithBenchmarks(decided with { Cases = cases, Baseline = decided.Cases[0].Library });
    }

    // With a number of collections, the compiler has a setting too.
    private static CaseResult With(CaseResult result, string setting, string value, int? collections = null) => result.WithRuns(run =>
    {
        run = run.WithPlan(plan => plan with { Runtime = plan.Runtime.With(setting, value) });
        return collections is not { } count ? run : run.WithPlan(plan => plan with { Runtime = plan.Runtime.WithLessCompilation() })
            .WithServer(server => server with { Cost = server.Cost! with { Collections = [count, 0, 0] } });
    });
}
