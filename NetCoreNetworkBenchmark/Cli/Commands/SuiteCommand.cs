using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Progress;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Running.Builds;
using NetCoreNetworkBenchmark.Running.Interleaving;
using NetCoreNetworkBenchmark.Running.LossyPaths;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Runs several launches: of the predefined benchmark, or of one plan.</summary>
internal static class SuiteCommand
{
    public const double SettleSeconds = 0.02;

    // Measured: shorter slices spend more of the time in settling, and longer ones have more of the machine's drift between them (Docs/methodology.md).
    private const double SliceSeconds = 0.05;
    private const int WidthOfQuick = 80;
    private const int Seed = 1;

    // Differences between settings or versions of one library are often small.
    private const int VariantSets = 6;

    public static async Task<int> RunPredefinedAsync(CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        (IReadOnlyList<LibraryInfo> libraries, IReadOnlyList<MissingLibrary> missing) = SuiteLibraries.Choose(context.Catalog, request.BenchmarkPart);
        OptionValues.Choice(RunOptions.Baseline.Name, request.Baseline, [.. libraries.Select(library => library.Name)]);
        IReadOnlyList<SuiteCase> cases = PredefinedCases.Of(request, libraries, context.Catalog.KnownLibraries, context.Catalog.Workloads);
        if (request.BenchmarkPart != SuitePart.Loss)
        {
            PlanCheck.CheckMachine(cases);
        }

        ResultFiles? files = context.FilesFor(request, ResultKind.Suite, FolderFor(request));
        cases = await WithVersionsAsync(cases, request, context, cancellationToken).ConfigureAwait(false);
        if (request.BenchmarkPart != SuitePart.Loss)
        {
            return await RunCasesAsync(cases, loss: null, missing, files, request, context, cancellationToken).ConfigureAwait(false);
        }

        LossySuite loss = await LossySuite.OpenAsync(cases, cancellationToken).ConfigureAwait(false);
        await using (loss.ConfigureAwait(false))
        {
            if (loss.Reason is { } reason)
            {
                await context.NotifyAsync(
                    $"Note: -b=loss cannot lose packets here, because {reason}. " +
                        "TCP is omitted, and the UDP libraries run through the relay of --loss and --delay.")
                    .ConfigureAwait(false);
                missing = [.. missing, new MissingLibrary("TCP under loss", reason)];
            }

            return await RunCasesAsync(loss.Cases, loss, missing, files, request, context, cancellationToken).ConfigureAwait(false);
        }
    }

    private static async Task<int> RunCasesAsync(
        IReadOnlyList<SuiteCase> cases,
        LossySuite? loss,
        IReadOnlyList<MissingLibrary> missing,
        ResultFiles? files,
        CliRequest request,
        CommandContext context,
        CancellationToken cancellationToken)
    {
        string command = CommandOf(request);
        SuiteJournal? journal = request.Continue ? await ContinueAsync(files, cases, command, context).ConfigureAwait(false) : null;
        Fitness fitness = await context.WarnAsync(
            cases.MaxBy(suiteCase => SocketBuffers.NeededByServer(suiteCase.Plan))!.Plan, cancellationToken).ConfigureAwait(false);
        SuiteBegin begin = journal?.Begin ?? new SuiteBegin(DateTimeOffset.UtcNow, fitness);
        if (journal is null && files is not null)
        {
            journal = await StartAsync(files, cases, command, begin, context).ConfigureAwait(false);
        }

        var progress = new SuiteProgress(context.ErrorConsole, request.Verbose);
        ISuiteSchedule schedule = loss is null
            ? new SliceSchedule(cases, MethodOf(cases) with { LimitSeconds = LimitOf(request) }, request.Baseline)
            {
                Deadline = request.BenchmarkDeadline,
                Earlier = Earlier,
                Starting = progress.Starting,
                Progress = progress.Progress,
                Finished = Finished,
            }
            : new LaunchSchedule(cases)
            {
                Measure = loss.MeasureAsync,
                Earlier = Earlier,
                Starting = progress.Starting,
                Progress = progress.Progress,
                Finished = Finished,
            };
        var suite = new Suite(cases, schedule, command) { Begin = begin, Missing = missing };
        SuiteResult result = await progress.ShowAsync(() => suite.RunAsync(cancellationToken)).ConfigureAwait(false);
        PrintPredefined(result, request, context);
        context.KeepUnwritten(result, files);
        await SaveAsync(result, request, files, journal, context).ConfigureAwait(false);
        return IsGood(result) ? ExitCode.Success : ExitCode.Failed;

        LaunchResult? Earlier(SuiteCase suiteCase, int launch) => journal?.Find(suiteCase, launch);

        void Finished(SuiteStep step, IReadOnlyList<CaseLaunch> launches)
        {
            // A set that the user cut short is measured again by --continue.
            foreach (CaseLaunch launch in cancellationToken.IsCancellationRequested ? [] : launches)
            {
                journal?.Save(launch.Case, launch.Launch);
            }

            progress.Finished(step, launches);
        }
    }

    public static async Task<int> RunLaunchesAsync(
        CliRequest request, ChosenLibraries chosen, CommandContext context, CancellationToken cancellationToken)
    {
        (RunPlan plan, LibraryInfo library, IWorkload workload) = (chosen.Plan, chosen.Info, chosen.Workload);
        int launches = request.Launches!.Value;
        string command = PlanArguments.CommandOf(plan, library, workload, "--launches", $"{launches}");
        var only = new SuiteCase(plan.Test, plan, library, workload, launches);
        return await RunAsync(
            request,
            chosen,
            [only],
            progress => new LaunchSchedule(only) { Starting = progress.Starting, Progress = progress.Progress, Finished = progress.Finished },
            command,
            context,
            cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Runs one load with several versions of the library and settings of the runtime, in alternating slices.</summary>
    public static async Task<int> CompareVariantsAsync(
        CliRequest request, ChosenLibraries chosen, CommandContext context, CancellationToken cancellationToken)
    {
        (LibraryInfo library, IWorkload workload) = (chosen.Info, chosen.Workload);
        RunPlan plan = chosen.Plan with { Duration = request.DurationWasChosen ? chosen.Plan.Duration : PredefinedBenchmarks.Duration };
        int sets = request.Launches ?? VariantSets;
        IReadOnlyList<SuiteCase> cases = await WithVersionsAsync(
            [
                .. request.RuntimeVariants.Select(runtime =>
                    new SuiteCase(plan.Test, plan with { Runtime = runtime, Variant = runtime.ToString() }, library, workload, sets)),
            ],
            request,
            context,
            cancellationToken).ConfigureAwait(false);
        PlanCheck.CheckMachine(cases);
        string command = PlanArguments.CommandOf(
            plan with { Runtime = new RuntimePlan() },
            library,
            workload,
            [.. request.Versions?.Arguments ?? [], .. RuntimeOptions.ArgumentsOf(request.RuntimeVariants), "--launches", $"{sets}"]);
        return await RunAsync(
            request,
            chosen,
            cases,
            progress => new SliceSchedule(cases, MethodOf(cases), library.Name)
            {
                Starting = progress.Starting,
                Progress = progress.Progress,
                Finished = progress.Finished,
            },
            command,
            context,
            cancellationToken).ConfigureAwait(false);
    }

    // Of a benchmark, the loads remain in which the library runs, with the baseline.
    private static async Task<IReadOnlyList<SuiteCase>> WithVersionsAsync(
        IReadOnlyList<SuiteCase> cases, CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        if (request.Versions is not { } versions)
        {
            return cases;
        }

        PlanCheck.RequirePackage(context.Catalog, versions.Library);
        var builds = new VersionBuilds(CheckoutBuilds.OfThisProgram()) { Report = context.Errors.WriteLine };
        var ready = new List<VersionBuild>();
        foreach (string version in versions.Versions)
        {
            ready.Add(await builds.FindAsync(versions.Library, version, cancellationToken).ConfigureAwait(false));
        }

        return
        [
            .. from load in cases.GroupBy(suiteCase => (suiteCase.Part, suiteCase.Title))
               where load.Any(HasVersions)
               from suiteCase in load
               where HasVersions(suiteCase) || suiteCase.Library.Name == request.Baseline
               from variant in HasVersions(suiteCase) ? ready.Select(suiteCase.With) : [suiteCase]
               select variant,
        ];

        bool HasVersions(SuiteCase suiteCase) => suiteCase.Library.Name == versions.Library;
    }

    private static async Task<int> RunAsync(
        CliRequest request,
        ChosenLibraries chosen,
        IReadOnlyList<SuiteCase> cases,
        Func<SuiteProgress, ISuiteSchedule> scheduleOf,
        string command,
        CommandContext context,
        CancellationToken cancellationToken)
    {
        ResultFiles? files = context.FilesFor(request, ResultKind.Suite);
        var progress = new SuiteProgress(context.ErrorConsole, request.Verbose);
        var suite = new Suite(cases, scheduleOf(progress), command)
        {
            Begin = chosen.Fitness is { } fitness ? new SuiteBegin(DateTimeOffset.UtcNow, fitness) : null,
        };
        SuiteResult result = await progress.ShowAsync(() => suite.RunAsync(cancellationToken)).ConfigureAwait(false);
        return context.Report(result, request, files, IsGood(result));
    }

    private static double? LimitOf(CliRequest request) => request.Launches is null
        ? (request.BenchmarkTime ?? PredefinedBenchmarks.LimitOf(request.BenchmarkPart)).TotalSeconds
        : null;

    // A quick benchmark and a comparison of versions are no results of the machine that are kept, unless the user wants to keep them.
    private static string? FolderFor(CliRequest request) => (request.BenchmarkPart == SuitePart.Quick || request.Versions is not null) && request.Output is null
        ? null
        : Path.Combine(request.Output ?? BenchmarksFolder.Default(), BenchmarksFolder.MachineName(MachineInspector.Inspect()));

    private static InterleavingMethod MethodOf(IReadOnlyList<SuiteCase> cases) =>
        new(cases.Max(suiteCase => suiteCase.Launches), Rounds: null, SliceSeconds, Seed) { SettleSeconds = SettleSeconds };

    private static string CommandOf(CliRequest request) => PlanArguments.Command(
    [
        $"--benchmark{request.BenchmarkPart.Suffix()}",
        .. PredefinedCases.LibraryOf(request) is { } library ? (string[])[LibraryOptions.LibraryName, library] : [],
        .. request.Launches is null ? [] : (string[])["--launches", $"{request.Launches}"],
        .. Argument(RunOptions.Precision, 100 * request.Precision, "%"),
        .. Argument(RunOptions.Time, request.BenchmarkTime?.TotalSeconds, "s"),
        .. request.Versions?.Arguments ?? [],
        .. request.Baseline == RunOptions.Baseline.Default ? [] : (string[])[RunOptions.Baseline.Name, request.Baseline],
        .. request.BenchmarkArguments,
    ]);

    private static string[] Argument(PlanOption option, double? value, string unit) =>
        value is { } number ? [option.Name, string.Create(CultureInfo.InvariantCulture, $"{number}{unit}")] : [];

    private static async Task<SuiteJournal> ContinueAsync(ResultFiles? files, IReadOnlyList<SuiteCase> cases, string command, CommandContext context)
    {
        if (files is null)
        {
            throw BenchmarkException.BadInput("--continue: -b=quick saves nothing without --output. Use the --output folder of the interrupted benchmark.");
        }

        var journal = SuiteJournal.Continue(files.Folder, cases, command);
        await context.NotifyAsync($"Continuing with {journal.EarlierCount} launches that were saved in '{files.Folder}'.").ConfigureAwait(false);
        return journal;
    }

    private static async Task<SuiteJournal> StartAsync(
        ResultFiles files, IReadOnlyList<SuiteCase> cases, string command, SuiteBegin begin, CommandContext context)
    {
        if (SuiteJournal.IsIn(files.Folder))
        {
            await context.NotifyAsync(
                $"Note: '{files.Folder}' has an interrupted benchmark. This run does not continue it (--continue), and keeps it as " +
                    $"'{SuiteJournal.NameBefore}'.").ConfigureAwait(false);
        }

        return SuiteJournal.Start(files.Folder, cases, command, begin);
    }

    private static void PrintPredefined(SuiteResult result, CliRequest request, CommandContext context)
    {
        if (request.Json || context.OutputIsTerminal)
        {
            context.Print(result, request.Json);
        }
        else if (request.BenchmarkPart == SuitePart.Quick)
        {
            MarkdownReport.WriteSummary(result, context.Output, WidthOfQuick);
        }
        else
        {
            MarkdownReport.WriteSummary(result, context.Output);
        }

        if (request is { Json: false, BenchmarkPart: SuitePart.Quick })
        {
            context.Output.WriteLine();
            context.Output.WriteLine("TCP and TLS: -b=tcp, -b=ssl. The whole benchmark: -b");
        }
    }

    // The journal stays until the results are on the disk.
    private static async Task SaveAsync(SuiteResult result, CliRequest request, ResultFiles? files, SuiteJournal? journal, CommandContext context)
    {
        if (journal?.Failure is { } failure)
        {
            await context.NotifyAsync($"Note: Not every launch could be saved for --continue: {failure}").ConfigureAwait(false);
        }

        if (result.Aborted && journal is not null)
        {
            string output = request.Output is null ? string.Empty : $" --output {ShellCommand.Quote(request.Output)}";
            await context.NotifyAsync($"To continue: {result.Command}{output} --continue").ConfigureAwait(false);
        }

        files?.Write(result.Brief());
        if (!result.Aborted)
        {
            journal?.Remove();
        }

        if (!request.Json)
        {
            await context.Output.WriteLineAsync(
                files is null ? "Nothing was written; --output DIR writes the result." : $"\nWritten to {files.Folder}").ConfigureAwait(false);
        }
    }

    private static bool IsGood(SuiteResult result) => !result.Aborted && result.Benchmarks.All(benchmark => benchmark.Cases.All(result => result.Valid));
}
