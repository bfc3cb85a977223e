using NetCoreNetworkBenchmark.Running.Interleaving;
using NetCoreNetworkBenchmark.Tests.Running.Sessions;

namespace NetCoreNetworkBenchmark.Tests.Running.Interleaving;

/// <summary>When a comparison of two builds ends. Its sets are made up, and each takes seven seconds on the clock of the test.</summary>
public sealed class VersionSetsTests : InTemporaryFolder
{
    private const double SecondsOfSet = 7;
    private const double Hour = 3_600;
    private const double Target = 0.02;
    private const int MinSets = 6;
    private const int Rounds = 4;

    private readonly SetClock _clock = new();
    private readonly List<Step> _steps = [];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private IEnumerable<string> Order => _steps.Select(step => step.Cases[0].Library.Name);

    [Fact]
    public async Task Sets_follow_until_the_half_width_is_reached()
    {
        BuildContrast contrast = await CompareOneAsync(Until(Hour), new Noise(Rate: 0.05, Cpu: 0.02));
        Assert.InRange(contrast.Sets, MinSets + 1, 100);
        Assert.InRange(contrast.Rate!.HalfWidth!.Value, 0, Target);
        Assert.InRange(contrast.ServerCpu!.HalfWidth!.Value, 0, Target);
        Assert.Equal(($"Case, Case, set {contrast.Sets}", Target), (_steps[^1].Name, _steps[^1].Decision!.TargetHalfWidth));
        Assert.Equal((contrast.WidestHalfWidth, TimeSpan.Zero), (_steps[^1].Decision!.HalfWidth, _steps[^1].ExpectedAfter));
        Assert.Equal(["Case (old)", "Case (new)"], _steps[^1].Launches.Select(launch => launch.Case.Name));

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

    // The ninth set ends after 63 seconds.
    [Theory, InlineData(63.1, 9), InlineData(62.9, 8), InlineData(1, MinSets)]
    public async Task Sets_end_with_the_time(double seconds, int sets) =>
        Assert.Equal(sets, (await CompareOneAsync(Until(seconds), new Noise(Rate: 0.3, Cpu: 0.3))).Sets);

    [Theory, InlineData(0.5), InlineData(0.97), InlineData(1.03), InlineData(2)]
    public async Task The_outcome_never_ends_a_comparison(double ratio)
    {
        BuildContrast equal = await CompareOneAsync(Until(Hour), new Noise(Rate: 0.05, Cpu: 0.02));
        BuildContrast contrast = await CompareOneAsync(Until(Hour), new Noise(Rate: 0.05, Cpu: 0.02) { Ratio = ratio });
        Assert.Equal(equal.Sets, contrast.Sets);
        Assert.Equal(Math.Log(ratio), Math.Log(contrast.Rate!.Ratio / equal.Rate!.Ratio), 0.001);
    }

    [Theory, InlineData(2), InlineData(9)]
    public async Task A_fixed_number_of_sets_is_neither_exceeded_nor_cut_short(int sets)
    {
        Assert.Equal(sets, (await CompareOneAsync(Fixed(sets), new Noise(Rate: 0.3, Cpu: 0.3))).Sets);
        Assert.Equal(sets, (await CompareOneAsync(Fixed(sets), new Noise(Rate: 0.001, Cpu: 0.001))).Sets);
        Assert.Equal((sets, sets, TimeSpan.Zero), (_steps[^1].Place, _steps[^1].Count, _steps[^1].ExpectedAfter));
    }

    [Fact]
    public async Task Cases_take_turns_and_one_that_is_narrow_leaves_its_time_to_the_others()
    {
        Dictionary<string, Noise?> cases = new() { ["Quiet"] = new Noise(0.005, 0.005), ["Loud"] = new Noise(0.3, 0.3), ["Noisy"] = new Noise(0.3, 0.3) };
        await CompareAsync(Until(155), cases);
        Assert.Equal([.. Enumerable.Repeat(cases.Keys, MinSets).SelectMany(names => names)], Order.Take(3 * MinSets));
        Assert.Equal(["Loud", "Loud", "Noisy", "Noisy"], Order.Skip(3 * MinSets).Order());
    }

    [Fact]
    public async Task A_case_that_always_fails_has_no_further_sets_and_does_not_end_the_others()
    {
        VersionSets sets = await RunAsync(Until(60), new() { ["Broken"] = null, ["Whole"] = new Noise(0.3, 0.3) });
        Assert.Equal("Whole", Assert.Single(sets.Contrasts).Case.Title);
        Assert.Equal(MinSets, Order.Count(name => name == "Broken"));
        Assert.Equal(Enumerable.Range(1, MinSets).Select(set => $"Broken, Broken, set {set}: The old version failed: It broke."), sets.Faults);
    }

    [Fact]
    public async Task A_version_that_always_fails_ends_its_case_after_the_planned_sets()
    {
        VersionSets sets = await RunAsync(Until(Hour), new() { ["Half"] = new Noise(0.3, 0.3) { NewFails = true } });
        Assert.Empty(sets.Contrasts);
        Assert.Equal(MinSets, _steps.Count);
        Assert.Equal(Enumerable.Range(1, MinSets).Select(set => $"Half, Half, set {set}: The new version failed: It broke."), sets.Faults);
    }

    [Theory, InlineData(1), InlineData(3)]
    public async Task A_comparison_that_was_interrupted_goes_on_with_the_sets_that_it_has(int done)
    {
        VersionSets whole = SetsOf(Fixed(MinSets), ["Case"]);
        await new Session(whole, RunnerOf(set => new Random(set))).RunAsync(Token);
        using (var abort = new CancellationTokenSource())
        {
            VersionSets begun = SetsOf(Fixed(MinSets), ["Case"]);
            using var first = SessionLog.Start(Folder.FullName, SessionBegin.Now(begun.Cases), SessionFacts.From("command", begun.Cases));
            await new Session(begun, RunnerOf(set => new Random(set)), first)
            {
                Starting = step => (step.Number > done ? abort : null)?.Cancel(),
            }.RunAsync(abort.Token);
        }

        VersionSets continued = SetsOf(Fixed(MinSets), ["Case"]);
        using var log = SessionLog.Continue(Folder.FullName, SessionFacts.From("command", continued.Cases));
        Assert.Equal(2 * done, log.EarlierCount);
        var started = new List<int>();
        await new Session(continued, RunnerOf(set => new Random(set)), log) { Starting = step => started.Add(step.Number) }.RunAsync(Token);
        Assert.Equal(Enumerable.Range(done + 1, MinSets - done), started);
        Assert.Equal(Assert.Single(whole.Contrasts).Rate, Assert.Single(continued.Contrasts).Rate);
        Assert.Equal(MinSets, continued.Contrasts[0].Sets);
    }

    [Theory, InlineData(1.2, 1.2, Verdict.Slower), InlineData(1.2, 1, Verdict.Faster), InlineData(0.8, 0.8, Verdict.Slower), InlineData(1, 1, Verdict.Same)]
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

    private async Task<IReadOnlyList<BuildContrast>> CompareAsync(InterleavingMethod method, Dictionary<string, Noise?> cases) =>
        (await RunAsync(method, cases)).Contrasts;

    private async Task<VersionSets> RunAsync(InterleavingMethod method, Dictionary<string, Noise?> cases)
    {
        _steps.Clear();
        var random = cases.ToDictionary(pair => pair.Key, _ => new Random(1));
        VersionSets sets = SetsOf(method, cases.Keys);
        var runner = new MadeUpRunner(
            step =>
            {
                _clock.Time += (long)(SecondsOfSet * Stopwatch.Frequency);
                string name = step.Cases[0].Library.Name;
                return SetRunner.LaunchesOf(step, OutcomesOf(cases[name], step.Cases, random[name]));
            },
            TimeSpan.FromSeconds(SecondsOfSet));
        await new Session(sets, runner) { Finished = _steps.Add }.RunAsync(Token).WaitAsync(LibraryUnderTest.Deadline, Token);
        return sets;
    }

    private VersionSets SetsOf(InterleavingMethod method, IEnumerable<string> names) =>
        new([.. names.Select(Case)], new ComparedVersion("old"), new ComparedVersion("new"), method)
        {
            Clock = _clock,
            Memory = long.MaxValue,
        };

    private static MadeUpRunner RunnerOf(Func<int, Random> randomOf) => new(step => SetRunner.LaunchesOf(
        step, new Noise(Rate: 0.05, Cpu: 0.02).OutcomesOf(step.Cases, randomOf(step.Number))));

    private static InterleavedOutcome[] OutcomesOf(Noise? noise, IReadOnlyList<SuiteCase> versions, Random random)
    {
        InterleavedOutcome[] outcomes = noise is null ? [.. versions.Select(Broken)] : noise.OutcomesOf(versions, random);
        return noise is { NewFails: true } ? [outcomes[0], Broken(versions[1])] : outcomes;

        static InterleavedOutcome Broken(SuiteCase version) => new(version, [], [], true, null, "It broke.");
    }

    /// <summary>The standard deviations of the two ratios between sets.</summary>
    private sealed record Noise(double Rate, double? Cpu)
    {
        private const double OldRate = 1e9;

        public double Ratio { get; init; } = 1;
        public double CpuRatio { get; init; } = 1;
        public bool NewFails { get; init; }

        public InterleavedOutcome[] OutcomesOf(IReadOnlyList<SuiteCase> builds, Random random)
        {
            // The sum of twelve uniform numbers is about normal.
            double Normal() => Enumerable.Range(0, 12).Sum(_ => random.NextDouble()) - 6;
            (double rate, double cpu) = (Ratio * Math.Exp(Rate * Normal()), CpuRatio * Math.Exp((Cpu ?? 0) * Normal()));
            return [OutcomeOf(builds[0], 1, 1), OutcomeOf(builds[1], rate, cpu)];
        }

        private InterleavedOutcome OutcomeOf(SuiteCase build, double rate, double cpu)
        {
            // The rounds differ a little, and both builds alike.
            SliceReport[] slices = [.. Enumerable.Range(1, Rounds).Select(round => new SliceReport(1, (long)(OldRate * rate * (1 + (0.01 * round))), 0, 0, 0))];
            ServerSlice[] server = Cpu is null ? [] : [.. slices.Select(slice => new ServerSlice(1, slice.Messages, 1e-6 * cpu * slice.Messages, 0))];
            return new InterleavedOutcome(build, slices, server, true, SampleResults.Valid, null);
        }
    }
}
