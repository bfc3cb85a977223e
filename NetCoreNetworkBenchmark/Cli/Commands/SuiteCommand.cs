using System.Globalization;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Progress;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Options;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Builds;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Interleaving;
using NetCoreNetworkBenchmark.Running.LossyPaths;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Runs several launches: of the predefined benchmark, or of one plan.</summary>
internal static class SuiteCommand
{
    // Measured: shorter slices spend more of the time in settling, and longer ones have more of the machine's drift between them (Docs/methodology.md).
    private const int WidthOfFirstLook = 80;
    private const double SliceSeconds = 0.05;

    /// <summary>The time from the resumption of a load to the measurement of a slice, in seconds.</summary>
    public const double SettleSeconds = 0.02;
    private const int Seed = 1;

    // Differences between settings or versions of one library are often small.
    private const int VariantSets = 6;

    // The servers of C's OpenSSL without a runtime around it.
    private const string MatrixLibrary = "Epoll";

    /// <summary>Runs the predefined benchmark.</summary>
    public static async Task<int> RunPredefinedAsync(CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        (IReadOnlyList<LibraryInfo> libraries, IReadOnlyList<MissingLibrary> missing) = SuiteLibraries.Choose(context.Catalog, request.BenchmarkPart);
        OptionValues.Choice(RunOptions.Baseline.Name, request.Baseline, [.. libraries.Select(library => library.Name)]);
        IReadOnlyList<SuiteCase> cases = Cases(request, libraries, context.Catalog.KnownLibraries, context.Catalog.Workloads);
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
                await context.SayAsync(
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
            cases.MaxBy(found => SocketBuffers.NeededByServer(found.Plan))!.Plan, cancellationToken).ConfigureAwait(false);
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

        LaunchResult? Earlier(SuiteCase found, int launch) => journal?.Find(found, launch);

        void Finished(SuiteStep step, IReadOnlyList<CaseLaunch> launches)
        {
            // A set that the user cut short is measured again by --continue.
            foreach (CaseLaunch made in cancellationToken.IsCancellationRequested ? [] : launches)
            {
                journal?.Save(made.Case, made.Launch);
            }

            progress.Finished(step, launches);
        }
    }

    /// <summary>Runs one plan several times, in fresh processes.</summary>
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

    /// <summary>Runs one load with several versions of the library and settings of the runtime, whose processes take turns.</summary>
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
        if (request.Versions is not { } asked)
        {
            return cases;
        }

        PlanCheck.RequirePackage(context.Catalog, asked.Library);
        var builds = new VersionBuilds(CheckoutBuilds.OfThisProgram()) { Told = context.Errors.WriteLine };
        var found = new List<VersionBuild>();
        foreach (string version in asked.Versions)
        {
            found.Add(await builds.FindAsync(asked.Library, version, cancellationToken).ConfigureAwait(false));
        }

        return
        [
            .. from load in cases.GroupBy(one => (one.Part, one.Title))
               where load.Any(IsAsked)
               from one in load
               where IsAsked(one) || one.Library.Name == request.Baseline
               from variant in IsAsked(one) ? found.Select(one.With) : [one]
               select variant,
        ];

        bool IsAsked(SuiteCase one) => one.Library.Name == asked.Library;
    }

    /// <summary>Returns the cases of the predefined benchmark. The load is predefined; the user chooses settings and cores.</summary>
    /// <param name="request">The user's request.</param>
    /// <param name="libraries">The libraries that run.</param>
    /// <param name="known">The names of all libraries.</param>
    /// <param name="workloads">The tests in this build.</param>
    /// <exception cref="BenchmarkException">A setting or a core is not available.</exception>
    public static IReadOnlyList<SuiteCase> Cases(
        CliRequest request, IReadOnlyList<LibraryInfo> libraries, IReadOnlyCollection<string> known, IReadOnlyCollection<IWorkload> workloads)
    {
        PlanCheck.RequireRunning(request.Settings, known, [.. libraries.Select(library => library.Name)]);
        PlanCheck.CheckCores(request.Plan);
        PlanCheck.CheckPart(request);
        IReadOnlyList<Benchmark> benchmarks = PredefinedBenchmarks.Of(
            request.BenchmarkPart, request.BenchmarkDuration, request.BenchmarkPort, request.Plan.AnyMachine, workloads);
        LibraryInfo? FastestFor(Benchmark benchmark) => ClientLibraries.FastestFor(benchmark.Workload, benchmark.Template.Protocol, libraries);
        string? only = OneLibrary(request);
        if (only is not null)
        {
            IEnumerable<LibraryInfo> running = libraries.Where(library => benchmarks.Any(benchmark => benchmark.Runs(library, FastestFor(benchmark))));
            OptionValues.Choice(LibraryOptions.LibraryName, only, [.. running.Select(library => library.Name)]);
        }

        return
        [
            .. from benchmark in benchmarks
               let fastest = FastestFor(benchmark)
               from library in libraries
               where benchmark.Runs(library, fastest) && (only ?? library.Name) == library.Name
               from profile in ProfilesOf(library, benchmark, request)
               from variant in VariantsOf(library, benchmark, request)
               let suiteCase = CaseOf(benchmark, library, profile, fastest, variant, request)
               where CanRun(suiteCase, variant)
               select suiteCase,
        ];
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

    private static SuiteCase CaseOf(
        Benchmark benchmark, LibraryInfo library, Profile profile, LibraryInfo? fastest, RequestedSetting? variant, CliRequest request)
    {
        PinningPlan pinning = request.Plan.Pinning;
        LibraryInfo? clients = benchmark.OwnClients || fastest?.Name == library.Name ? null : fastest;
        RunPlan plan = benchmark.Template with
        {
            Library = library.Name,
            ClientLibrary = clients?.Name,
            Profile = profile,
            Variant = benchmark.Variant ?? variant?.Value,
            Settings = PlanCheck.ChooseSettings(
                variant is null ? request.Settings : [.. request.Settings, variant], library, profile, benchmark.Template.Protocol),
            ClientSettings = clients is null
                ? benchmark.Template.ClientSettings
                : PlanCheck.ChooseSettings(request.Settings, clients, profile, benchmark.Template.Protocol),
            Pinning = pinning,
            Hosts = request.Plan.Hosts,
            Runtime = request.Plan.Runtime,
            ClientThreads = benchmark.Workload is IConnectionWorkload && pinning.ClientCores is null
                ? Environment.ProcessorCount
                : pinning.DefaultClientThreads,
            ServerThreads = library.Over(benchmark.Template.Protocol).MostServerThreads == 1 ? 1 : benchmark.Template.ServerThreads,
        };

        // With this variant, the server may have one thread only.
        plan = library.FindFault(plan, benchmark.Workload) is null ? plan : plan with { ServerThreads = 1 };
        return new SuiteCase(benchmark.Title, plan, library.DrivenBy(clients, plan.Protocol), benchmark.Workload, request.Launches ?? benchmark.Launches)
        {
            Part = benchmark.Part,
            Row = benchmark.Row,
            RankedBy = benchmark.RankedBy,
            Aim = request.Launches is null && benchmark.Row is null ? request.Precision ?? benchmark.Aim : null,
            IsBaseline = benchmark.HasBaselines && library.IsBaseline,
        };
    }

    private static double? LimitOf(CliRequest request) => request.Launches is null
        ? (request.BenchmarkTime ?? PredefinedBenchmarks.LimitOf(request.BenchmarkPart)).TotalSeconds
        : null;

    // A variant that the library rejects is no case; what the user chose is an error.
    private static bool CanRun(SuiteCase suiteCase, RequestedSetting? variant) =>
        suiteCase.Library.FindFault(suiteCase.Plan, suiteCase.Workload) is not { } fault || (variant is null ? throw fault : false);

    // Each value of such a setting is a case, unless the user chose one. In other benchmarks the default is measured alone.
    private static IEnumerable<RequestedSetting?> VariantsOf(LibraryInfo library, Benchmark benchmark, CliRequest request)
    {
        LibrarySetting[] varied = benchmark.Workload is IConnectionWorkload && benchmark.Variant is null
            ? [.. library.Over(benchmark.Template.Protocol).Settings.Where(setting => setting.HasVariants && !IsChosen(setting))]
            : [];
        return varied.Length == 0 ? [null] :
        [
            .. from setting in varied
               from value in setting.Values
               where setting == varied[0] || value != setting.Default
               select new RequestedSetting(library.Name, setting.Name, value),
        ];

        bool IsChosen(LibrarySetting setting) => request.Settings.Any(asked =>
            asked.Library.Equals(library.Name, StringComparison.OrdinalIgnoreCase) && asked.Name.Equals(setting.Name, StringComparison.OrdinalIgnoreCase));
    }

    // The library of a benchmark that has one.
    private static string? OneLibrary(CliRequest request) => request.BenchmarkPart != SuitePart.TlsMatrix ? null
        : request.LibraryWasChosen ? request.Plan.Library
        : MatrixLibrary;

    // The default profile and the tuned profile, unless the user chose one of them.
    private static IEnumerable<Profile> ProfilesOf(LibraryInfo library, Benchmark benchmark, CliRequest request) =>
        Enum.GetValues<Profile>().Where(profile => profile == Profile.Default
            ? !request.ProfileWasChosen || request.Plan.Profile == Profile.Default || !benchmark.WithTunedProfiles
            : benchmark.WithTunedProfiles
                && library.Over(benchmark.Template.Protocol).HasTunedProfile
                && (!request.ProfileWasChosen || request.Plan.Profile == profile));

    // A first look and a comparison of versions are no results of the machine that are kept, unless the user wants to keep them.
    private static string? FolderFor(CliRequest request) => (request.BenchmarkPart == SuitePart.Quick || request.Versions is not null) && request.Output is null
        ? null
        : Path.Combine(request.Output ?? BenchmarksFolder.Default(), BenchmarksFolder.MachineName(MachineInspector.Inspect()));

    private static InterleavingMethod MethodOf(IReadOnlyList<SuiteCase> cases) =>
        new(cases.Max(found => found.Launches), Rounds: null, SliceSeconds, Seed) { SettleSeconds = SettleSeconds };

    private static string CommandOf(CliRequest request) => PlanArguments.Command(
    [
        $"--benchmark{request.BenchmarkPart.Suffix()}",
        .. OneLibrary(request) is { } library ? (string[])[LibraryOptions.LibraryName, library] : [],
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
        await context.SayAsync($"Continuing with {journal.EarlierCount} launches that were saved in '{files.Folder}'.").ConfigureAwait(false);
        return journal;
    }

    private static async Task<SuiteJournal> StartAsync(
        ResultFiles files, IReadOnlyList<SuiteCase> cases, string command, SuiteBegin begin, CommandContext context)
    {
        if (SuiteJournal.IsIn(files.Folder))
        {
            await context.SayAsync(
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
            MarkdownReport.WriteSummary(result, context.Output, WidthOfFirstLook);
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
            await context.SayAsync($"Note: Not every launch could be saved for --continue: {failure}").ConfigureAwait(false);
        }

        if (result.Aborted && journal is not null)
        {
            string output = request.Output is null ? string.Empty : $" --output {ShellCommand.Quote(request.Output)}";
            await context.SayAsync($"To continue: {result.Command}{output} --continue").ConfigureAwait(false);
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

    private static bool IsGood(SuiteResult result) => !result.Aborted && result.Benchmarks.All(benchmark => benchmark.Cases.All(found => found.Valid));
}
