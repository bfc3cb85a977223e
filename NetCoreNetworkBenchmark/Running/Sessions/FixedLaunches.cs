namespace NetCoreNetworkBenchmark.Running.Sessions;

/// <summary>The first launch of all cases comes before the second one. A case whose first launch has no result is not launched again.</summary>
internal sealed class FixedLaunches(IReadOnlyList<SuiteCase> cases) : SuiteStrategy(cases)
{
    // The time of a launch besides its load, until a launch has been measured.
    private static readonly TimeSpan s_firstGuess = TimeSpan.FromSeconds(3);

    private readonly int _count = cases.Sum(suiteCase => suiteCase.Launches);
    private TimeSpan _expected = cases[0].Plan.Duration + s_firstGuess;
    private int _place;

    public override Step? Next()
    {
        while (_place < _count)
        {
            (SuiteCase suiteCase, int launch) = (Cases[_place % Cases.Count], (_place / Cases.Count) + 1);
            _place++;

            // What cannot run on this machine does not run in a further launch.
            if (LaunchesOf(suiteCase) is not [{ Result: null }])
            {
                return WithTimes(new Step($"{suiteCase}, launch {launch}", [suiteCase], launch) { Place = _place, Count = _count });
            }
        }

        return null;
    }

    public override Step Add(Step step, Measurement measurement)
    {
        _expected = measurement.Duration ?? _expected;
        return WithTimes(step with { Launches = Keep(measurement.Launches) });
    }

    private Step WithTimes(Step step) => step with { Expected = _expected, ExpectedAfter = (_count - step.Place) * _expected };
}
