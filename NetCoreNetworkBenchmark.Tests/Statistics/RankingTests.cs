using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Tests.Statistics;

public sealed class RankingTests
{
    private const int Repetitions = 1_000;
    private const int Sets = 3;
    private static readonly double[] s_truth = [0.55, 0.62, 0.75, 0.9, 0.95, 1, 1.05, 1.3];

    [Fact]
    public void One_case_has_the_geometric_mean_with_Students_interval()
    {
        SetRatio ratio = RankingOf([[Math.Exp(-0.1), 1.0001, Math.Exp(0.1)], [1, 1, 1]]).RatioOf(0)!;
        Assert.Equal(1, ratio.Ratio, tolerance: 1e-4);
        Assert.Equal(Math.Exp(4.3027 * 0.1 / Math.Sqrt(3)), ratio.Upper!.Value, tolerance: 1e-3);
        Assert.Equal(2, ratio.Degrees);
    }

    [Fact]
    public void The_floor_is_1_and_has_no_interval() =>
        Assert.Equal(new SetRatio(1, null, null, null, null), RankingOf([[0.5, 0.6], [1, 1]]).RatioOf(1));

    [Fact]
    public void Several_cases_share_what_is_known_of_their_variance()
    {
        double[] noise = [Math.Exp(-0.02), 1.0001, Math.Exp(0.02)];
        SetRatio alone = RankingOf([noise]).RatioOf(0)!;
        SetRatio among = RankingOf([noise, .. Enumerable.Range(2, 6).Select(factor => noise.Select(ratio => ratio * factor).ToArray())]).RatioOf(0)!;
        Assert.InRange(Math.Log(among.Upper!.Value) / Math.Log(alone.Upper!.Value), 0.2, 0.8);
    }

    [Fact]
    public void Cases_without_a_significant_difference_share_a_rank()
    {
        Ranking ranking = RankingOf([[0.50, 0.51, 0.49], [1, 1, 1], [1.02, 0.99, 1.01], [2.02, 1.98, 2.01], [0.505, 0.495, 0.5], []]);
        Assert.Equal([4, 2, 2, 1, 4, null], ranking.Ranks());
    }

    // The second and the third differ, but neither differs from the first, which is between them.
    [Fact]
    public void A_case_between_two_others_holds_them_together() =>
        Assert.Equal([1, 1, 1], RankingOf([[1.05, 0.99, 1.02], [1.05, 1.09, 1.02], [0.97, 1.01, 0.94]]).Ranks());

    [Fact]
    public void Sets_in_which_a_case_failed_are_left_out() =>
        Assert.Equal(0.5, new Ranking([new Dictionary<int, double> { [2] = 0.5 }, new Dictionary<int, double> { [1] = 1, [2] = 1 }]).RatioOf(0)!.Ratio, 12);

    [Theory]
    [InlineData(10, 0)]
    [InlineData(10, 0.05)]
    [InlineData(40, 0.05)]
    public void The_intervals_hold_the_truth_95_times_in_100_on_a_machine_that_drifts(int rounds, double slowMode)
    {
        var machine = new SimulatedMachine(seed: 11);
        int held = 0;
        for (int repetition = 0; repetition < Repetitions; repetition++)
        {
            Ranking ranking = RankingOf(machine.RatiosToFloor(Sets, rounds, s_truth, floor: 5, slowMode));
            held += Enumerable.Range(0, s_truth.Length)
                .Count(index => index != 5 && ranking.RatioOf(index) is { } found && found.Lower <= s_truth[index] && s_truth[index] <= found.Upper);
        }

        Assert.InRange((double)held / Repetitions / (s_truth.Length - 1), 0.935, 0.975);
    }

    [Fact]
    public void Two_rankings_of_one_build_are_hardly_ever_judged_different()
    {
        var machine = new SimulatedMachine(seed: 12);
        int different = 0;
        for (int repetition = 0; repetition < Repetitions; repetition++)
        {
            Ranking[] two = [.. Enumerable.Range(0, 2).Select(_ => RankingOf(machine.RatiosToFloor(Sets, 10, s_truth, floor: 5, slowMode: 0.05)))];
            different += Enumerable.Range(0, s_truth.Length).Any(index => SetRatio.Quotient(two[0].RatioOf(index)!, two[1].RatioOf(index)!)
                .Judge(threshold: 0.02, s_truth.Length - 1) is Verdict.Slower or Verdict.Faster) ? 1 : 0;
        }

        Assert.InRange((double)different / Repetitions, 0, 0.06);
    }

    [Fact]
    public void A_quotient_has_the_errors_of_both()
    {
        SetRatio quotient = SetRatio.Quotient(SetRatio.Of(0.9, 0.03, 10), SetRatio.Of(1.2, 0.04, 10));
        Assert.Equal((0.75, 0.05), (Math.Round(quotient.Ratio, 12), Math.Round(quotient.StandardError!.Value, 12)));
        Assert.Equal(18.54, quotient.Degrees!.Value, tolerance: 0.01);
        Assert.Equal((Verdict.Slower, Verdict.Inconclusive), (quotient.Judge(0.1, 1), quotient.Judge(0.1, 1_000_000)));
        Assert.Null(SetRatio.Quotient(quotient, new SetRatio(1, null, null, null, null)).Lower);
    }

    private static Ranking RankingOf(IReadOnlyList<double[]> cases) => new(
        [.. cases.Select(ratios => ratios.Select((ratio, index) => (ratio, index)).ToDictionary(found => found.index + 1, found => found.ratio))]);
}
