using NetCoreNetworkBenchmark.Statistics;

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
    public void RatioOf_moderates_the_variance_between_sets_by_that_of_the_slices_if_there_are_other_pairs()
    {
        // The slices of a set have a variance of 0.02 and the sets the same means, so two thirds of 0.02 / 2 remain.
        double up = Math.Exp(0.1);
        double?[] even = [1, 1];
        double?[][] set = [[up, 1 / up], even, even, even];
        SetRatio ratio = new RoundContrasts([set, set, set]).RatioOf(0, 1)!;
        Assert.Equal(Math.Sqrt(2 / 3.0 * 0.02 / 2 / 3), ratio.StandardError!.Value, tolerance: 1e-9);
        Assert.Equal(6, ratio.Degrees);

        // With two cases alone, the sets decide.
        Assert.Equal((0, 2), (Alone([set, set, set]).StandardError, Alone([set, set, set]).Degrees));

        static SetRatio Alone(double?[][][] sets) => new RoundContrasts([.. sets.Select(set => set[..2])]).RatioOf(0, 1)!;
    }

    [Fact]
    public void RatioOf_gives_the_slices_a_weight_of_four_degrees_at_most()
    {
        var contrasts = new RoundContrasts(new SimulatedMachine(seed: 4).Slices(sets: 10, rounds: 5, s_truth, slowMode: 0));
        Assert.Equal(9 + 4, contrasts.RatioOf(0, 1)!.Degrees);
    }

    [Fact]
    public void RatioOf_uses_the_rounds_that_both_cases_have_if_every_round_lacks_another_case()
    {
        double?[][] set = [[null, 1.1, 1, 1.1], [1, null, 1.1, 1], [1.1, 1, null, 1], [1, 1.1, 1, null]];
        var contrasts = new RoundContrasts([set, set, set]);
        Assert.Equal(2 + 4, contrasts.RatioOf(0, 1)!.Degrees);
        Assert.Equal(1, contrasts.SetInflation);
    }

    [Fact]
    public void RatioOf_does_not_pool_a_pair_with_two_speeds()
    {
        double?[] even = [1, 1];
        SetRatio ratio = new RoundContrasts([[[2, 2.001], even], [[1, 1.001], even], [[2, 2.002], even], [[1, 1.002], even]]).RatioOf(0, 1)!;
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
    [InlineData(3, 30, 0, 1, 0)]
    [InlineData(3, 30, 0.05, 1, 0)]
    [InlineData(3, 30, 0, 2, 0)]
    [InlineData(3, 30, 0, 1, 0.2)]
    [InlineData(6, 15, 0.05, 2, 0.1)]
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

        Assert.InRange((double)held / all, 0.93, 0.985);
    }
}
