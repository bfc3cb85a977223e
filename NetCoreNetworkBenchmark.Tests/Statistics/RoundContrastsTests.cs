namespace NetCoreNetworkBenchmark.Tests.Statistics;

public sealed class RoundContrastsTests
{
    private const int Repetitions = 400;
    private static readonly double[] s_truth = [1.3, 1.2, 1, 0.8, 0.6];

    [Fact]
    public void RatioOf_is_the_geometric_mean_within_rounds_and_ignores_rounds_that_one_case_has_not()
    {
        var contrasts = new RoundContrasts([[[2, null, 8], [1, 100, 1]]]);
        SetRatio ratio = contrasts.RatioOf(0, 1)!;
        Assert.Equal(4, ratio.Ratio, tolerance: 1e-9);
        Assert.Null(ratio.Lower);
        Assert.Equal((true, false), (contrasts.Has(0), new RoundContrasts([[[null], [1]]]).Has(0)));
    }

    [Fact]
    public void RatioOf_does_not_follow_a_stall_in_one_round_of_five()
    {
        double?[] even = [1, 1, 1, 1, 1];
        double?[] stalled = [2.2, 2, 1000, 1.8, 2];
        SetRatio ratio = new RoundContrasts([[stalled, even, even], [stalled, even, even]]).RatioOf(0, 1)!;
        Assert.Equal(Math.Pow(2 * 2 * 2.2, 1 / 3.0), ratio.Ratio, tolerance: 1e-9);
        Assert.InRange(ratio.Upper!.Value, 2, 3);
    }

    [Fact]
    public void The_variance_of_a_trimmed_mean_is_that_of_the_winsorized_values()
    {
        // Yuen 1974: without the largest and the smallest of five, which are replaced by their neighbours.
        TrimmedMean mean = TrimmedMean.From([9, 1, 2, -7, 4]);
        Assert.Equal((7 / 3.0, 3), (mean.Value, mean.Kept));
        Assert.Equal(TrimmedMean.SquaresOf([1, 1, 2, 4, 4]), mean.Squares, tolerance: 1e-9);
        Assert.Equal(new TrimmedMean(2, 2, 3), TrimmedMean.From([1, 3, 2]));
    }

    [Fact]
    public void RatioOf_is_null_for_cases_without_a_common_round()
    {
        Assert.Null(new RoundContrasts([[[1, null], [null, 1]]]).RatioOf(0, 1));
        Assert.Null(new RoundContrasts([]).RatioOf(0, 1));
    }

    [Fact]
    public void RatioOf_has_the_variance_between_sets_alone_if_there_is_one_round_in_each()
    {
        SetRatio ratio = new RoundContrasts([[[Math.Exp(-0.1)], [1]], [[1], [1]], [[Math.Exp(0.1)], [1]]]).RatioOf(0, 1)!;
        Assert.Equal(0.1 / Math.Sqrt(3), ratio.StandardError!.Value, tolerance: 1e-9);
        Assert.Equal(2, ratio.Degrees);
    }

    [Fact]
    public void RatioOf_has_the_variance_of_the_slices_if_the_sets_differ_no_more_and_there_are_other_pairs()
    {
        // The slices of a set have a variance of 0.02, known with three degrees; other pairs know with four that the sets do not differ.
        double up = Math.Exp(0.1);
        double?[] even = [1, 1];
        double?[][] set = [[up, 1 / up], even, even, even];
        SetRatio ratio = new RoundContrasts([set, set, set]).RatioOf(0, 1)!;
        Assert.Equal(Math.Sqrt(0.02 / 2 / 3), ratio.StandardError!.Value, tolerance: 1e-9);
        Assert.Equal(2 + (1 / ((1 / 3.0) + (1 / 4.0))), ratio.Degrees!.Value, tolerance: 1e-9);

        // With two cases alone, the sets decide.
        Assert.Equal((0, 2), (Alone([set, set, set]).StandardError, Alone([set, set, set]).Degrees));

        static SetRatio Alone(double?[][][] sets) => new RoundContrasts([.. sets.Select(set => set[..2])]).RatioOf(0, 1)!;
    }

    [Fact]
    public void RatioOf_judges_a_case_whose_starts_vary_by_its_sets_and_the_others_as_before()
    {
        var machine = new SimulatedMachine(seed: 4) { StartNoiseOfFirst = 0.5 };
        var contrasts = new RoundContrasts(machine.Slices(sets: 3, rounds: 14, s_truth, slowMode: 0));
        Assert.All(Enumerable.Range(1, 4), other => Assert.InRange(contrasts.RatioOf(0, other)!.Degrees!.Value, 2, 2.1));
        Assert.InRange(contrasts.RatioOf(1, 2)!.Degrees!.Value, 5, 8);
        Assert.InRange(contrasts.SetInflation, 1, 3);
    }

    [Fact]
    public void RatioOf_judges_a_case_that_lacks_a_set_among_the_others_in_its_sets()
    {
        var sets = new SimulatedMachine(seed: 4).Slices(sets: 4, rounds: 14, s_truth, slowMode: 0);
        Assert.InRange(new RoundContrasts([.. sets.Take(3), [[], .. sets[3].Skip(1)]]).RatioOf(0, 1)!.Degrees!.Value, 2.5, 2 + 6);
    }

    [Fact]
    public void RatioOf_uses_the_rounds_that_both_cases_have_if_every_round_lacks_another_case()
    {
        double?[][] set = [[null, 1.1, 1, 1.1], [1, null, 1.1, 1], [1.1, 1, null, 1], [1, 1.1, 1, null]];
        var contrasts = new RoundContrasts([set, set, set]);
        Assert.Equal(2 + (1 / ((1 / 3.0) + (1 / 4.0))), contrasts.RatioOf(0, 1)!.Degrees!.Value, tolerance: 1e-9);
        Assert.Equal(1, contrasts.SetInflation);
    }

    [Fact]
    public void RatioOf_does_not_pool_a_pair_with_two_speeds()
    {
        double?[] even = [1, 1];
        SetRatio ratio = new RoundContrasts(
            [[[2, 2.001], even, even], [[1, 1.001], even, even], [[2, 2.002], even, even], [[1, 1.002], even, even]]).RatioOf(0, 1)!;
        Assert.Equal(3, ratio.Degrees);
    }

    [Fact]
    public void SetInflation_is_one_without_an_effect_of_the_start_and_larger_with_one()
    {
        Assert.InRange(new RoundContrasts(new SimulatedMachine(seed: 3).Slices(sets: 12, rounds: 40, s_truth, slowMode: 0.15)).SetInflation, 2, 200);
        Assert.Equal(1, new RoundContrasts([[[1, 2], [2, 3]], [[1, 2], [2, 3]]]).SetInflation);
        Assert.Equal(1, new RoundContrasts([]).SetInflation);
    }

    [Theory]
    [InlineData(3, 30, 0, 1, 0), InlineData(3, 30, 0.05, 1, 0), InlineData(3, 30, 0, 2, 0), InlineData(3, 30, 0, 1, 0.2), InlineData(6, 15, 0.05, 2, 0.1)]
    [InlineData(12, 24, 0.05, 1, 0)]
    public void The_intervals_hold_the_truth_95_times_in_100(int sets, int rounds, double slowMode, double noiseOfFirst, double trend)
    {
        var machine = new SimulatedMachine(seed: 11) { NoiseOfFirst = noiseOfFirst, Trend = trend };
        int held = 0;
        int all = 0;
        for (int repetition = 0; repetition < Repetitions; repetition++)
        {
            var contrasts = new RoundContrasts(machine.Slices(sets, rounds, s_truth, slowMode));
            for (int one = 0; one < s_truth.Length; one++)
            {
                for (int other = 0; other < one; other++)
                {
                    SetRatio ratio = contrasts.RatioOf(one, other)!;
                    held += ratio.Lower <= s_truth[one] / s_truth[other] && s_truth[one] / s_truth[other] <= ratio.Upper ? 1 : 0;
                    all++;
                }
            }
        }

        // The order of the rounds makes the mean of a set more even than its slices show.
        Assert.InRange((double)held / all, 0.94, 0.995);
    }
}

public sealed class RankRangesTests
{
    [Fact]
    public void A_range_goes_from_the_cases_that_are_surely_better_to_those_that_are_surely_worse()
    {
        // The second and the third differ by less than their noise.
        RankRanges ranks = RanksOf([[2, 2.001], [1, 1.1], [1.1, 1], [0.5, 0.5001]]);
        Assert.Equal([(1, 1), (2, 3), (2, 3), (4, 4)], Enumerable.Range(0, 4).Select(index => ranks.Of(index)!.Value));
        Assert.Equal([(1, 2)], ranks.Undecided().Select(pair => (Math.Min(pair.Better, pair.Worse), Math.Max(pair.Better, pair.Worse))));
    }

    [Fact]
    public void A_pair_is_decided_by_its_own_ratio_although_the_ratios_to_the_baseline_have_the_other_order()
    {
        // The third case has no figure in the rounds in which the second is fast.
        double?[][] set = [[1, 1, 1, 1.001], [1.2, 1.2, 0.8, 0.8], [null, null, 0.9, 0.9]];
        var contrasts = new RoundContrasts([set, set, set]);
        Assert.True(contrasts.RatioOf(1, 0)!.Ratio > contrasts.RatioOf(2, 0)!.Ratio);
        var ranks = RankRanges.From(contrasts, [1, 2], baseline: 0, highestFirst: true);
        Assert.Equal([2, 1], ranks.Order);
        Assert.Equal((2, (1, 1), (2, 2)), (ranks.Best, ranks.Of(2)!.Value, ranks.Of(1)!.Value));
    }

    [Fact]
    public void An_undecided_pair_has_the_better_one_by_its_own_ratio_first()
    {
        double?[][] First(double a, double b) => [[1, 1, 1, 1], [1.2, 1.2, 0.8, 0.8], [null, null, a, b]];
        var contrasts = new RoundContrasts([First(1, 0.7), First(0.7, 1), First(1, 0.7)]);
        (int better, int worse, SetRatio? ratio) = Assert.Single(RankRanges.From(contrasts, [1, 2], baseline: 0, highestFirst: true).Undecided());
        Assert.Equal((2, 1), (better, worse));
        Assert.InRange(ratio!.Ratio, 0, 1);
    }

    [Fact]
    public void The_widest_interval_is_of_the_pairs_that_count()
    {
        // The third case has figures in one set alone, so its pairs have no interval.
        var contrasts = new RoundContrasts([[[1, 1.01], [2, 2.01], [3, 3]], [[1, 1.02], [2, 2.01], []]]);
        var ranks = RankRanges.From(contrasts, [0, 1, 2], baseline: 0, highestFirst: true);
        Assert.Null(ranks.WidestHalfWidth(_ => true));
        Assert.Equal(contrasts.RatioOf(1, 0)!.HalfWidth!.Value, ranks.WidestHalfWidth(index => index != 2)!.Value, tolerance: 1e-9);
    }

    [Fact]
    public void The_widest_interval_depends_on_no_outcome()
    {
        var contrasts = new RoundContrasts(new SimulatedMachine(seed: 2).Slices(sets: 3, rounds: 14, [1, 2, 4, 8], slowMode: 0));
        var ranks = RankRanges.From(contrasts, [0, 1, 2, 3], baseline: 0, highestFirst: true);
        Assert.Empty(ranks.Undecided());
        Assert.Equal((0.95, 1 - (0.05 / 6)), (ranks.Confidence, ranks.LargestConfidence));
        IEnumerable<double> widths =
            from one in Enumerable.Range(0, 4)
            from other in Enumerable.Range(0, one)
            let interval = contrasts.RatioOf(one, other)!.IntervalAt(1 - (0.05 / 6))!
            select Math.Log(interval.Upper / interval.Lower) / 2;
        Assert.Equal(widths.Max(), ranks.WidestHalfWidth(_ => true)!.Value, tolerance: 1e-9);
    }

    [Fact]
    public void A_case_without_an_interval_has_no_place_and_is_not_the_best()
    {
        // The third case has the best figures, in one set alone.
        var contrasts = new RoundContrasts([[[1, 1.01], [2, 2.01], [3, 3]], [[1, 1.02], [2, 2.01], []]]);
        var ranks = RankRanges.From(contrasts, [0, 1, 2], baseline: 0, highestFirst: true);
        Assert.Equal([(2, 2), (1, 1), null], Enumerable.Range(0, 3).Select(ranks.Of));
        Assert.Equal(1, ranks.Best);
        Assert.Equal([1, 0, 2], ranks.Order);
        Assert.Equal(0.95, ranks.Confidence, tolerance: 1e-9);
    }

    [Fact]
    public void One_set_gives_ratios_to_the_best_figure_and_no_places()
    {
        var ranks = RankRanges.From(new RoundContrasts([[[1, 1.01], [2, 2.01]]]), [0, 1], baseline: 0, highestFirst: true);
        Assert.Equal((1, null, null), (ranks.Best, ranks.Of(0), ranks.Of(1)));
    }

    [Fact]
    public void The_interval_of_a_pair_excludes_one_exactly_if_the_pair_is_decided()
    {
        var machine = new SimulatedMachine(seed: 8) { SliceNoise = 0.1, StartNoiseOfFirst = 0.05 };
        for (int repetition = 0; repetition < 100; repetition++)
        {
            var contrasts = new RoundContrasts(machine.Slices(sets: 3, rounds: 8, [1, 1.02, 1.1, 1.2, 1.3], slowMode: 0));
            var ranks = RankRanges.From(contrasts, Enumerable.Range(0, 5), baseline: 0, highestFirst: true);
            bool IsDecided(int one, int other) => contrasts.RatioOf(one, other)!.IntervalAt(ranks.Confidence) is { } interval
                && (interval.Lower > 1 || interval.Upper < 1);
            Assert.All(ranks.Undecided(), pair => Assert.False(IsDecided(pair.Better, pair.Worse)));
            Assert.All(Enumerable.Range(0, 5), index => Assert.Equal(
                (1 + Enumerable.Range(0, 5).Count(other => other != index && contrasts.RatioOf(other, index)!.Ratio > 1 && IsDecided(other, index)),
                    5 - Enumerable.Range(0, 5).Count(other => other != index && contrasts.RatioOf(other, index)!.Ratio < 1 && IsDecided(other, index))),
                ranks.Of(index)));
        }
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
        var ranks = RankRanges.From(contrasts, [1], baseline: 0, highestFirst: true);
        Assert.Null(ranks.Of(0));
        Assert.Equal((1, 1), ranks.Of(1));
    }

    [Fact]
    public void The_width_of_a_single_case_is_that_of_its_ratio_to_the_baseline()
    {
        var contrasts = new RoundContrasts([[[1, 1.01], [2, 2.01]], [[1, 1.02], [2, 2.01]]]);
        var ranks = RankRanges.From(contrasts, [1], baseline: 0, highestFirst: true);
        Assert.Equal(contrasts.RatioOf(1, 0)!.HalfWidth!.Value, ranks.WidestHalfWidth(_ => true)!.Value, tolerance: 1e-9);
        Assert.Equal(0, RankRanges.From(contrasts, [0], baseline: 0, highestFirst: true).WidestHalfWidth(_ => true));
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
        SetRatio certain = SetRatio.From(2, 0.01, 10);
        Assert.Equal([false, true, false], HolmProcedure.Decide([SetRatio.From(1.05, 0.03, 10), certain, null]));
        Assert.Equal([true, true], HolmProcedure.Decide([certain, certain]));
        Assert.Empty(HolmProcedure.Decide([]));
    }

    [Fact]
    public void The_intervals_of_the_confidence_agree_with_every_decision()
    {
        var random = new Random(1);
        for (int repetition = 0; repetition < 200; repetition++)
        {
            SetRatio RatioOf(int number) => SetRatio.From(Math.Exp(random.NextDouble() - 0.5), 0.02 + (0.2 * random.NextDouble()), 6);
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
        RankRanges.From(new RoundContrasts(sets), Enumerable.Range(0, sets[0].Count), 0, highestFirst);
}
