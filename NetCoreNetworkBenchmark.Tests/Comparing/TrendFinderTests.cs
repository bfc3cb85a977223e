using System.Globalization;
using NetCoreNetworkBenchmark.Comparing;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Tests.Reports;

namespace NetCoreNetworkBenchmark.Tests.Comparing;

public sealed class TrendFinderTests
{
    private static readonly double[] s_rates = [1000, 1010, 990, 1005, 995];

    [Theory]
    [InlineData("1 1 0.7 0.7", "3 Slower")]
    [InlineData("1 1 1.5 1.5", "3 Faster")]
    [InlineData("1 0.7 0.7", "2 Slower")]
    [InlineData("1 1 0.7 0.5 0.5", "3 Slower, 4 Slower")]
    [InlineData("1 1 0.7 0.7 1 1", "3 Slower, 5 Faster")]
    public void A_step_that_stays_is_a_change(string levels, string changes) => Assert.Equal(changes, ChangesOf(levels));

    [Theory]
    [InlineData("1 1 1 1")]
    [InlineData("1 0.95 1.05 1 0.96")]
    [InlineData("1 1 0.5 1 1")]
    [InlineData("1 1 2 1 1")]
    [InlineData("1 0.5 1 1")]
    public void Neither_a_small_step_nor_a_single_set_that_is_off_is_a_change(string levels) => Assert.Empty(ChangesOf(levels));

    [Theory]
    [InlineData("1 1 0.7", "3 Slower open")]
    [InlineData("1 2", "2 Faster open")]
    [InlineData("1 0.5 1", "")]
    public void A_step_to_the_last_set_is_open(string levels, string changes) => Assert.Equal(changes, ChangesOf(levels));

    // The noise and the launches of two rows in the table of Docs/methodology.md, by which one comparison finds such a loss in 99.6 and 97 of 100. A change
    // needs three.
    [Theory]
    [InlineData(0.03, 5)]
    [InlineData(0.05, 7)]
    public void A_loss_is_found_in_noise_where_it_is_and_nowhere_else(double noise, int launches)
    {
        const int Trends = 40;
        var random = new Random(1);
        string[] found = [.. Enumerable.Range(0, Trends).Select(_ => ChangesOf("1 1 1 1 1 0.8 0.8 0.8 0.8 0.8", noise, launches, random))];
        Assert.InRange(found.Count(changes => changes == "6 Slower"), 0.8 * Trends, Trends);
        Assert.All(found, changes => Assert.True(changes is "6 Slower" or "", changes));
    }

    [Theory]
    [InlineData(0.03, 5)]
    [InlineData(0.1, 5)]
    [InlineData(0.2, 10)]
    public void Noise_alone_has_no_change(double noise, int launches)
    {
        var random = new Random(1);
        Assert.All(
            Enumerable.Range(0, 10), _ => Assert.Empty(ChangesOf(string.Join(' ', Enumerable.Repeat("1", 30)), noise, launches, random)));
    }

    [Fact]
    public void A_change_has_the_figures_of_the_comparison_of_both_sets()
    {
        ResultSet[] sets = [.. ((double[])[1, 1, 0.7, 0.7]).Select((level, index) => SetOf(index + 1, s_rates.Select(rate => rate * level)))];
        ComparedCase compared = Comparer.Compare(sets[1], sets[2], 0.1, "1.2.3").Cases[0];
        Assert.Equal(
            new TrendChange(3, compared.Verdict, compared.Ratio, compared.Lower, compared.Upper, IsConfirmed: true), Find(sets).Cases[0].Changes.Single());
    }

    [Fact]
    public void Sets_are_in_the_order_of_their_time_and_then_of_their_names()
    {
        ResultSet[] sets = [SetOf(3, s_rates, "a"), SetOf(1, s_rates, "d"), SetOf(2, s_rates, "c"), SetOf(2, s_rates, "b")];
        TrendResult trend = Find(sets);
        Assert.Equal(["d", "b", "c", "a"], trend.Sets.Select(set => set.Name));
        Assert.Equal([1, 2, 2, 3], trend.Sets.Select(set => set.StartedAt.Day));
        Assert.All(trend.Sets, set => Assert.Equal(SampleResults.Suite.HarnessVersion, set.Version));
    }

    [Fact]
    public void A_point_has_the_rate_p99_and_server_CPU_of_its_launches()
    {
        TrendPoint point = Find(SetOf(1, [900, 1000, 1100]), SetOf(2, s_rates)).Cases[0].Points[0];
        Assert.Equal((1, 3, 1000), (point.Set, point.Launches, point.Rate.Value));
        Assert.InRange(point.Rate.Value, point.Rate.Lower!.Value, point.Rate.Upper!.Value);
        CaseSummary summary = Suites.Of(900, 1000, 1100).Benchmarks[0].Cases[0].Summary!;
        Assert.Equal(summary.P99Microseconds!.Median, point.P99Microseconds!.Value);
        Assert.Equal(SampleResults.Valid.Costs.Server!.CpuMicrosecondsPerMessage, point.ServerCpuMicroseconds!.Value);
    }

    [Fact]
    public void The_p99_of_a_point_is_that_of_the_page_also_if_the_launches_have_others()
    {
        SuiteResult suite = Suites.Of(s_rates);
        CaseResult found = suite.Benchmarks[0].Cases[0];
        CaseResult told = found with { Summary = found.Summary! with { P99Microseconds = new Spread(123, 100, 150, []) } };
        SuiteResult changed = suite with { Benchmarks = [suite.Benchmarks[0] with { Cases = [told] }] };
        Assert.Contains(
            new TrendFigure(123, 100, 150),
            Find(new ResultSet("one", [changed]), SetOf(2, s_rates)).Cases[0].Points.Select(point => point.P99Microseconds));
    }

    [Fact]
    public void The_trend_of_cases_that_took_turns_is_that_of_their_ratios_although_the_machine_became_slower()
    {
        double[] floors = [100, 50, 200, 100];
        double[] ratios = [0.5, 0.5, 0.3, 0.3];
        TrendResult trend = Find([.. floors.Zip(ratios).Select((set, index) => new ResultSet(
            $"{index}", [Suites.WithFloor(set.First, [.. ((double[])[1, 1.01, 0.99]).Select(noise => set.First * set.Second * noise)])]))]);
        TrendCase found = Assert.Single(trend.Cases);
        Assert.Equal(("ENet", "Sockets"), (found.Library, found.RelativeTo));
        Assert.All(found.Points.Zip(ratios), point => Assert.Equal(point.Second, point.First.Rate.Value, tolerance: 1e-3));
        Assert.Equal((3, Verdict.Slower, true), found.Changes.Select(change => (change.Set, change.Verdict, change.IsConfirmed)).Single());
        Assert.Equal(["The floor of a benchmark has no trend: it is the unit of the others."], trend.Remarks);
    }

    [Fact]
    public void With_a_control_in_all_sets_the_rates_are_taken_in_relation_to_it()
    {
        TrendCase found = Find(
            new ResultSet("1", [Suites.WithControl([10, 10], 100, 100)]), new ResultSet("2", [Suites.WithControl([5, 5], 50, 50)])).Cases[0];
        Assert.Equal(("raw sockets", 10, 10), (found.RelativeTo, found.Points[0].Rate.Value, found.Points[1].Rate.Value));
    }

    [Fact]
    public void A_case_may_be_missing_in_a_set_and_must_be_in_two()
    {
        ResultSet both = new("both", [Suites.Run(1000), Suites.Run(1000) with { Library = "Rare" }]);
        ResultSet[] sets = [both, new ResultSet("c", [Suites.Run(1000)]), new ResultSet("d", [Suites.Run(1000), Suites.Run(10) with { Library = "Lonely" }])];
        TrendResult trend = Find(sets);
        Assert.Equal("ENet", Assert.Single(trend.Cases).Library);
        Assert.Contains("Cases that only one set has are left out: 2.", trend.Remarks);
        Assert.Equal([1, 3], Find(both, sets[1], new ResultSet("e", [Suites.Run(1000) with { Library = "Rare" }])).Cases[1].Points.Select(point => point.Set));
    }

    [Fact]
    public void Different_machines_are_told()
    {
        RunResult run = Suites.Run(1000);
        TrendResult trend = Find(new ResultSet("a", [run]), new ResultSet("b", [run with { Environment = run.Environment with { Cpu = "Other" } }]));
        string remark = Assert.Single(trend.Remarks);
        Assert.StartsWith("The results are of different machines, whose differences are changes here: ", remark, StringComparison.Ordinal);
    }

    private static string ChangesOf(string levels) => ChangesOf(LevelsOf(levels).Select(level => s_rates.Select(rate => rate * level)));

    private static string ChangesOf(string levels, double noise, int launches, Random random) => ChangesOf(
        LevelsOf(levels).Select(level => Enumerable.Range(0, launches).Select(_ => 1000 * level * Math.Exp(noise * Normal(random)))));

    private static string ChangesOf(IEnumerable<IEnumerable<double>> sets)
    {
        TrendResult trend = Find([.. sets.Select((rates, index) => SetOf(index + 1, rates))]);
        return string.Join(", ", trend.Cases[0].Changes.Select(change => $"{change.Set} {change.Verdict}{(change.IsConfirmed ? string.Empty : " open")}"));
    }

    private static IEnumerable<double> LevelsOf(string levels) => levels.Split(' ').Select(level => double.Parse(level, CultureInfo.InvariantCulture));

    // Box and Muller 1958.
    private static double Normal(Random random) => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());

    private static ResultSet SetOf(int day, IEnumerable<double> rates, string? name = null) => new(
        name ?? $"{day:D2}", [Suites.Of([.. rates]) with { StartedAt = new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero).AddDays(day - 1) }]);

    private static TrendResult Find(params ResultSet[] sets) => TrendFinder.Find("results", sets, 0.1, "1.2.3");
}
