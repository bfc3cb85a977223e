namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class SuiteCommandTests
{
    [Fact]
    public void IsGood_is_true_when_a_ranking_was_made_and_a_cell_of_it_is_invalid()
    {
        SuiteResult suite = SampleSuites.Decided;
        SuiteResult invalid = suite.WithCases(result => result.Library == "LiteNetLib" ? result with { InvalidReasons = ["Late."] } : result);
        SuiteResult without = suite.WithCases(result => result with { ToBest = result.IsBaseline ? result.ToBest : null, InvalidReasons = ["Late."] });
        Assert.Equal([true, true, false, false], new[] { suite, invalid, without, invalid with { Aborted = true } }.Select(SuiteCommand.IsGood));
        invalid.Markdown().AssertHas("Benchmark 1, LiteNetLib: Late.\n");
    }

    [Fact]
    public void IsGood_is_false_when_a_case_outside_a_ranking_is_invalid() =>
        Assert.Equal([false, true], new[] { SampleResults.Invalid, SampleResults.Valid }.Select(run => SuiteCommand.IsGood(SampleSuites.SuiteOf(run))));

    [Fact]
    public void AssertMeasured_fails_when_every_case_is_invalid() => Assert.ThrowsAny<Xunit.Sdk.XunitException>(
        () => EndToEnd.SuiteTests.AssertMeasured(SampleSuites.SuiteOf(SampleResults.Invalid), ExitCode.Failed, string.Empty));

    [Theory, InlineData(0, 0, 0.15, 0.05), InlineData(2, 0, 0.15, 0.05), InlineData(140, 0, 2.8, 0.28), InlineData(100, 20, 2.4, 0.24)]
    public void OverRoundTrips_gives_a_slice_ten_round_trips_of_its_path(int delay, int jitter, double slice, double settle)
    {
        SuiteCase Case(int milliseconds, int variation) => new("load", new RunPlan
        {
            Library = "Sockets",
            Impairment = new ImpairmentPlan
            {
                Delay = TimeSpan.FromMilliseconds(milliseconds),
                Jitter = TimeSpan.FromMilliseconds(variation),
            },
        }, new LibraryInfo { Name = "Sockets", Version = "1.0", Protocols = [], Transmissions = [] }, new PingPong(), Launches: 1);
        var method = new InterleavingMethod(Sets: 3, Rounds: null, SliceSeconds: 0.15, Seed: 1) { SettleSeconds = 0.05 };
        InterleavingMethod found = SuiteCommand.OverRoundTrips(method, [Case(0, 0), Case(delay, jitter)]);
        Assert.Equal(slice, found.SliceSeconds, tolerance: 1e-9);
        Assert.Equal(settle, found.SettleSeconds, tolerance: 1e-9);
    }
}
