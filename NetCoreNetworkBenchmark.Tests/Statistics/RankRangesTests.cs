using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Tests.Statistics;

public sealed class RankRangesTests
{
    [Fact]
    public void A_range_goes_from_the_cases_that_are_surely_better_to_those_that_are_surely_worse()
    {
        // The second and the third differ by less than their noise.
        RankRanges ranks = RanksOf([[2, 2.001], [1, 1.1], [1.1, 1], [0.5, 0.5001]]);
        Assert.Equal([(1, 1), (2, 3), (2, 3), (4, 4)], Enumerable.Range(0, 4).Select(index => ranks.Of(index)!.Value));
        Assert.Equal([(1, 2)], ranks.Undecided().Select(pair => (Math.Min(pair.First, pair.Second), Math.Max(pair.First, pair.Second))));
    }

    [Fact]
    public void The_lowest_figure_is_the_best_of_costs()
    {
        RankRanges ranks = RanksOf([[2, 2.001], [1, 1.001]], highestFirst: false);
        Assert.Equal([(2, 2), (1, 1)], Enumerable.Range(0, 2).Select(index => ranks.Of(index)!.Value));
        Assert.Equal([1, 0], ranks.Order);
    }

    [Fact]
    public void A_case_that_is_not_ranked_has_no_range()
    {
        var contrasts = new RoundContrasts([[[1, 1.01], [2, 2.01]], [[1, 1.02], [2, 2.01]]]);
        var ranks = new RankRanges(contrasts, [1], baseline: 0, highestFirst: true);
        Assert.Null(ranks.Of(0));
        Assert.Equal((1, 1), ranks.Of(1));
    }

    [Fact]
    public void The_width_of_a_single_case_is_that_of_its_ratio_to_the_baseline()
    {
        var contrasts = new RoundContrasts([[[1, 1.01], [2, 2.01]], [[1, 1.02], [2, 2.01]]]);
        Assert.Equal(contrasts.RatioOf(1, 0)!.HalfWidth!.Value, new RankRanges(contrasts, [1], baseline: 0, highestFirst: true).WidestHalfWidth);
        Assert.Equal(0, new RankRanges(contrasts, [0], baseline: 0, highestFirst: true).WidestHalfWidth);
    }

    [Fact]
    public void Equal_cases_are_hardly_ever_ordered_also_if_they_are_looked_at_after_each_set()
    {
        const int Repetitions = 200;
        var machine = new SimulatedMachine(seed: 5);
        int ordered = 0;
        for (int repetition = 0; repetition < Repetitions; repetition++)
        {
            var sets = machine.Slices(sets: 12, rounds: 20, [1, 1, 1, 1], slowMode: 0);
            ordered += Enumerable.Range(3, 10).Any(count => Ranks([.. sets.Take(count)]).Undecided().Count() < 3) ? 1 : 0;
        }

        Assert.InRange((double)ordered / Repetitions, 0, 0.05);
    }

    [Fact]
    public void Holm_rejects_in_the_order_of_the_chances_until_one_is_too_large()
    {
        SetRatio certain = SetRatio.Of(2, 0.01, 10);
        SetRatio weak = SetRatio.Of(1.05, 0.03, 10);
        Assert.Equal([false, true, false], HolmProcedure.Decide([weak, certain, null]));
        Assert.Equal([true, true], HolmProcedure.Decide([certain, certain]));
        Assert.Empty(HolmProcedure.Decide([]));
    }

    [Fact]
    public void The_intervals_of_the_confidence_agree_with_every_decision()
    {
        var random = new Random(1);
        for (int repetition = 0; repetition < 200; repetition++)
        {
            SetRatio RatioOf(int number) => SetRatio.Of(Math.Exp(random.NextDouble() - 0.5), 0.02 + (0.2 * random.NextDouble()), 6);
            SetRatio[] ratios = [.. Enumerable.Range(0, 12).Select(RatioOf)];
            IReadOnlyList<bool> differs = HolmProcedure.Decide(ratios);
            double confidence = HolmProcedure.ConfidenceOf(differs);
            Assert.Equal(differs, ratios.Select(ratio => ratio.IntervalAt(confidence)!).Select(interval => interval.Lower > 1 || interval.Upper < 1));
        }

        Assert.Null(new SetRatio(1, null, null, null, null).IntervalAt(0.99));
    }

    private static RankRanges RanksOf(double?[][] set, bool highestFirst = true) =>
        Ranks([set, [.. set.Select(rounds => rounds.Reverse().ToArray())], set], highestFirst);

    private static RankRanges Ranks(IReadOnlyList<IReadOnlyList<IReadOnlyList<double?>>> sets, bool highestFirst = true) =>
        new(new RoundContrasts(sets), Enumerable.Range(0, sets[0].Count), 0, highestFirst);
}
