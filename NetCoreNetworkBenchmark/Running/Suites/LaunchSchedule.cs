using System.Diagnostics;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Phases;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>
/// Runs the launches of several cases in rounds: every case once, then every case again. A machine that becomes slower meanwhile
/// then slows all cases alike; launches in a row would favour one. Cases whose launches differ too much then have a few more, if they
/// may. Before each launch the raw sockets' control is measured. A launch that fails is recorded as failed, and the others go on.
/// </summary>
internal sealed class LaunchSchedule
{
    // At most one extra launch for this number of planned ones: a machine that disturbs every launch must not take for ever.
    private const int PlannedForEachExtra = 8;

    private static readonly TimeSpan s_controlDuration = TimeSpan.FromSeconds(0.5);

    // The time of a launch besides its load, until a launch has been measured.
    private static readonly TimeSpan s_firstGuess = TimeSpan.FromSeconds(3);

    private readonly IReadOnlyList<SuiteCase> _cases;
    private readonly Dictionary<SuiteCase, List<LaunchResult>> _results;
    private readonly CancellationToken _cancellationToken;
    private TimeSpan _overhead = s_firstGuess;
    private int _number;
    private int _left;
    private TimeSpan _loadLeft;

    public LaunchSchedule(IReadOnlyList<SuiteCase> cases, CancellationToken cancellationToken)
    {
        _cases = cases;
        _results = cases.ToDictionary(found => found, _ => new List<LaunchResult>());
        _cancellationToken = cancellationToken;
        foreach (SuiteCase found in cases)
        {
            Expect(found, found.Launches);
        }
    }

    /// <summary>Measures the raw sockets before each launch; replaced in tests.</summary>
    public Func<CancellationToken, Task<double>> Control { get; init; } = cancellationToken => BaselineLaunch.RunAsync(s_controlDuration, cancellationToken);

    /// <summary>Measures one launch in fresh processes; replaced in tests.</summary>
    public Func<SuiteCase, Action<RunProgress>?, CancellationToken, Task<RunResult>> Measure { get; init; } =
        (found, progress, cancellationToken) => new Coordinator(found.Plan, found.Library, found.Workload) { Progress = progress }
            .RunAsync(Placement.InFreshProcesses(found.Plan, found.Library), cancellationToken);

    /// <summary>The deadline of each launch; null for the sum of its phases' deadlines.</summary>
    public TimeSpan? Deadline { get; init; }

    /// <summary>Called before each launch.</summary>
    public Action<SuiteStep>? Starting { get; init; }

    /// <summary>Called now and then with the progress of the current launch.</summary>
    public Action<RunProgress>? Progress { get; init; }

    /// <summary>Called after each launch that was run now.</summary>
    public Action<SuiteStep, LaunchResult>? Finished { get; init; }

    /// <summary>Finds a launch that was run before, by its case and its number from 1; null if it has to be run.</summary>
    public Func<SuiteCase, int, LaunchResult?> Earlier { get; init; } = (_, _) => null;

    /// <summary>Runs all launches, one part of the benchmark after the other, so that the launches of the first part are close together in time.</summary>
    public async Task RunAsync()
    {
        foreach (IGrouping<string?, SuiteCase> part in _cases.GroupBy(found => found.Part))
        {
            await RunRoundsAsync([.. part]).ConfigureAwait(false);
            await RunExtraRoundsAsync([.. part]).ConfigureAwait(false);
        }
    }

    /// <summary>Returns the launches of a case that were run so far.</summary>
    public IReadOnlyList<LaunchResult> ResultsOf(SuiteCase found) => _results[found];

    private async Task RunRoundsAsync(IReadOnlyList<SuiteCase> cases)
    {
        for (int launch = 1; launch <= cases.Max(found => found.Launches); launch++)
        {
            foreach (SuiteCase found in cases.Where(found => launch <= found.Launches).TakeWhile(_ => !_cancellationToken.IsCancellationRequested))
            {
                _results[found].Add(await RunOneAsync(found, launch).ConfigureAwait(false));
            }
        }
    }

    private async Task RunExtraRoundsAsync(IReadOnlyList<SuiteCase> cases)
    {
        int left = cases.Sum(found => found.Launches) / PlannedForEachExtra;
        for (int extra = 1; extra <= cases.Max(found => found.MostExtraLaunches); extra++)
        {
            SuiteCase[] unsure = [.. cases.Where(found => extra <= found.MostExtraLaunches && CaseSummarizer.DifferTooMuch(ResultsOf(found))).Take(left)];
            left -= unsure.Length;
            foreach (SuiteCase found in unsure)
            {
                Expect(found, launches: 1);
            }

            foreach (SuiteCase found in unsure.TakeWhile(_ => !_cancellationToken.IsCancellationRequested))
            {
                _results[found].Add(await RunOneAsync(found, found.Launches + extra).ConfigureAwait(false));
            }
        }
    }

    private void Expect(SuiteCase found, int launches)
    {
        _left += launches;
        _loadLeft += launches * found.Plan.Duration;
    }

    private async Task<LaunchResult> RunOneAsync(SuiteCase found, int launch)
    {
        SuiteStep step = NextStep(found, launch);
        if (Earlier(found, launch) is { } earlier)
        {
            return earlier;
        }

        Starting?.Invoke(step);
        long start = Stopwatch.GetTimestamp();
        LaunchResult result = await MeasureAsync(found, launch).ConfigureAwait(false);
        TimeSpan load = found.Plan.Duration;
        _overhead = TimeSpan.FromTicks(Math.Max(0, (Stopwatch.GetElapsedTime(start) - load).Ticks));
        Finished?.Invoke(step, result);
        return result;
    }

    private SuiteStep NextStep(SuiteCase found, int launch)
    {
        _number++;
        _left--;
        _loadLeft -= found.Plan.Duration;
        return new SuiteStep(found, launch, _number, _number + _left, found.Plan.Duration + _overhead, _loadLeft + (_left * _overhead));
    }

    // A control that fails indicates a problem of the machine at this moment, so the launch fails with it.
    private async Task<LaunchResult> MeasureAsync(SuiteCase found, int launch)
    {
        try
        {
            double? control = found.WithControl ? await MeasureControlAsync().ConfigureAwait(false) : null;
            return await LaunchAsync(found, launch).ConfigureAwait(false) with { Control = control };
        }
        catch (Exception exception)
        {
            // An unexpected failure also belongs to this launch alone. The others go on.
            return new LaunchResult(launch, null, exception.Message);
        }
    }

    private async Task<LaunchResult> LaunchAsync(SuiteCase found, int launch)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(_cancellationToken);
        TimeSpan deadline = Deadline ?? Deadlines.OfRun(found.Plan);
        over.CancelAfter(deadline);
        try
        {
            RunResult result = await Measure(found, Progress, over.Token).ConfigureAwait(false);
            return over.IsCancellationRequested && !_cancellationToken.IsCancellationRequested
                ? new LaunchResult(launch, null, Deadlines.Hung(deadline).Message)
                : new LaunchResult(launch, result, result.Valid ? null : string.Join(' ', result.InvalidReasons));
        }
        catch (OperationCanceledException) when (over.IsCancellationRequested)
        {
            string reason = _cancellationToken.IsCancellationRequested ? "It was aborted before anything was measured." : Deadlines.Hung(deadline).Message;
            return new LaunchResult(launch, null, reason);
        }
    }

    private async Task<double?> MeasureControlAsync()
    {
        try
        {
            return await Control(_cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_cancellationToken.IsCancellationRequested)
        {
            // The launch that follows ends by itself.
            return null;
        }
    }
}
