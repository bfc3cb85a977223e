using System.Xml.Linq;
using NetCoreNetworkBenchmark.Reports.Builders;

namespace NetCoreNetworkBenchmark.Tests.Reports;

public sealed class ComparisonReportTests
{
    private static readonly ComparedCase s_case = SampleResults.Comparison.Cases[0];
    private static readonly InterleavingMethod s_slices = new(6, 12, 0.15, 1);

    [Theory]
    [InlineData(0, 0, 0, null, "No case could be compared.")]
    [InlineData(1, 0, 0, "bad", "The case is slower.")]
    [InlineData(0, 0, 1, null, "The case is undecided.")]
    [InlineData(0, 17, 0, "good", "None of 17 cases is slower.")]
    [InlineData(0, 5, 12, null, "Of 17 cases, 12 are undecided, 5 are not slower, so no regression was found.")]
    [InlineData(0, 1, 1, null, "Of 2 cases, 1 is undecided, 1 is not slower, so no regression was found.")]
    [InlineData(0, 0, 17, null, "None of 17 cases could be decided.")]
    [InlineData(2, 5, 10, "bad", "Of 17 cases, 2 are slower, 5 are the same or faster, 10 are undecided.")]
    [InlineData(1, 1, 0, "bad", "Of 2 cases, 1 is slower, 1 is the same or faster.")]
    public void The_first_sentence_says_how_many_cases_were_decided(int slower, int same, int undecided, string? style, string sentence)
    {
        static IEnumerable<ComparedCase> Cases(int count, Verdict verdict) =>
            Enumerable.Repeat(s_case with { Verdict = verdict }, count);
        ComparisonResult comparison = Of([.. Cases(slower, Verdict.Slower), .. Cases(same, Verdict.Same), .. Cases(undecided, Verdict.Undecided)]);
        XElement first = XDocument.Parse(comparison.Html()).Descendants("p").First();
        Assert.Equal((sentence, style), (first.Value, first.Attribute("class")?.Value));
    }

    [Theory, InlineData("About 15 launches of each side would decide it.", 15), InlineData("About 40 launches of each side would decide them.", 15, 40)]
    [InlineData(
        "About 15 launches of each side would decide Benchmark 1, ENet. Even 50 launches of each side would not decide Benchmark 1, ENet: they differ too " +
            "much on this machine, or the change is about as large as the threshold. Use a larger --threshold, or judge one --figure alone. Slices decide " +
            "more: regress compares two versions in slices.", 15, 100)]
    public void An_undecided_comparison_says_how_many_launches_would_decide_it(string sentence, params int[] launches)
    {
        ComparisonResult comparison = Undecided(launches) with { NewCommand = "program --library ENet --launches 5 --pin server=0" };
        Assert.Equal(sentence, ComparisonBuilder.RemedyOf(comparison));
        comparison.Markdown().AssertHas(
            $"\n{sentence} To measure again: `program --library ENet --pin server=0 --launches {launches.Where(needed => needed <= 50).Max()} --output DIR`\n");
    }

    [Fact]
    public void An_undecided_comparison_without_a_command_says_the_option()
    {
        Assert.Equal("About 15 launches of each side would decide it (--launches 15).", ComparisonBuilder.RemedyOf(Undecided(15)));
        ComparisonBuilder.RemedyOf(Undecided(100)).AssertBegins("Even 50 launches of each side would not decide it: ");
        Assert.Null(ComparisonBuilder.CommandToDecide(Undecided(100) with { NewCommand = "program" }));
    }

    [Fact]
    public void Two_undecided_builds_say_how_many_sets_would_decide_them_and_how_long_that_takes()
    {
        ComparisonResult builds = Undecided(20) with
        {
            Interleaving = new InterleavingMethod(5, 12, 0.15, 1),
            Seconds = 60,
            Command = "program regress ../old --library ENet --threshold 2% --precision 2% --time 120s --rounds 12",
        };
        Assert.Equal("About 20 sets of each version would decide it, in about 4 minutes.", ComparisonBuilder.RemedyOf(builds));
        Assert.Equal("program regress ../old --library ENet --threshold 2% --rounds 12 --launches 20", ComparisonBuilder.CommandToDecide(builds));
    }

    [Fact]
    public void Two_versions_have_a_sentence_for_each_case_with_the_least_change_that_would_have_been_called()
    {
        // ±2 % around 1.5, and ±3 % around 1.
        ComparedFigure[] figures =
        [
            new(JudgedFigure.ServerCpu, 10, 15, 1.5, 1.49, 1.51, Verdict.Slower, new RatioInterval(1.5 / Math.Exp(0.02), 1.5 * Math.Exp(0.02), 0.998)),
            new(JudgedFigure.MessagesPerSecond, 100, 100, 1, 0.99, 1.01, Verdict.Same, new RatioInterval(Math.Exp(-0.03), Math.Exp(0.03), 0.998)),
        ];
        ComparedCase compared = s_case with { Benchmark = "Benchmark 1", Library = "ENet", Verdict = Verdict.Slower, Figures = figures };
        ComparisonResult versions = Of(compared) with { Interleaving = s_slices, Threshold = 0.05 };
        Assert.Contains(
            "\n* **Benchmark 1, ENet**: slower: server CPU +50 % ± 3 %; " +
                "a change from 7.4 % of the server CPU or 7.8 % of the rate on would have been called slower.\n",
            versions.Markdown(),
            StringComparison.Ordinal);
        Assert.Null(ComparisonBuilder.OutcomesOf(versions with { Interleaving = null }));
    }

    [Theory]
    [InlineData(122, 130, "; 130.0 wire bytes per message, and 122.0 in the old version.")]
    [InlineData(122.01, 121.99, "; 122.0 wire bytes per message in both.")]
    public void Two_versions_of_a_library_have_the_bytes_on_the_wire(double old, double now, string end)
    {
        ComparisonResult versions = Of(s_case with { Wire = new ComparedWire(old, now) }) with { Interleaving = s_slices };
        versions.Markdown().AssertHas($"{end}\n");
    }

    [Fact]
    public void Results_of_different_machines_and_decided_ones_need_no_launches()
    {
        ComparisonResult other = Undecided(15) with { Differences = [new ComparedFact("Processor", "A", "B", IsOfMachine: true)] };
        Assert.Null(ComparisonBuilder.RemedyOf(other));
        Assert.Null(ComparisonBuilder.RemedyOf(Of(s_case)));
    }

    [Fact]
    public void The_verdict_names_the_figures_that_made_it()
    {
        ComparedFigure[] figures =
        [
            new(JudgedFigure.ServerCpu, 10, 9, 0.9, 0.85, 0.95, Verdict.Undecided, new RatioInterval(0.8, 1, 0.995)),
            new(JudgedFigure.P99, 919, 1_500, 1.64, 1.6, 1.68, Verdict.Slower, new RatioInterval(1.54, 1.74, 0.995)),
            new(JudgedFigure.AllocatedBytes, 0, 0, 1, 1, 1, Verdict.Same, new RatioInterval(1, 1, 0.995)),
        ];
        ComparedCase compared = SampleResults.Comparison.Cases[1] with { Verdict = Verdict.Slower, Figures = figures };
        string page = Of(
            compared, compared with { Verdict = Verdict.Undecided, Figures = [figures[0], figures[2]] },
            compared with { Verdict = Verdict.Undecided, Figures = [figures[0]] }, compared with { Verdict = Verdict.Same, Figures = [figures[2]] }).Markdown();
        Assert.Equal(
            ["slower: p99 +64 % ± 10 %", "same", "undecided", "undecided"],
            page.Split('\n').Where(line => line.StartsWith("| Benchmark 1", StringComparison.Ordinal)).Select(line => line.Split('|')[^2].Trim()));
        page.AssertHas("* Judged: server CPU, p99, allocated bytes. A case is slower if one of them is");
    }

    [Fact]
    public void Figures_that_make_no_case_undecided_are_counted_in_a_sentence_of_their_own()
    {
        ComparedFigure Judged(JudgedFigure figure, Verdict verdict) => new(figure, 10, 10, 1, 0.9, 1.1, verdict, new RatioInterval(0.8, 1.2, 0.995));
        ComparedCase With(params Verdict[] others) => SampleResults.Comparison.Cases[1] with
        {
            Verdict = Verdict.Same,
            Figures =
            [
                Judged(JudgedFigure.ServerCpu, Verdict.Same),
                .. others.Zip([JudgedFigure.P99, JudgedFigure.AllocatedBytes], (verdict, figure) => Judged(figure, verdict)),
            ],
        };
        string page = Of(With(Verdict.Same, Verdict.Undecided), With(Verdict.Undecided), With(Verdict.Undecided, Verdict.Undecided)).Markdown();
        Assert.Contains(
            "\nNone of 3 cases is slower.\n\n" +
                "Apart from the verdicts, p99 is decided for 1 of 3 cases, allocated bytes for 0 of 2; more launches decide more. ",
            page,
            StringComparison.Ordinal);
        Of(With(Verdict.Same)).Markdown().AssertHasNo("Apart from");
    }

    private static ComparisonResult Of(params ComparedCase[] cases) => SampleResults.Comparison with { Cases = cases };

    private static ComparisonResult Undecided(params int[] launches) =>
        Of([.. launches.Select(needed => new ComparedCase("Benchmark 1", "ENet", 5, 5, 100, 100, 1, 0.8, 1.2, Verdict.Undecided)
        {
            Figures = [new ComparedFigure(JudgedFigure.MessagesPerSecond, 100, 100, 1, 0.8, 1.2, Verdict.Undecided) { LaunchesToDecide = needed }],
        })]);
}
