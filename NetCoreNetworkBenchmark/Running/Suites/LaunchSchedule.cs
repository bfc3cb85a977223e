using System.Diagnostics;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Phases;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>
/// Runs the launches of one case, one after the other. Before each launch the raw sockets' control is measured. A launch that fails is recorded as
/// failed, and the others go on.
/// </summary>
internal sealed class LaunchSchedule(SuiteCase only) : ISuiteSchedule
{
    private static readonly TimeSpan s_controlDuration = TimeSpan.FromSeconds(0.5);

    // The time of a launch besides its load, until a launch has been measured.
    private static readonly TimeSpan s_firstGuess = TimeSpan.FromSeconds(3);

    private readonly List<LaunchResult> _results = [];
    private TimeSpan _expected = only.Plan.Duration + s_firstGuess;

    /// <summary>Measures the raw sockets before each launch; replaced in tests.</summary>
    public Func<CancellationToken, Task<double>> Control { get; init; } =
        cancellationToken => BaselineLaunch.RunAsync(s_controlDuration, only.Plan.Hosts, cancellationToken);

    /// <summary>Measures one launch in fresh processes; replaced in tests.</summary>
    public Func<SuiteCase, Action<RunProgress>?, CancellationToken, Task<RunResult>> Measure { get; init; } =
        (found, progress, cancellationToken) => new Coordinator(found.Plan, found.Library, found.Workload) { Progress = progress }
            .RunAsync(Placement.InFreshProcesses(found.Plan, found.Library), cancellationToken);

    /// <summary>Called before each launch.</summary>
    public Action<SuiteStep>? Starting { get; init; }

    /// <summary>Called now and then with the progress of the current launch.</summary>
    public Action<RunProgress>? Progress { get; init; }

    /// <summary>Called after each launch.</summary>
    public Action<SuiteStep, IReadOnlyList<CaseLaunch>>? Finished { get; init; }

    public InterleavingMethod? Interleaving => null;

    public IReadOnlyList<LaunchResult> ResultsOf(SuiteCase found) => _results;

    public SuiteCase? FloorOf(IReadOnlyList<SuiteCase> benchmark) => null;

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        for (int launch = 1; launch <= only.Launches && !cancellationToken.IsCancellationRequested; launch++)
        {
            var step = new SuiteStep($"{only}, launch {launch}", launch, only.Launches, _expected, (only.Launches - launch) * _expected);
            Starting?.Invoke(step);
            long start = Stopwatch.GetTimestamp();
            LaunchResult result = await MeasureAsync(launch, cancellationToken).ConfigureAwait(false);
            _expected = Stopwatch.GetElapsedTime(start);
            _results.Add(result);
            Finished?.Invoke(step, [new CaseLaunch(only, result)]);
        }
    }

    // A control that fails indicates a problem of the machine at this moment, so the launch fails with it.
    private async Task<LaunchResult> MeasureAsync(int launch, CancellationToken cancellationToken)
    {
        try
        {
            double? control = await MeasureControlAsync(cancellationToken).ConfigureAwait(false);
            return await LaunchAsync(launch, cancellationToken).ConfigureAwait(false) with { Control = control };
        }
        catch (Exception exception)
        {
            // An unexpected failure also belongs to this launch alone. The others go on.
            return new LaunchResult(launch, null, exception.Message);
        }
    }

    private async Task<LaunchResult> LaunchAsync(int launch, CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        TimeSpan deadline = Deadlines.OfRun(only.Plan);
        over.CancelAfter(deadline);
        try
        {
            RunResult result = await Measure(only, Progress, over.Token).ConfigureAwait(false);
            return over.IsCancellationRequested && !cancellationToken.IsCancellationRequested
                ? new LaunchResult(launch, null, Deadlines.Hung(deadline).Message)
                : new LaunchResult(launch, result, result.Valid ? null : string.Join(' ', result.InvalidReasons));
        }
        catch (OperationCanceledException) when (over.IsCancellationRequested)
        {
            string reason = cancellationToken.IsCancellationRequested ? "It was aborted before anything was measured." : Deadlines.Hung(deadline).Message;
            return new LaunchResult(launch, null, reason);
        }
    }

    private async Task<double?> MeasureControlAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await Control(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The launch that follows ends by itself.
            return null;
        }
    }
}
