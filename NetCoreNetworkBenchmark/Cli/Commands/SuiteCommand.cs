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
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Running.Suites;
using NetCoreNetworkBenchmark.Running.Suites.Parts;

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

    public async Task<int> RunPredefinedAsync()
    {
        BenchmarkPart part = request.BenchmarkPart;
        (IReadOnlyList<LibraryInfo> libraries, IReadOnlyList<MissingLibrary> missing) = PredefinedBenchmarks.ChooseLibraries(context.Catalog, part);
        OptionValues.Choice(RunOptions.Baseline.Name, request.Baseline, [.. libraries.Select(library => library.Name)]);
        missing = IsRestricted ? [] : missing;
        foreach (string library in PredefinedCases.LibrariesOf(request) ?? [])
        {
            PlanCheck.FindLibrary(context.Catalog, library);
        }

        IReadOnlyList<SuiteCase> cases = PredefinedCases.Create(request, libraries, context.Catalog.KnownLibraries, context.Catalog.Workloads);
        CheckOptionsHaveEffect(cases);
        ResultFiles? files = context.FilesFor(request with { Output = FolderOfResult() }, ResultKind.Suite);
        cases = await WithVersionsAsync(cases).ConfigureAwait(false);
        if (part.HasSlices)
        {
            PlanCheck.CheckMachine(cases.GroupBy(suiteCase => (suiteCase.Part, suiteCase.Title)));
            return await RunCasesAsync(cases, paths: null, missing, files).ConfigureAwait(false);
        }

        PathSuite paths = await PathSuite.OpenAsync(cases, cancellationToken).ConfigureAwait(false);
        await using ConfiguredAsyncDisposable end = paths.ConfigureAwait(false);
        if (paths.Reason is { } reason)
        {
            Rule.Check([new(paths.Cases.Count == 0, () => NoPath(reason))]);
            context.Notify(
                $"Note: -b{part.Suffix} cannot lose packets of TCP here, because {reason}. " +
                    "TCP is omitted, and the others run through the relay of --loss and --delay.");
            missing = [.. missing, new MissingLibrary("TCP on these networks", reason)];
        }

        return await RunCasesAsync(paths.Cases, paths, missing, files).ConfigureAwait(false);
    }

    public async Task<int> RunLaunchesAsync(CheckedPlan chosen, int launches)
    {
        var only = new SuiteCase(chosen.Plan.Test, chosen.Plan, chosen.Info, chosen.Workload, launches);
        SuiteCase[] onPath = NamespacePath.IsRequired(chosen.Plan) ? [only] : [];
        PathSuite paths = await PathSuite.OpenAsync(onPath, cancellationToken).ConfigureAwait(false);
        await using ConfiguredAsyncDisposable end = paths.ConfigureAwait(false);
        Rule.Check([new(onPath is not [] && paths.Reason is not null, () => NoPath(paths.Reason))]);
        paths.HasLiveFigures = request.Live;
        return await RunChosenAsync(
            chosen,
            [only],
            PlanArguments.CommandOf(chosen.Plan, chosen.Info, chosen.Workload, "--launches", $"{launches}"),
            (progress, journal) => new LaunchSchedule([only])
            {
                Measure = onPath is [] ? null : paths.MeasureAsync,
                Packets = PacketsOf([only]),
                Earlier = EarlierOf(journal),
                Starting = progress.Starting,
                Progress = (Action<RunProgress>)progress.Progress + context.LiveFor(request),
                HasLiveFigures = request.Live,
                Finished = FinishedOf(progress, journal),
            }).ConfigureAwait(false);
    }

    public async Task<int> CompareAsync(IReadOnlyList<CheckedPlan> chosen)
    {
        var comparison = new ChosenCases(request, chosen);
        string baseline = comparison.Baseline;
        IReadOnlyList<SuiteCase> cases = await WithVersionsAsync(comparison.Make()).ConfigureAwait(false);
        PlanCheck.CheckMachine(cases.GroupBy(suiteCase => suiteCase.Benchmark));
        InterleavingMethod method = MethodOf(cases) with { LimitSeconds = comparison.LimitSeconds };
        context.NotifyFewestSets(
            request, cases[0].Launches, Enumerable.Repeat<SuiteCase[]>([.. cases], cases[0].Launches), method.LimitSeconds);
        return await RunChosenAsync(chosen[0], cases, comparison.Command(), (progress, journal) => new SliceSchedule(cases, method, baseline)
        {
            Packets = PacketsOf(cases),
            Earlier = EarlierOf(journal),
            Starting = progress.Starting,
            Progress = progress.Progress,
            Finished = FinishedOf(progress, journal),
        }).ConfigureAwait(false);
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

    private async Task<int> RunCasesAsync(IReadOnlyList<SuiteCase> cases, PathSuite? paths, IReadOnlyList<MissingLibrary> missing, ResultFiles? files)
    {
        string command = CommandOf();
        using SuiteJournal? continued = request.Continue ? Open(files!, cases, command, SuiteBegin.Now(cases)) : null;
        Fitness fitness = await CheckedPlan.InspectAsync(
            cases.MaxBy(suiteCase => SocketBuffers.NeededByServer(suiteCase.Plan))!.Plan, cancellationToken).ConfigureAwait(false);
        SuiteBegin begin = continued?.Begin ?? new SuiteBegin(DateTimeOffset.UtcNow, fitness);
        using SuiteJournal? journal = continued ?? (files is null ? null : Open(files, cases, command, begin));
        context.Warn(request, fitness);
        SuiteResult result = await MeasureAsync(cases, command, begin, missing, ScheduleOf).ConfigureAwait(false);
        PrintPredefined(result);
        context.PrintToErrorsIfOutputLost(result, files);
        Save(result, files, journal);
        NotifyOfMissingRanking(result);
        return IsGood(result) ? ExitCode.Success : ExitCode.Failed;

        ISuiteSchedule ScheduleOf(SuiteProgress progress)
        {
            return paths is null
                ? new SliceSchedule(cases, MethodOf(cases) with { LimitSeconds = LimitOf() }, request.Baseline)
                {
                    Packets = PacketsOf(cases),
                    Earlier = EarlierOf(journal),
                    Starting = progress.Starting,
                    Progress = progress.Progress,
                    Finished = FinishedOf(progress, journal),
                }
                : new LaunchSchedule(cases)
                {
                    Measure = paths.MeasureAsync,

                    // The speed of the machine is not what a path limits.
                    Control = null,
                    Earlier = EarlierOf(journal),
                    Starting = progress.Starting,
                    Progress = progress.Progress,
                    Finished = FinishedOf(progress, journal),
                };
        }
    }

    private async Task<int> RunChosenAsync(
        CheckedPlan chosen, IReadOnlyList<SuiteCase> cases, string command, Func<SuiteProgress, SuiteJournal?, ISuiteSchedule> scheduleOf)
    {
        ResultFiles? files = context.FilesFor(request, ResultKind.Suite);
        SuiteBegin begin = chosen.Fitness is { } fitness ? new SuiteBegin(DateTimeOffset.UtcNow, fitness) : SuiteBegin.Now(cases);
        using SuiteJournal? journal = files is null ? null : Open(files, cases, command, begin);
        context.Warn(request, begin.Fitness);
        SuiteResult result =
            await MeasureAsync(cases, command, journal?.Begin ?? begin, [], progress => scheduleOf(progress, journal)).ConfigureAwait(false);
        int code = context.Report(result, request, files, IsGood(result), journal, result.Aborted);
        NotifyOfMissingRanking(result);
        return code;
    }

    private Task<SuiteResult> MeasureAsync(
        IReadOnlyList<SuiteCase> cases,
        string command,
        SuiteBegin? begin,
        IReadOnlyList<MissingLibrary> missing,
        Func<SuiteProgress, ISuiteSchedule> scheduleOf)
    {
        var progress = new SuiteProgress(context.ErrorConsole, request.Verbose);
        var suite = new Suite(cases, scheduleOf(progress), command) { Begin = begin, Missing = missing };
        return progress.ShowAsync(() => suite.RunAsync(cancellationToken));
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
            ready.Add((version, await builds.FindAsync(versions.Library, version, cancellationToken).ConfigureAwait(false)));
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

    private SuiteJournal Open(ResultFiles files, IReadOnlyList<SuiteCase> cases, string command, SuiteBegin begin) => context.OpenJournal(
        request,
        files,
        () => SuiteJournal.Start(files.Folder, cases, command, begin),
        () => SuiteJournal.Continue(files.Folder, cases, command));

    private static Func<SuiteCase, int, LaunchResult?> EarlierOf(SuiteJournal? journal) => (suiteCase, launch) => journal?.Find(suiteCase, launch);

    // A set that the user cut short is measured again by --continue.
    private Action<SuiteStep, IReadOnlyList<CaseLaunch>> FinishedOf(SuiteProgress progress, SuiteJournal? journal) => (step, launches) =>
    {
        if (!cancellationToken.IsCancellationRequested)
        {
            journal?.Save(launches);
        }

        progress.Finished(step, launches);
    };

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

    // The journal stays until the results are on the disk.
    private void Save(SuiteResult result, ResultFiles? files, SuiteJournal? journal)
    {
        context.ReportJournal(journal, request, result.Aborted);
        files?.Write(result.Brief());
        if (!result.Aborted)
        {
            journal?.Remove();
        }

        context.Notify(files is null ? "Nothing was written; --output DIR writes the result." : $"Written to {files.Folder}");
    }

    private void NotifyOfMissingRanking(SuiteResult result)
    {
        if (!IsGood(result) && !result.Aborted && result.Benchmarks.Any(benchmark => benchmark.Baseline is not null))
        {
            context.Notify("Error: No library has figures for a ranking. The result has the reasons of the invalid cases.");
        }
    }

    /// <summary>Whether a result answers the request: by a ranking, whose invalid cells the report names, or else by valid cases alone.</summary>
    internal static bool IsGood(SuiteResult result)
    {
        CaseResult[] cases = [.. result.Benchmarks.SelectMany(benchmark => benchmark.Cases)];
        return !result.Aborted && (cases.Any(measured => measured is { IsBaseline: false, ToBest: not null }) || cases.All(measured => measured.Valid));
    }
}
