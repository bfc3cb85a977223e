using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Documents;

namespace NetCoreNetworkBenchmark.Tests.Reports;

public sealed class LoadSentencesTests
{
    private static readonly CaseResult s_case = SampleSuites.Decided.Benchmarks[0].Cases[0];

    [Fact]
    public void Of_has_a_clause_for_each_library_and_the_decided_ones_first()
    {
        SuiteResult suite = SuiteOf(("Sockets", Ratio(1.43, 0.041)), ("Kestrel", Ratio(1.02, 0.03)), ("Epoll", Ratio(1.05, 0.12)), ("nginx", Ratio(0.9, 0.02)));
        Assert.Equal(
            "With Sockets, Tls costs the server 1.43 times as much CPU time per message as Tcp (±4.1 %); with nginx 0.90 times (±2 %); " +
                "with Kestrel no difference above 5 %; with Epoll undecided, 1.05 times (±12 %).",
            Assert.Single(Texts(LoadSentences.From(suite))));
    }

    [Theory]
    [InlineData(1.02, 0.03, "With Sockets, Tls and Tcp cost the server the same, with no difference above 5 %.")]
    [InlineData(1.05, 0.12, "With Sockets, Tls and Tcp are undecided, 1.05 times (±12 %).")]
    [InlineData(1.43, null, "With Sockets, Tls and Tcp are undecided, 1.43 times.")]
    public void Of_says_what_is_known_when_the_loads_are_undecided(double ratio, double? half, string sentence) =>
        Assert.Equal(sentence, Assert.Single(Texts(LoadSentences.From(SuiteOf(("Sockets", Ratio(ratio, half)))))));

    [Fact]
    public void Of_compares_the_rates_when_the_cost_of_a_server_is_not_known()
    {
        SuiteResult suite = SuiteOf(("Sockets", Ratio(1.43, 0.04))).WithCases(result => result with
        {
            ToFirstLoad = result.ToFirstLoad is null ? null : [result.ToFirstLoad[0] with { ServerCpu = null, Rate = Ratio(0.7, 0.02) }],
        });
        Assert.Equal("With Sockets, Tls serves 0.70 times as many messages per second as Tcp (±2 %).", Assert.Single(Texts(LoadSentences.From(suite))));
    }

    [Fact]
    public void Of_has_the_words_of_an_option_with_numbers()
    {
        SuiteResult suite = SuiteOf(("Sockets", Ratio(1.2, 0.02))).WithCases(result => result.WithRuns(
            run => run.WithPlan(plan => plan with { Clients = 60 })) with
        {
            ToFirstLoad = result.ToFirstLoad is null ? null : [result.ToFirstLoad[0] with { Option = "--clients", First = "50" }],
        });
        Assert.Equal(
            "With Sockets, 60 clients cost the server 1.20 times as much CPU time per message as 50 clients (±2 %).",
            Assert.Single(Texts(LoadSentences.From(suite with { Varied = ["--clients"] }))));
    }

    [Fact]
    public void Of_has_the_least_and_the_largest_ratio_under_the_values_of_another_option()
    {
        SuiteResult suite = SampleSuites.Matrix.WithBenchmarks([.. SampleSuites.Matrix.Benchmarks.Select((benchmark, index) => benchmark.WithCases(
            result => result with
            {
                ToFirstLoad = index % 2 == 0 ? null : [new LoadRatio("--protocol", "Udp", false, null, Ratio(1.3 + (index * 0.1), 0.02), null)],
            }))]);
        Assert.Equal(
            "With ENet, Tcp costs the server 1.40 to 1.60 times as much CPU time per message as Udp (under 2 loads); " +
                "with LiteNetLib 1.40 to 1.60 times (under 2 loads).",
            Assert.Single(Texts(LoadSentences.From(suite))));
    }

    [Fact]
    public void BriefOf_has_at_most_three_lines_of_a_terminal()
    {
        (string, RatioFigure)[] cases = [.. Enumerable.Range(1, 6).Select(number => ($"NetCoreServer{number}", Ratio(1 + (number * 0.1), 0.041)))];
        string brief = Assert.Single(Texts(LoadSentences.BriefOf(SuiteOf(cases))));
        brief.AssertEnds("; with NetCoreServer3 1.30 times (±4.1 %); the table By protocol has 3 more libraries.");
        Assert.InRange(brief.Length, 1, 3 * 78);
        Assert.Single(Texts(LoadSentences.From(SuiteOf(cases)))).AssertHas("; with NetCoreServer6 1.60 times (±4.1 %).");
    }

    [Fact]
    public void Pages_and_consoles_have_the_sentence_after_those_of_the_libraries()
    {
        SuiteResult suite = SuiteOf(("Sockets", Ratio(1.43, 0.041)), ("Epoll", Ratio(1.05, 0.12)));
        string sentence = Assert.Single(Texts(LoadSentences.From(suite)));
        string[] pages = [suite.Markdown(), suite.Summary()];
        Assert.All(pages, text => Assert.Matches($@"\* \*\*2: PingPong, Tls\*\*[^\n]*\n\* {Regex.Escape(sentence)}\n", text));
    }

    private static SuiteResult SuiteOf(params (string Library, RatioFigure Cost)[] cases) =>
        SampleSuites.Decided.WithBenchmarks(LoadOf(cases, Protocol.Tcp), LoadOf(cases, Protocol.Ssl)) with { Varied = ["--protocol"] };

    private static BenchmarkResult LoadOf((string Library, RatioFigure Cost)[] cases, Protocol protocol) => SampleSuites.Decided.Benchmarks[0] with
    {
        Title = $"PingPong, {protocol.OptionText()}",
        Baseline = cases[0].Library,
        Cases =
        [
            .. from of in cases
               select s_case.WithRuns(run => run.WithPlan(plan => plan with { Library = of.Library, Protocol = protocol })) with
               {
                   Library = of.Library,
                   ToFirstLoad = protocol == Protocol.Tcp ? null : [new LoadRatio("--protocol", "Tcp", false, null, of.Cost, null)],
               },
        ],
    };

    private static RatioFigure Ratio(double ratio, double? half) => SampleSuites.RatioOf(ratio, half);

    private static IEnumerable<string> Texts(IEnumerable<Inline[]> sentences) => sentences.Select(sentence => Assert.Single(sentence).Text);
}
