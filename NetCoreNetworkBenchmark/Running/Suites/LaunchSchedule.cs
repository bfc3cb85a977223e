using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Hosts;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>A launch that fails is recorded, and the others go on. A case whose first launch has no result is not launched again.</summary>
internal sealed class LaunchSchedule(IReadOnlyList<SuiteCase> cases) : ISuiteSchedule
{
    private static readonly TimeSpan s_controlDuration = TimeSpan.FromSeconds(0.5);

    // The time of a launch besides its load, until a launch has been measured.
    private static readonly TimeSpan s_firstGuess = TimeSpan.FromSeconds(3);

    private readonly Dictionary<SuiteCase, List<LaunchResult>> _results = cases.ToDictionary(suiteCase => suiteCase, _ => new List<LaunchResult>());
    private ParticipantGroup? _participants;
    private TimeSpan _expected = cases[0].Plan.Duration + s_firstGuess;

    public Func<CancellationToken, Task<double>>? Control { get; init; } = cancellationToken => MeasureSocketsAsync(cases[0].Plan.Hosts, cancellationToken);

    /// <summary>Null for a run in fresh processes.</summary>
    public Func<SuiteCase, Action<RunProgress>?, CancellationToken, Task<RunResult>>? Measure { get; init; }

    /// <summary>After the first launch of a case; null to count none.</summary>
    public PacketCount? Packets { get; init; }

    public bool HasLiveFigures { get; init; }

    public Action<SuiteStep>? Starting { get; init; }
    public Action<RunProgress>? Progress { get; init; }
    public Action<SuiteStep, IReadOnlyList<CaseLaunch>>? Finished { get; init; }
    public Func<SuiteCase, int, LaunchResult?> Earlier { get; init; } = (_, _) => null;
    public InterleavingMethod? Interleaving => null;

    public IReadOnlyList<LaunchResult> ResultsOf(SuiteCase suiteCase) => _results[suiteCase];

    public SuiteCase? BaselineOf(IReadOnlyList<SuiteCase> benchmark) => null;

    public Decision? DecisionOf(IReadOnlyList<SuiteCase> benchmark) => null;

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        int count = cases.Sum(suiteCase => suiteCase.Launches);
        for (int index = 0; index < count && !cancellationToken.IsCancellationRequested; index++)
        {
            (SuiteCase suiteCase, int launch) = (cases[index % cases.Count], (index / cases.Count) + 1);
            if (Earlier(suiteCase, launch) is { } earlier)
            {
                _results[suiteCase].Add(earlier);
                continue;
            }

            // What cannot run on this machine does not run in a further launch.
            if (_results[suiteCase] is [{ Result: null }])
            {
                continue;
            }

            var step = new SuiteStep($"{suiteCase}, launch {launch}", index + 1, count, _expected, (count - index - 1) * _expected);
            Starting?.Invoke(step);
            long start = Stopwatch.GetTimestamp();
            LaunchResult result = await MeasureAsync(suiteCase, launch, cancellationToken).ConfigureAwait(false);
            _expected = Stopwatch.GetElapsedTime(start);
            if (launch == 1 && result.Result is not null && Packets is not null && !cancellationToken.IsCancellationRequested)
            {
                result = await Packets.AddToAsync(result, suiteCase, pool: null, cancellationToken).ConfigureAwait(false);
            }

            _results[suiteCase].Add(result);
            Finished?.Invoke(step with { ExpectedAfter = (count - index - 1) * _expected }, [new CaseLaunch(suiteCase, result)]);
        }
    }

    // In a fresh process on the machine of the server, as every other measurement.
    private static async Task<double> MeasureSocketsAsync(HostsPlan hosts, CancellationToken cancellationToken)
    {
        AgentProcess process = hosts.ServerHost is { } host
            ? new AgentProcess(AgentRole.Control, new RemoteHost(hosts, host))
            : new AgentProcess(AgentRole.Control);
        await using (process.ConfigureAwait(false))
        {
            var plan = new RunPlan { Library = string.Empty, Duration = s_controlDuration };
            await process.SendHelloAsync(plan, null, null, cancellationToken).ConfigureAwait(false);
            return (await process.ResultAsync(Deadlines.ForLoad(plan), cancellationToken).ConfigureAwait(false)).Control!.Value;
        }
    }

    private Task<RunResult> RunAsync(SuiteCase suiteCase, Action<RunProgress>? progress, CancellationToken cancellationToken) =>
        new Run(suiteCase.Plan, suiteCase.Library, suiteCase.Workload, _participants = Placement.InFreshProcesses(suiteCase.Plan))
        {
            Progress = progress,
            HasLiveFigures = HasLiveFigures,
        }.RunAsync(cancellationToken);

    private string Hung(TimeSpan deadline) => Deadlines.Hung("The run", deadline, silent: _participants?.Silent ?? []).Message;

    private async Task<LaunchResult> MeasureAsync(SuiteCase suiteCase, int launch, CancellationToken cancellationToken)
    {
        TimeSpan deadline = Deadlines.ForRun(suiteCase.Plan);
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        try
        {
            // A control that fails indicates a problem of the machine at this moment, so the launch fails with it.
            double? control = Control is null ? null : await Control(cancellationToken).ConfigureAwait(false);
            over.CancelAfter(deadline);
            RunResult result = await (Measure ?? RunAsync)(suiteCase, Progress, over.Token).ConfigureAwait(false);
            return over.IsCancellationRequested && !cancellationToken.IsCancellationRequested
                ? new LaunchResult(launch, null, Hung(deadline))
                : new LaunchResult(launch, result, result.Valid ? null : string.Join(' ', result.InvalidReasons), control);
        }
        catch (OperationCanceledException) when (over.IsCancellationRequested)
        {
            string reason = cancellationToken.IsCancellationRequested
                ? "It was aborted before anything was measured."
                : Hung(deadline);
            return new LaunchResult(launch, null, reason);
        }
        catch (Exception exception)
        {
            // An unexpected failure also belongs to this launch alone. The others go on.
            return new LaunchResult(launch, null, exception.Message);
        }
    }
}
