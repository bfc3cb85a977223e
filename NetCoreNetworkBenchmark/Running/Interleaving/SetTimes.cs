using NetCoreNetworkBenchmark.Running.Sessions;

namespace NetCoreNetworkBenchmark.Running.Interleaving;

/// <summary>Expected times are guesses at the pace of the sets so far.</summary>
internal sealed class SetTimes
{
    // The time that a case needs in a set besides its warm-up and its slices: processes start, connect and end.
    private static readonly TimeSpan s_processes = TimeSpan.FromSeconds(1.5);

    // A warm-up ends when the compilers are silent, mostly after about this time.
    private static readonly TimeSpan s_warmUp = TimeSpan.FromSeconds(1.5);

    // The duration of a load that ends by itself is its deadline, which it seldom needs. It is repeated for about this long.
    private static readonly TimeSpan s_repetitions = TimeSpan.FromSeconds(1);

    // Of sets that were restored, only a guess is known, and no parts.
    private readonly Dictionary<(string? Part, string Title), (TimeSpan Duration, TimeSpan GuessOfRestored, SetParts? Parts)> _sums = [];
    private TimeSpan _durationSoFar;
    private TimeSpan _guessSoFar;

    public static TimeSpan OfSlices(IEnumerable<SuiteCase> group) => Sum(group.Select(SlicesOf));

    public TimeSpan Expected(IEnumerable<SuiteCase[]> groups) => AtPace(Sum(groups.Select(Guess)));

    /// <summary>The time of restored sets is not known, so it is the expected one.</summary>
    public TimeSpan Of((string? Part, string Title) benchmark)
    {
        (TimeSpan duration, TimeSpan guessOfRestored, _) = _sums.GetValueOrDefault(benchmark);
        return duration + AtPace(guessOfRestored);
    }

    /// <returns>Null if this process measured no set of the benchmark.</returns>
    public SetParts? PartsOf((string? Part, string Title) benchmark) => _sums.GetValueOrDefault(benchmark).Parts;

    public void Add(SuiteCase[] group, Measurement measurement)
    {
        (TimeSpan before, TimeSpan guessOfRestored, SetParts? parts) = _sums.GetValueOrDefault(group[0].Benchmark);
        if (measurement.Duration is not { } duration)
        {
            _sums[group[0].Benchmark] = (before, guessOfRestored + Guess(group), parts);
            return;
        }

        (_durationSoFar, _guessSoFar) = (_durationSoFar + duration, _guessSoFar + Guess(group));
        _sums[group[0].Benchmark] = (before + duration, guessOfRestored, (parts ?? SetParts.None).Plus(measurement.Parts));
    }

    private static TimeSpan Guess(SuiteCase[] group) => Sum(group.Select(suiteCase => s_processes + s_warmUp + SlicesOf(suiteCase)));

    private static TimeSpan SlicesOf(SuiteCase suiteCase) => suiteCase.Workload.EndsWhenDone(suiteCase.Plan) ? s_repetitions : suiteCase.Plan.Duration;

    private static TimeSpan Sum(IEnumerable<TimeSpan> times) => times.Aggregate(TimeSpan.Zero, (sum, time) => sum + time);

    private TimeSpan AtPace(TimeSpan guess) => _guessSoFar > TimeSpan.Zero ? guess * (_durationSoFar / _guessSoFar) : guess;
}
