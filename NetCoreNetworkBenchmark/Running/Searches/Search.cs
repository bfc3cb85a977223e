using NetCoreNetworkBenchmark.Running.Sessions;

namespace NetCoreNetworkBenchmark.Running.Searches;

/// <summary>
/// A run that does not hold is repeated, since a transient error, or chance, shows nothing about its value. If this program was the limit each time, lower
/// values are tried, since an overloaded library also delays the clients. The next value above the highest one is then tried once: if it holds, it was chance.
/// </summary>
/// <param name="template">The load, without the value.</param>
internal abstract class Search(SuiteCase template) : IStrategy
{
    private const int MaxSteps = 24;
    private const int MaxSpoiledRuns = 3;
    private const int MaxRuns = 2;
    private readonly List<SearchStep> _steps = [];
    private double? _value;
    private int _run;
    private int _maxRuns;
    private double _highest;
    private double? _lowestFailing;

    /// <summary>In relation to the higher value.</summary>
    public const double Precision = 0.05;
    public Action<SearchStep, SearchForecast>? Finished { get; init; }

    /// <summary>The start of the search that this one continues; otherwise, the time of the first step.</summary>
    public DateTimeOffset? StartedAt { get; set; }

    /// <summary>The most that the search may still take. It never rises.</summary>
    public SearchForecast Forecast
    {
        get
        {
            int left = MaxSteps - _steps.Count;
            (int steps, int runs) = HasEnded ? default
                : Doubtful is { } doubtful ? MaxFromDoubtful(doubtful.Value, left)
                : MaxFrom(_highest, _lowestFailing, left);
            return new SearchForecast(_steps.Count, _steps.Count + steps, runs * MaxRunTime);
        }
    }

    /// <summary>Zero if it is not known.</summary>
    protected virtual TimeSpan MaxRunTime => TimeSpan.Zero;

    private bool HasEnded => Doubtful is null && LowestFailing is { } failing && (failing.IsUndecided || IsTooSmall(_highest, failing));

    private SearchStep? LowestFailing => _steps.FindLast(step => step.Value == _lowestFailing);

    // The step that another one above it may show to have been disturbed by chance.
    private SearchStep? Doubtful => LowestFailing is { IsSpoiled: true } failing && failing == _steps[^1]
        && _steps.TrueForAll(step => step.Value <= failing.Value) && ValueAfter(failing.Value, null) is not null ? failing : null;

    private double? NextValue => Doubtful is { } doubtful ? ValueAfter(doubtful.Value, null) : ValueAfter(_highest, _lowestFailing);

    public Step? Next()
    {
        StartedAt ??= DateTimeOffset.UtcNow;
        if (_value is null)
        {
            if (_steps.Count >= MaxSteps || HasEnded || NextValue is not { } next)
            {
                return null;
            }

            (_value, _run, _maxRuns) = (next, 0, Doubtful is null ? MaxSpoiledRuns : 1);
        }

        // The printed value is rounded.
        string name = Describe(_value.Value);
        var plan = template with
        {
            Title = name,
            Plan = PlanOf(_value.Value),
            Key = Invariant($"{template.Library.Name} at {_value.Value:R}"),
        };
        return new Step(name, [plan], ++_run);
    }

    public Step Add(Step step, Measurement measurement)
    {
        LaunchResult launch = measurement.Launches[0].Launch;
        if (measurement.IsAborted && launch.Result is null or { Clients.Aborted: true })
        {
            // A run that was cut short does not show whether its value holds.
            return step;
        }

        double value = _value!.Value;
        var outcome = new SearchStep(value, launch.Result is { } result ? FindFault(result) : launch.Failure, launch.Result);

        // A continuation repeats a run that failed or does not show the library.
        step = step with { Launches = outcome.IsFailed || outcome.IsSpoiled ? [] : measurement.Launches };
        if (_run < (outcome.Holds ? 1 : Math.Min(_maxRuns, outcome.IsSpoiled ? MaxSpoiledRuns : MaxRuns)))
        {
            return step;
        }

        _value = null;
        _steps.Add(outcome);
        (_highest, _lowestFailing) = !outcome.Holds ? (_highest, Math.Min(value, _lowestFailing ?? value))
            : (value, _lowestFailing > value ? _lowestFailing : null);
        if (measurement.Duration is not null)
        {
            Finished?.Invoke(outcome, Forecast);
        }

        return step;
    }

    /// <summary>The steps so far are kept. Bad input also fails the first run, and a fault of this program shows nothing about the value.</summary>
    public bool EndsWith(Exception exception) => exception is not (IOException or SocketException)
        && (exception is not BenchmarkException failure || (_steps.Count == 0 && failure.IsBadInput));

    protected SearchOutcome OutcomeOf(bool isAborted) => new(
        [.. _steps.OrderBy(step => step.Value)],
        _highest > 0 ? _highest : null,
        LowestFailing,
        isAborted,
        _steps.LastOrDefault(step => step.Result is not null)?.Result!.LibraryVersion);

    /// <summary>Names a value, such as "1,000 clients".</summary>
    protected abstract string Describe(double value);

    protected abstract RunPlan PlanOf(double value);

    /// <returns>Null if the search is over.</returns>
    /// <param name="highest">The highest value that held; 0 if none did.</param>
    /// <param name="lowestFailing">The lowest value that did not hold; null if all held.</param>
    protected abstract double? ValueAfter(double highest, double? lowestFailing);

    /// <summary>Lower values would not hold either, because something else than the load was the limit.</summary>
    protected virtual bool IsTooSmall(double highest, SearchStep lowestFailing) => false;

    protected abstract string? FindFault(RunResult result);

    // The longest way to the end. A value that does not hold is repeated.
    private (int Steps, int Runs) MaxFrom(double highest, double? lowestFailing, int max) => ValueAfter(highest, lowestFailing) is { } value
        ? MaxFrom(max, MaxRuns, (value, lowestFailing), (highest, value))
        : default;

    // The value above a doubtful one is not repeated.
    private (int Steps, int Runs) MaxFromDoubtful(double doubtful, int max) => ValueAfter(doubtful, null) is { } value
        ? MaxFrom(max, 1, (value, null), (_highest, doubtful))
        : default;

    private (int Steps, int Runs) MaxFrom(
        int max, int runs, (double Highest, double? LowestFailing) ifItHolds, (double Highest, double? LowestFailing) ifItDoesNot)
    {
        if (max == 0)
        {
            return default;
        }

        (int Steps, int Runs) held = MaxFrom(ifItHolds.Highest, ifItHolds.LowestFailing, max - 1);
        (int Steps, int Runs) failed = MaxFrom(ifItDoesNot.Highest, ifItDoesNot.LowestFailing, max - 1);
        return (1 + Math.Max(held.Steps, failed.Steps), Math.Max(1 + held.Runs, runs + failed.Runs));
    }
}

/// <param name="Left">The longest time for the others, if no run is disturbed.</param>
internal sealed record SearchForecast(int Steps, int MaxSteps, TimeSpan Left);

/// <param name="Last">The lowest step above the highest value that does not hold; null if all held.</param>
internal sealed record SearchOutcome(IReadOnlyList<SearchStep> Steps, double? Highest, SearchStep? Last, bool Aborted, string? LibraryVersion)
{
    public string Conclude(Func<double, string> format, string allHeld) => this switch
    {
        { Aborted: true } => "The search was aborted.",
        { Last: { IsUndecided: true } last } => $"At {format(last.Value)} the search is undecided, since the machine was disturbed in each run. " +
            $"The last time: {last.Reason!.TrimEnd('.')}. Repeat the search on an idle machine, or with --any-machine.",
        { Last: { HarnessLimit: { } limit } last } => $"At {format(last.Value)} {limit}, in the last of several runs. " +
            "The library may hold more, so the exit code is 1: repeat the search on an idle or a faster machine, or with --client-hosts.",
        { Last: { } last } => $"At {format(last.Value)}: {last.Reason!.TrimEnd('.')}.",
        _ => allHeld,
    };
}
