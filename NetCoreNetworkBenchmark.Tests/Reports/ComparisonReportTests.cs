using System.Xml.Linq;

namespace NetCoreNetworkBenchmark.Tests.Reports;

public sealed class ComparisonReportTests
{
    [Theory]
    [InlineData(0, 0, 0, null, "No case could be compared.")]
    [InlineData(1, 0, 0, "bad", "The case is slower.")]
    [InlineData(0, 0, 1, null, "The case is undecided.")]
    [InlineData(0, 17, 0, "good", "None of 17 cases is slower.")]
    [InlineData(0, 5, 12, null, "12 of 17 cases are undecided, the other 5 are not slower.")]
    [InlineData(0, 1, 1, null, "1 of 2 cases is undecided, the other one is not slower.")]
    [InlineData(0, 0, 17, null, "None of 17 cases could be decided.")]
    [InlineData(2, 5, 10, "bad", "2 of 17 cases are slower, 5 are the same or faster, 10 are undecided.")]
    [InlineData(1, 1, 0, "bad", "1 of 2 cases is slower, 1 is the same or faster.")]
    public void The_first_sentence_says_how_many_cases_were_decided(int slower, int same, int undecided, string? style, string sentence)
    {
        static IEnumerable<ComparedCase> Cases(int count, Verdict verdict) =>
            Enumerable.Repeat(SampleResults.Comparison.Cases[0] with { Verdict = verdict }, count);
        ComparisonResult comparison = SampleResults.Comparison with
        {
            Cases = [.. Cases(slower, Verdict.Slower), .. Cases(same, Verdict.Same), .. Cases(undecided, Verdict.Undecided)],
        };
        XElement first = XDocument.Parse(HtmlReportTests.PageOf(comparison)).Descendants("p").First();
        Assert.Equal((sentence, style), (first.Value, first.Attribute("class")?.Value));
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
        string page = new MarkdownReport().TextOf(SampleResults.Comparison with
        {
            Cases =
            [
                compared,
                compared with { Verdict = Verdict.Undecided, Figures = [figures[0], figures[2]] },
                compared with { Verdict = Verdict.Undecided, Figures = [figures[0]] },
                compared with { Verdict = Verdict.Same, Figures = [figures[2]] },
            ],
        });
        Assert.Equal(
            ["slower: p99 +64 % ± 10 %", "same", "undecided: server CPU", "undecided"],
            page.Split('\n').Where(line => line.StartsWith("| Benchmark 1", StringComparison.Ordinal)).Select(line => line.Split('|')[^2].Trim()));
        Assert.Contains("* Judged: server CPU, p99, allocated bytes. A case is slower if one of them is", page, StringComparison.Ordinal);
    }
}
