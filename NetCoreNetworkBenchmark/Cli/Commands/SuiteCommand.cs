using NetCoreNetworkBenchmark.Cli.Checks;
using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Progress;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Running.Builds;
using NetCoreNetworkBenchmark.Running.Interleaving;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Paths;
using NetCoreNetworkBenchmark.Running.Sessions;
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Commands;

internal sealed class SuiteCommand(CliRequest request, CommandContext context, CancellationToken cancellationToken)
{
    public const double SettleSeconds = 0.02;

    // Measured: shorter slices spend more of the time in settling, and longer ones have more of the machine's drift between them (Docs/methodology.md).
    private const double SliceSeconds = 0.15;
    private const int WidthOfQuick = 80;
    private static readonly TimeSpan s_minCount = TimeSpan.FromSeconds(0.1);
    private static readonly TimeSpan s_countsOfQuick = TimeSpan.FromSeconds(8);
    private static readonly TimeSpan s_startOfCount = TimeSpan.FromSeconds(0.3);
    private const int Seed = 1;

    // Made late, so that a single run does not load Spectre.
    private SuiteProgress Progress => field ??= new SuiteProgress(context.ErrorConsole, request.Verbose);

    public async Task<int> RunPredefinedAsync()
    {
        IBenchmarkPart part = request.BenchmarkPart;
        (IReadOnlyList<LibraryInfo> libraries, IReadOnlyList<MissingLibrary> missing) = part.ChooseLibraries(context.Catalog);
        OptionValues.Choice(RunOptions.Baseline.Name, request.Baseline, [.. libraries.Select(library => library.Name)]);
        missing = IsRestricted ? [] : missing;
        foreach (string library in PredefinedCases.LibrariesOf(request) ?? [])
        {
            PlanCheck.FindLibrary(context.Catalog, library);
        }

        IReadOnlyList<SuiteCase> cases = PredefinedCases.Create(request, libraries, context.Catalog.KnownLibraries, context.Catalog.Workloads);
        CheckOptionsHaveEffect(cases);
        ResultFiles? files = context.FilesFor(request with { Output = FolderOfResult() }, ResultKind.Suite);
        cases = await WithVersionsAsync(cases);
        if (part.HasSlices)
        {
            PlanCheck.CheckMachine(cases.GroupBy(suiteCase => (suiteCase.Part, suiteCase.Title)));
            Experiment inSets = InSets(cases, MethodOf(cases) with { LimitSeconds = LimitOf() }, request.Baseline, CommandOf());
            return await RunPartAsync(inSets with { Missing = missing }, files);
        }

        await using PathSuite paths = await PathSuite.OpenAsync(cases, cancellationToken);
        if (paths.Reason is { } reason)
        {
            Rule.Check([new(paths.Cases.Count == 0, () => NoPath(reason))]);
            context.Notify(
                $"Note: -b{part.Suffix} cannot lose packets of TCP here, because {reason}. " +
                    "TCP is omitted, and the others run through the relay of --loss and --delay.");
            missing = [.. missing, new MissingLibrary("TCP on these networks", reason)];
        }

        // Without a control: the speed of the machine is not what a path limits.
        var runner = new LaunchRunner { Measure = paths.MeasureAsync, Progress = Progress.Progress };
        return await RunPartAsync(new Experiment(new FixedLaunches(paths.Cases), runner, CommandOf()) { Missing = missing }, files);
    }

    public async Task<int> RunLaunchesAsync(CheckedPlan chosen, int launches)
    {
        var only = new SuiteCase(chosen.Plan.Test, chosen.Plan, chosen.Info, chosen.Workload, launches);
        SuiteCase[] onPath = NamespacePath.IsRequired(chosen.Plan) ? [only] : [];
        await using PathSuite paths = await PathSuite.OpenAsync(onPath, cancellationToken);
        Rule.Check([new(onPath is not [] && paths.Reason is not null, () => NoPath(paths.Reason))]);
        paths.HasLiveFigures = request.Live;
        var runner = new LaunchRunner
        {
            Control = LaunchRunner.MeasureSocketsAsync,
            Measure = onPath is [] ? null : paths.MeasureAsync,
            Packets = PacketsOf([only]),
            Progress = (Action<RunProgress>)Progress.Progress + context.LiveFor(request),
            HasLiveFigures = request.Live,
        };
        string command = PlanArguments.CommandOf(chosen.Plan, chosen.Info, chosen.Workload, "--launches", $"{launches}");
        return await RunChosenAsync(new Experiment(new FixedLaunches([only]), runner, command), chosen.Fitness!);
    }

    public async Task<int> CompareAsync(IReadOnlyList<CheckedPlan> chosen)
    {
        var comparison = new ChosenCases(request, chosen);
        string baseline = comparison.Baseline;
        IReadOnlyList<SuiteCase> cases = await WithVersionsAsync(comparison.Make());
        PlanCheck.CheckMachine(cases.GroupBy(suiteCase => suiteCase.Benchmark));
        InterleavingMethod method = MethodOf(cases) with { LimitSeconds = comparison.LimitSeconds };
        context.NotifyFewestSets(
            request, cases[0].Launches, Enumerable.Repeat<SuiteCase[]>([.. cases], cases[0].Launches), method.LimitSeconds);
        return await RunChosenAsync(InSets(cases, method, baseline, comparison.Command()), chosen[0].Fitness!);
    }

    // A part may have a fixed number of sets, or launches that are not compared to a baseline.
    private void CheckOptionsHaveEffect(IReadOnlyList<SuiteCase> cases)
    {
        PlanOption[] idle = !request.BenchmarkPart.HasSlices ? [RunOptions.Precision, RunOptions.Time, RunOptions.Baseline]
            : cases.All(suiteCase => suiteCase.TargetHalfWidth is null) ? [RunOptions.Precision, RunOptions.Time]
            : [];
        Rule.Check(idle.Select(option => Rule.Refuse(option.Name, request.IsGiven(option.Name), () =>
            $"has no effect with -b{request.BenchmarkPart.Suffix}. Omit it.")));
    }

    private static BenchmarkException NoPath(string? reason) => new($"There is no path between namespaces here: {reason}.");

    private Experiment InSets(IReadOnlyList<SuiteCase> cases, InterleavingMethod method, string baseline, string command)
    {
        var runner = new SetRunner(method)
        {
            Packets = PacketsOf(cases),
            Progress = Progress.Progress,
        };
        return new Experiment(new PreciseSets(cases, method, baseline), runner, command);
    }

    private async Task<int> RunPartAsync(Experiment experiment, ResultFiles? files)
    {
        IEnumerable<RunPlan> plans = experiment.Strategy.Cases.Select(suiteCase => suiteCase.Plan);
        var begin = new SessionBegin(DateTimeOffset.UtcNow, await CheckedPlan.InspectAsync(plans, cancellationToken));
        return await RunAsync(experiment, files, begin, (result, log) =>
        {
            PrintPredefined(result);
            context.PrintToErrorsIfOutputLost(result, files);
            context.Save(result.Brief(), request, files, log, result.Aborted);
            if (files is null)
            {
                context.Notify("Nothing was written; --output DIR writes the result.");
            }

            return IsGood(result) ? ExitCode.Success : ExitCode.Failed;
        });
    }

    private Task<int> RunChosenAsync(Experiment experiment, Fitness fitness)
    {
        ResultFiles? files = context.FilesFor(request, ResultKind.Suite);
        return RunAsync(
            experiment,
            files,
            new SessionBegin(DateTimeOffset.UtcNow, fitness),
            (result, log) => context.Report(result, request, files, IsGood(result), log, result.Aborted));
    }

    private async Task<int> RunAsync(Experiment experiment, ResultFiles? files, SessionBegin begin, Func<SuiteResult, SessionLog?, int> report)
    {
        using SessionLog? log = context.OpenLog(request, files, experiment.Command, experiment.Strategy.Cases, begin);
        context.Warn(request, begin.Fitness);
        var session = new Session(experiment.Strategy, experiment.Runner, log)
        {
            Starting = Progress.Starting,
            Finished = Progress.Finished,
        };
        await Progress.ShowAsync(session.RunAsync(cancellationToken));
        SuiteResult result = experiment.ResultOf(log?.Begin ?? begin, cancellationToken.IsCancellationRequested);
        int code = report(result, log);
        if (!IsGood(result) && !result.Aborted && result.Benchmarks.Any(benchmark => benchmark.Baseline is not null))
        {
            context.Notify("Error: No library has figures for a ranking. The result has the reasons of the invalid cases.");
        }

        return code;
    }

    // Of a benchmark, the loads remain in which the library runs, with the baseline.
    private async Task<IReadOnlyList<SuiteCase>> WithVersionsAsync(IReadOnlyList<SuiteCase> cases)
    {
        if (request.Versions is not { } versions)
        {
            return cases;
        }

        PlanCheck.RequirePackage(context.Catalog, versions.Library, RunOptions.Versions.Name);
        var builds = new AdapterBuilds(BuildCache.OfUser()) { Report = context.Notify };
        var ready = new List<(string Version, AdapterAssembly Adapter)>();
        foreach (string version in versions.Versions)
        {
            ready.Add((version, await builds.FindAsync(versions.Library, version, cancellationToken)));
        }

        return
        [
            .. from load in cases.GroupBy(suiteCase => (suiteCase.Part, suiteCase.Title))
               where load.Any(HasVersions)
               from suiteCase in load
               where HasVersions(suiteCase) || suiteCase.Library.Name == request.Baseline
               from variant in HasVersions(suiteCase) ? ready.Select(built => suiteCase.With(built.Version, built.Adapter)) : [suiteCase]
               select variant,
        ];

        bool HasVersions(SuiteCase suiteCase) => suiteCase.Library.Name == versions.Library;
    }

    private double? LimitOf() => request.Launches is null ? (request.BenchmarkTime ?? request.BenchmarkPart.Limit).TotalSeconds : null;

    private bool IsRestricted => request.IsGiven(LibraryOptions.LibraryName) && request.BenchmarkPart.OnlyLibrary is null;

    // A quick benchmark, some libraries and a comparison of versions are no results of the machine that are kept, unless the user wants to keep them.
    private string? FolderOfResult() =>
        (request.BenchmarkPart.IsFirstLook || request.Versions is not null || IsRestricted) && request.Output is null
        ? null
        : Path.Combine(request.Output ?? BenchmarksFolder.Default(), BenchmarksFolder.MachineName(MachineInspector.Inspect()));

    private static InterleavingMethod MethodOf(IReadOnlyList<SuiteCase> cases) => OverRoundTrips(
        new(cases.Max(suiteCase => suiteCase.Launches), Rounds: null, SliceSeconds, Seed) { SettleSeconds = SettleSeconds }, cases);

    /// <summary>The round trips that a slice itself interrupts are a tenth of it at most.</summary>
    internal static InterleavingMethod OverRoundTrips(InterleavingMethod method, IReadOnlyList<SuiteCase> cases)
    {
        const int MinRoundTrips = 10;
        double roundTrip = cases.Max(suiteCase => suiteCase.Plan.Impairment.LongestRoundTrip.TotalSeconds);
        return method with
        {
            SliceSeconds = Math.Max(method.SliceSeconds, MinRoundTrips * roundTrip),
            SettleSeconds = Math.Max(method.SettleSeconds, roundTrip),
        };
    }

    private string CommandOf() => PlanArguments.Command(
    [
        $"--benchmark{request.BenchmarkPart.Suffix}",
        .. Argument(RunOptions.Launches.Name, request.Launches is { } launches ? $"{launches}" : null),
        .. request.ArgumentsOfComparison(),
        .. request.Versions?.Arguments ?? [],
        .. Argument(RunOptions.Baseline.Name, request.Baseline == RunOptions.Baseline.Default ? null : request.Baseline),
        .. request.BenchmarkArguments,
    ]);

    // A first look is short. Of its time, all counts together have a fixed part.
    private PacketCount PacketsOf(IReadOnlyList<SuiteCase> cases)
    {
        TimeSpan ofQuick = (s_countsOfQuick / cases.Count) - s_startOfCount;
        return !request.BenchmarkPart.IsFirstLook
            ? new PacketCount(PacketCount.Length)
            : new PacketCount(TimeSpan.FromTicks(Math.Clamp(ofQuick.Ticks, s_minCount.Ticks, PacketCount.Length.Ticks)), s_countsOfQuick);
    }

    private static string[] Argument(string option, string? value) => value is null ? [] : [option, value];

    private void PrintPredefined(SuiteResult result)
    {
        bool isQuick = request.BenchmarkPart.IsFirstLook;
        if (request.Json || context.OutputIsTerminal)
        {
            context.Print(result, request.Json);
        }
        else
        {
            MarkdownReport.WriteSummary(result, context.Output, isQuick ? WidthOfQuick : int.MaxValue);
        }

        if (isQuick)
        {
            context.Notify("TCP and TLS: -b=tcp, -b=ssl. The whole benchmark: -b");
        }
    }

    /// <summary>Whether a result answers the request: by a ranking, whose invalid cells the report names, or else by valid cases alone.</summary>
    internal static bool IsGood(SuiteResult result)
    {
        CaseResult[] cases = [.. result.Benchmarks.SelectMany(benchmark => benchmark.Cases)];
        return !result.Aborted && (cases.Any(measured => measured is { IsBaseline: false, ToBest: not null }) || cases.All(measured => measured.Valid));
    }
}
