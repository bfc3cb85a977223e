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

    private readonly Dictionary<(string? Part, string Title), TimeSpan> _taken = [];
    private readonly Dictionary<(string? Part, string Title), TimeSpan> _guessOfRestored = [];
    private readonly Dictionary<(string? Part, string Title), SetParts> _parts = [];
    private TimeSpan _takenSoFar;
    private TimeSpan _guessSoFar;

    public static TimeSpan OfSlices(IEnumerable<SuiteCase> group) => Sum(group.Select(SlicesOf));

    public TimeSpan Expected(IEnumerable<SuiteCase[]> groups) => AtPace(Sum(groups.Select(Guess)));

    /// <summary>The time of restored sets is not known, so it is the expected one.</summary>
    public TimeSpan Of((string? Part, string Title) benchmark) => _taken.GetValueOrDefault(benchmark) + AtPace(_guessOfRestored.GetValueOrDefault(benchmark));

    /// <returns>Null if this process measured no set of the benchmark.</returns>
    public SetParts? PartsOf((string? Part, string Title) benchmark) => _parts.GetValueOrDefault(benchmark);

    public void Add(SuiteCase[] group, Measurement measurement)
    {
        (string? Part, string Title) benchmark = group[0].Benchmark;
        if (measurement.Taken is not { } taken)
        {
            _guessOfRestored[benchmark] = _guessOfRestored.GetValueOrDefault(benchmark) + Guess(group);
            return;
        }

        (_takenSoFar, _guessSoFar) = (_takenSoFar + taken, _guessSoFar + Guess(group));
        _taken[benchmark] = _taken.GetValueOrDefault(benchmark) + taken;
        _parts[benchmark] = (_parts.GetValueOrDefault(benchmark) ?? SetParts.None).Plus(measurement.Parts);
    }

    private static TimeSpan Guess(SuiteCase[] group) => Sum(group.Select(suiteCase => s_processes + s_warmUp + SlicesOf(suiteCase)));

    private static TimeSpan SlicesOf(SuiteCase suiteCase) => suiteCase.Workload.EndsWhenDone(suiteCase.Plan) ? s_repetitions : suiteCase.Plan.Duration;

    private static TimeSpan Sum(IEnumerable<TimeSpan> times) => times.Aggregate(TimeSpan.Zero, (sum, time) => sum + time);

    private TimeSpan AtPace(TimeSpan guess) => _guessSoFar > TimeSpan.Zero ? guess * (_takenSoFar / _guessSoFar) : guess;
}
