namespace NetCoreNetworkBenchmark.Tests.Reports;

public sealed class RuntimeSettingsTests
{
    [Fact]
    public void A_page_of_several_values_names_the_setting_and_begins_with_collections_pauses_memory_and_p99()
    {
        BenchmarkResult decided = SampleSuites.Decided.Benchmarks[0];
        BenchmarkResult benchmark = decided with
        {
            Cases = [With(decided.Cases[0], "0"), With(decided.Cases[1], "1")],
            Baseline = decided.Cases[0].Library,
        };
        string page = new MarkdownReport().TextOf(SampleSuites.Decided with { Benchmarks = [benchmark] });
        Assert.StartsWith("# gcServer=0,1 of ENet, ENet-CSharp on .NET ", page, StringComparison.Ordinal);
        string[] headers = [.. page.Split('\n').Where(line => line.StartsWith("| Library ", StringComparison.Ordinal))];
        Assert.Equal(
            ["Library", "GCs of generation 0/1/2", "GC pauses in all", "MiB resident", "allocated bytes per message", "p99"],
            headers[0].Trim('|').Split('|').Select(title => title.Trim()));
        Assert.Contains("server CPU × best", headers[1], StringComparison.Ordinal);
    }

    [Fact]
    public void A_page_of_one_value_has_the_usual_title_and_no_table_of_collections()
    {
        string page = new MarkdownReport().TextOf(SampleSuites.Decided.WithCases(result => With(result, "1")));
        Assert.StartsWith("# Network libraries on .NET ", page, StringComparison.Ordinal);
        Assert.DoesNotContain("Garbage collection and memory", page, StringComparison.Ordinal);
    }

    private static CaseResult With(CaseResult result, string value) => result with
    {
        Launches =
        [
            .. result.Launches.Select(launch => launch with
            {
                Result = launch.Result?.WithPlan(plan => plan with { Runtime = plan.Runtime.With("gcServer", value) }),
            }),
        ],
    };
}
