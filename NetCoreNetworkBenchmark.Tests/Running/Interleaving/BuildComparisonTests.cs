using NetCoreNetworkBenchmark.Running.Interleaving;

namespace NetCoreNetworkBenchmark.Tests.Running.Interleaving;

/// <summary>When a comparison of two builds ends. Its sets are made up, and each takes seven seconds on the clock of the test.</summary>
public sealed class BuildComparisonTests
{
    private const double SecondsOfSet = 7;
    private const double Hour = 3_600;
    private const double Target = 0.02;
    private const int MinSets = 6;
    private const int Rounds = 4;

    private readonly SetClock _clock = new();
    private readonly List<string> _reports = [];
    private readonly List<string> _order = [];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Sets_follow_until_the_half_width_is_reached()
    {
        BuildContrast contrast = await CompareOneAsync(Until(Hour), new Noise(Rate: 0.05, Cpu: 0.02));
        Assert.InRange(contrast.Sets, MinSets + 1, 100);
        Assert.InRange(contrast.Rate!.HalfWidth!.Value, 0, Target);
        Assert.InRange(contrast.ServerCpu!.HalfWidth!.Value, 0, Target);
        Assert.Contains($", set {contrast.Sets}: new / old ", _reports[^1], StringComparison.Ordinal);
        Assert.EndsWith("; target ± 2.0 %; at most 0 s left", _reports[^1], StringComparison.Ordinal);

        // One set less was not enough.
        BuildContrast before = await CompareOneAsync(Fixed(contrast.Sets - 1), new Noise(Rate: 0.05, Cpu: 0.02));
        Assert.InRange(Math.Max(before.Rate!.HalfWidth!.Value, before.ServerCpu!.HalfWidth!.Value), Target, 1);
    }

    [Fact]
    public async Task Sets_follow_while_only_the_server_cpu_is_undecided()
    {
        int narrow = (await CompareOneAsync(Until(Hour), new Noise(Rate: 0.005, Cpu: 0.005))).Sets;
        BuildContrast contrast = await CompareOneAsync(Until(Hour), new Noise(Rate: 0.005, Cpu: 0.05));
        Assert.Equal(MinSets, narrow);
        Assert.InRange(contrast.Sets, MinSets + 1, 100);
        Assert.InRange(contrast.ServerCpu!.HalfWidth!.Value, 0, Target);
    }

    [Fact]
    public async Task Sets_end_at_the_half_width_of_the_rate_when_the_server_reports_no_cpu_time()
    {
        BuildContrast contrast = await CompareOneAsync(Until(Hour), new Noise(Rate: 0.005, Cpu: null));
        Assert.Equal((MinSets, null), (contrast.Sets, contrast.ServerCpu));
    }

    // The ninth set begins after 56 seconds.
    [Theory]
    [InlineData(60, 9)]
    [InlineData(56, 8)]
    [InlineData(1, MinSets)]
    public async Task Sets_end_with_the_time(double seconds, int sets) =>
        Assert.Equal(sets, (await CompareOneAsync(Until(seconds), new Noise(Rate: 0.3, Cpu: 0.3))).Sets);

    [Theory]
    [InlineData(0.5)]
    [InlineData(0.97)]
    [InlineData(1.03)]
    [InlineData(2)]
    public async Task The_outcome_never_ends_a_comparison(double ratio)
    {
        BuildContrast equal = await CompareOneAsync(Until(Hour), new Noise(Rate: 0.05, Cpu: 0.02));
        BuildContrast contrast = await CompareOneAsync(Until(Hour), new Noise(Rate: 0.05, Cpu: 0.02) { Ratio = ratio });
        Assert.Equal(equal.Sets, contrast.Sets);
        Assert.Equal(Math.Log(ratio), Math.Log(contrast.Rate!.Ratio / equal.Rate!.Ratio), 0.001);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(9)]
    public async Task A_fixed_number_of_sets_is_neither_exceeded_nor_cut_short(int sets)
    {
        Assert.Equal(sets, (await CompareOneAsync(Fixed(sets), new Noise(Rate: 0.3, Cpu: 0.3))).Sets);
        Assert.Equal(sets, (await CompareOneAsync(Fixed(sets), new Noise(Rate: 0.001, Cpu: 0.001))).Sets);
        Assert.Contains($", set {sets} of {sets}: new / old ", _reports[^1], StringComparison.Ordinal);
        Assert.EndsWith("; about 0 s left", _reports[^1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Cases_take_turns_and_one_that_is_narrow_leaves_its_time_to_the_others()
    {
        Dictionary<string, Noise?> cases = new() { ["Quiet"] = new Noise(0.005, 0.005), ["Loud"] = new Noise(0.3, 0.3), ["Noisy"] = new Noise(0.3, 0.3) };
        await CompareAsync(Until(150), cases);
        Assert.Equal([.. Enumerable.Repeat(cases.Keys, MinSets).SelectMany(names => names), "Loud", "Noisy", "Loud", "Noisy"], _order);
    }

    [Fact]
    public async Task A_case_that_always_fails_has_no_further_sets_and_does_not_end_the_others()
    {
        BuildComparison comparison = ComparisonOf(Until(60), new() { ["Broken"] = null, ["Whole"] = new Noise(0.3, 0.3) });
        IReadOnlyList<BuildContrast> contrasts = await comparison.CompareAsync([Case("Broken"), Case("Whole")], Token);
        Assert.Equal("Whole", Assert.Single(contrasts).Case.Title);
        Assert.Equal(MinSets, _order.Count(name => name == "Broken"));
        Assert.Equal(MinSets, comparison.NotCompared.Count);
        Assert.Equal("Broken, Broken, set 1: The old version failed: It broke.", comparison.NotCompared[0]);
    }

    [Fact]
    public async Task Cancelling_keeps_the_sets_so_far()
    {
        using var abort = new CancellationTokenSource();
        BuildComparison comparison = ComparisonOf(Until(Hour), new() { ["Case"] = new Noise(0.3, 0.3) }, set =>
        {
            if (set == 4)
            {
                abort.Cancel();
                abort.Token.ThrowIfCancellationRequested();
            }
        });
        Assert.Equal(3, Assert.Single(await comparison.CompareAsync([Case("Case")], abort.Token)).Sets);
    }

    [Theory]
    [InlineData(1.2, 1.2, Verdict.Slower)]
    [InlineData(1.2, 1, Verdict.Faster)]
    [InlineData(0.8, 0.8, Verdict.Slower)]
    [InlineData(1, 1, Verdict.Same)]
    public async Task A_slower_figure_makes_a_case_slower_beside_one_that_is_faster(double rate, double cpu, Verdict verdict)
    {
        IReadOnlyList<BuildContrast> contrasts =
            await CompareAsync(Fixed(9), new() { ["Case"] = new Noise(Rate: 0.001, Cpu: 0.001) { Ratio = rate, CpuRatio = cpu } });
        ComparedCase compared = Assert.Single(BuildContrast.Judge(contrasts, Target));
        Assert.Equal(verdict, compared.Verdict);
        Assert.Equal(
            [JudgedFigure.ServerCpu, JudgedFigure.MessagesPerSecond, JudgedFigure.AllocatedBytes], compared.Figures.Select(figure => figure.Figure));
        Assert.Equal(cpu, compared.Figures[0].Ratio, tolerance: 0.01);
    }

    private static InterleavingMethod Until(double seconds) => Fixed(MinSets) with { LimitSeconds = seconds, TargetHalfWidth = Target };

    private static InterleavingMethod Fixed(int sets) => new(sets, Rounds, SliceSeconds: 0.05, Seed: 1);

    private static SuiteCase Case(string title) => new(
        title, new RunPlan { Library = title }, SampleLibrary.Info with { Name = title }, new PingPong(), Launches: 1);

    private async Task<BuildContrast> CompareOneAsync(InterleavingMethod method, Noise noise) =>
        Assert.Single(await CompareAsync(method, new Dictionary<string, Noise?> { ["Case"] = noise }));

    private Task<IReadOnlyList<BuildContrast>> CompareAsync(InterleavingMethod method, Dictionary<string, Noise?> cases) =>
        ComparisonOf(method, cases).CompareAsync([.. cases.Keys.Select(Case)], Token);

    private BuildComparison ComparisonOf(InterleavingMethod method, Dictionary<string, Noise?> cases, Action<int>? starting = null)
    {
        var random = cases.ToDictionary(pair => pair.Key, _ => new Random(1));
        int sets = 0;
        return new BuildComparison(new ComparedVersion("old", "build"), new ComparedVersion("new"), method)
        {
            Clock = _clock,
            Report = _reports.Add,
            Measure = (builds, _) =>
            {
                starting?.Invoke(++sets);
                string name = builds[0].Plan.Library;
                _order.Add(name);
                _clock.Time += (long)(SecondsOfSet * Stopwatch.Frequency);
                return Task.FromResult<IReadOnlyList<InterleavedOutcome>>(cases[name] is { } noise
                    ? noise.OutcomesOf(builds, random[name])
                    : [.. builds.Select(source => new InterleavedOutcome(source, [], [], true, null, "It broke."))]);
            },
        };
    }

    /// <summary>The standard deviations of the two ratios between sets.</summary>
    private sealed record Noise(double Rate, double? Cpu)
    {
        private const double OldRate = 1e9;

        public double Ratio { get; init; } = 1;
        public double CpuRatio { get; init; } = 1;

        public IReadOnlyList<InterleavedOutcome> OutcomesOf(IReadOnlyList<InterleavedCase> builds, Random random)
        {
            // The sum of twelve uniform numbers is about normal.
            double Normal() => Enumerable.Range(0, 12).Sum(_ => random.NextDouble()) - 6;
            (double rate, double cpu) = (Ratio * Math.Exp(Rate * Normal()), CpuRatio * Math.Exp((Cpu ?? 0) * Normal()));
            return [OutcomeOf(builds[0], 1, 1), OutcomeOf(builds[1], rate, cpu)];
        }

        private InterleavedOutcome OutcomeOf(InterleavedCase source, double rate, double cpu)
        {
            // The rounds differ a little, and both builds alike.
            SliceReport[] slices = [.. Enumerable.Range(1, Rounds).Select(round => new SliceReport(1, (long)(OldRate * rate * (1 + (0.01 * round))), 0, 0, 0))];
            ServerSlice[] server = Cpu is null ? [] : [.. slices.Select(slice => new ServerSlice(1, slice.Messages, 1e-6 * cpu * slice.Messages, 0))];
            return new InterleavedOutcome(source, slices, server, true, SampleResults.Valid, null);
        }
    }
}
