using NetCoreNetworkBenchmark.Cli.Checks;
using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Progress;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running.Builds;
using NetCoreNetworkBenchmark.Running.Interleaving;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Sessions;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Compares two versions of a library, or two builds of this program, in one case or in the cases of the predefined benchmark.</summary>
internal sealed class RegressCommand(CliRequest request, CommandContext context, CancellationToken cancellationToken)
{
    private const int Seed = 1;
    private static readonly TimeSpan s_maxWarmUp = TimeSpan.FromSeconds(2);

    public async Task<int> RunAsync()
    {
        RegressRequest regress = request.Regress!;
        (VersionSource old, VersionSource now) = ReadVersions(regress);
        Rule.Check([new(!old.IsLike(now), () => BenchmarkException.BadInput(
            $"'{old.Text}' and '{now.Text}' cannot be compared. Use two versions of one package, two adapters, or two builds of this program."))]);
        ResultFiles? files = context.FilesFor(request, ResultKind.Comparison);
        (IReadOnlyList<SuiteCase> cases, IReadOnlyList<string> load, Fitness? fitness) = await ChooseCasesAsync(OfLibrary(old.Library), regress, old.Library);

        // Both versions of a case are alive together, and no other case.
        PlanCheck.CheckMachine(cases.Select(suiteCase => (SuiteCase[])[suiteCase, suiteCase]));
        if (fitness is not null)
        {
            context.Warn(request, fitness);
        }

        var builds = new AdapterBuilds(BuildCache.OfUser()) { Report = context.Notify };
        ComparedVersion before = await old.FindAsync(builds, cancellationToken);
        ComparedVersion after = await now.FindAsync(builds, cancellationToken);
        if (before.Name == after.Name)
        {
            context.Notify("Note: both versions are the same files, so what differs is the noise.");
        }

        InterleavingMethod method = MethodOf(regress, cases);
        var strategy = new VersionSets([.. cases.Select(suiteCase => WithTimes(suiteCase, method))], before, after, method);
        context.NotifyFewestSets(
            request, method.Sets, strategy.Cases.Chunk(2).SelectMany(pair => Enumerable.Repeat(pair, method.Sets)), method.LimitSeconds);
        string command = CommandOf(regress, old, now, load, method);
        SessionBegin begin = fitness is null ? SessionBegin.Now(cases) : new SessionBegin(DateTimeOffset.UtcNow, fitness);
        using SessionLog? log = context.OpenLog(request, files, command, strategy.Cases, begin);
        var progress = new SuiteProgress(context.ErrorConsole, request.Verbose);
        var runner = new SetRunner(method)
        {
            SharesProcesses = false,
            Progress = progress.Progress,
        };
        var session = new Session(strategy, runner, log)
        {
            Starting = progress.Starting,
            Finished = progress.Finished,
        };
        await progress.ShowAsync(session.RunAsync(cancellationToken));
        IReadOnlyList<BuildContrast> contrasts = strategy.Contrasts;
        if (contrasts.Count == 0)
        {
            cancellationToken.ThrowIfCancellationRequested();
        }

        IReadOnlyList<ComparedCase> verdicts = BuildContrast.Judge(contrasts, regress.Threshold);
        var result = new ComparisonResult
        {
            HarnessVersion = ResultBuilder.HarnessVersion,
            Old = before.Name,
            New = after.Name,
            Threshold = regress.Threshold,
            Interleaving = method,
            Seconds = strategy.Duration.TotalSeconds,
            Control = null,
            Cases = before.Adapter is null ? verdicts : await CountPacketsAsync(strategy, contrasts, verdicts),
            NotCompared = strategy.Faults,
            Aborted = cancellationToken.IsCancellationRequested,
            Command = command,
        };
        int code = context.Report(result, request, files, !result.Aborted && contrasts.Count == cases.Count, log, result.Aborted);
        if (result.HasRegression)
        {
            return ExitCode.Regression;
        }

        string[] reasons = [.. code == ExitCode.Success ? CompareCommand.FindUndecided(result) : []];
        context.Notify("Error", reasons);
        return reasons.Length > 0 ? ExitCode.Undecided : code;
    }

    private (VersionSource Old, VersionSource New) ReadVersions(RegressRequest regress)
    {
        if (regress.Build is not { } command)
        {
            var old = VersionSource.Read(regress.Old, context.Catalog);
            return (old, regress.New is null ? old.InThisProgram(context.Catalog) : VersionSource.Read(regress.New, context.Catalog));
        }

        Rule.Check([Rule.Refuse("--build", !request.IsGiven(LibraryOptions.LibraryName), () =>
            $"requires {LibraryOptions.LibraryName}: the library that the command builds.")]);
        Func<string, VersionSource> commit = VersionSource.Commits(request.Plan.Library, command, context.Catalog, context.Notify);
        return (commit(regress.Old), commit(regress.New ?? "HEAD"));
    }

    private string[] BuildArguments(RegressRequest regress, IReadOnlyList<string> load) => regress.Build is not { } command ? []
        : [.. load.Contains(LibraryOptions.LibraryName) ? [] : (string[])[LibraryOptions.LibraryName, request.Plan.Library], "--build", command];

    // Of a library's version. It does not depend on the speed of a machine, so one short launch of each is enough, after all sets.
    private async Task<IReadOnlyList<ComparedCase>> CountPacketsAsync(
        VersionSets sets, IReadOnlyList<BuildContrast> contrasts, IReadOnlyList<ComparedCase> verdicts)
    {
        var packets = new PacketCount(PacketCount.Length);
        var cases = new List<ComparedCase>();
        foreach ((BuildContrast contrast, ComparedCase verdict) in contrasts.Zip(verdicts))
        {
            (_, SuiteCase before, SuiteCase after) = sets.Pairs.First(pair => pair.Case == contrast.Case);
            double? old = await CountAsync(before);
            double? now = await CountAsync(after);
            cases.Add(verdict with { Wire = old is { } ofOld && now is { } ofNew ? new ComparedWire(ofOld, ofNew) : null });
        }

        return cases;

        async Task<double?> CountAsync(SuiteCase version) => cancellationToken.IsCancellationRequested
            ? null
            : (await packets.CountAsync(version, pool: null, cancellationToken)).Wire?.BytesPerMessage;
    }

    private string CommandOf(
        RegressRequest regress, VersionSource old, VersionSource now, IReadOnlyList<string> load, InterleavingMethod method) => PlanArguments.Command(
    [
        RegressOptions.CommandName, old.Text, now.Text, .. load, .. BuildArguments(regress, load),
        "--threshold", $"{PlanValues.Percent(regress.Threshold)}%",
        .. method is { TargetHalfWidth: { } target, LimitSeconds: { } limit }
            ? ["--precision", $"{PlanValues.Percent(target)}%", "--time", Invariant($"{limit}s")]
            : (string[])["--launches", Invariant($"{method.Sets}")],
        "--rounds", Invariant($"{regress.Rounds}"), "--slice", Invariant($"{method.SliceSeconds}"),
    ]);

    // The time of a case in a set is that of its slices. A set is repeated so often that a longer warm-up would take more time than the measurement.
    private static SuiteCase WithTimes(SuiteCase suiteCase, InterleavingMethod method) => suiteCase with
    {
        Plan = suiteCase.Plan with
        {
            WarmUp = suiteCase.Plan.WarmUp < s_maxWarmUp ? suiteCase.Plan.WarmUp : s_maxWarmUp,
            Duration = TimeSpan.FromSeconds(method.Rounds!.Value * method.SliceSeconds),
        },
    };

    private InterleavingMethod MethodOf(RegressRequest regress, IReadOnlyList<SuiteCase> cases)
    {
        var unlimited = new InterleavingMethod(request.Launches ?? RegressOptions.MinSets, regress.Rounds, regress.Slice.TotalSeconds, Seed)
        {
            SettleSeconds = Math.Min(SuiteCommand.SettleSeconds, regress.Slice.TotalSeconds),
        };
        InterleavingMethod method = SuiteCommand.OverRoundTrips(unlimited, cases);
        return request.Launches is not null ? method : method with
        {
            LimitSeconds = (request.BenchmarkTime ?? (cases.Count * RegressOptions.DefaultTime)).TotalSeconds,
            TargetHalfWidth = request.Precision ?? RegressOptions.DefaultPrecision,
        };
    }

    // The loads of a library without any other are those of the predefined benchmark, with the library's own defaults.
    private CliRequest OfLibrary(string? library)
    {
        if (library is null)
        {
            return request;
        }

        Rule.Check([new(LibraryOptions.LibraryName, request.IsGiven(LibraryOptions.LibraryName) && request.Plan.Library != library, () =>
            $"the versions are those of {library}. Omit {LibraryOptions.LibraryName}.")]);
        bool isOverUdp = context.Catalog.CreateLibrary(library)!.Info.Protocols.Contains(Protocol.Udp);
        return request.WithPlans(plan => plan with { Library = library }) with
        {
            Given = [.. request.Given, LibraryOptions.LibraryName, LibraryOptions.ProfileName],
            BenchmarkPart = request.Regress!.IsOfBenchmark
                ? request.BenchmarkPart
                : context.Catalog.Parts.Single(part => part.Name == (isOverUdp ? "udp" : "tcp")),
        };
    }

    private static IReadOnlyList<SuiteCase> WithLoads(IReadOnlyList<SuiteCase> cases, RegressRequest regress)
    {
        if (regress.Loads is not { } loads)
        {
            return regress.IsOfBenchmark ? cases : [.. cases.Take(RegressOptions.DefaultLoadCount)];
        }

        string[] names = [.. cases.Select(suiteCase => RegressOptions.LoadName(suiteCase.Title)).Distinct()];
        string[] choices = [.. loads.Select(load => OptionValues.Choice(RegressOptions.LoadsName, load, names))];
        return [.. cases.Where(suiteCase => choices.Contains(RegressOptions.LoadName(suiteCase.Title)))];
    }

    private async Task<(IReadOnlyList<SuiteCase> Cases, IReadOnlyList<string> Load, Fitness? Fitness)> ChooseCasesAsync(
        CliRequest chosen, RegressRequest regress, string? library)
    {
        if (regress.IsOfBenchmark || (library is not null && !regress.HasLoad))
        {
            (IReadOnlyList<LibraryInfo> libraries, _) = chosen.BenchmarkPart.ChooseLibraries(context.Catalog);
            IReadOnlyList<SuiteCase> cases = PredefinedCases.Create(chosen, libraries, context.Catalog.KnownLibraries, context.Catalog.Workloads);
            string part = chosen.BenchmarkPart.Suffix;
            return cases.FirstOrDefault(suiteCase => suiteCase.Workload.EndsWhenDone(suiteCase.Plan)) is { } whole
                ? throw OptionValues.Rejected(
                    RunOptions.Benchmark.Name, $"{whole.Workload.Name} of -b{part} ends by itself, so it cannot be divided into slices. Use another part.")
                : (WithLoads(regress.IsOfBenchmark ? cases : [.. cases.Where(suiteCase => suiteCase.Plan.Library == library)], regress),
                    [
                        .. regress.IsOfBenchmark ? [$"--benchmark{part}"] : (string[])[],
                        .. chosen.BenchmarkArguments,
                        .. regress.Loads is { } loads ? (string[])[RegressOptions.LoadsName, string.Join(',', loads)] : [],
                    ],
                    null);
        }

        Rule.Check([new(RegressOptions.LoadsName, regress.Loads is not null, () =>
            "it chooses from the predefined loads, and the command has a load of its own. Omit one of the two.")]);
        CheckedPlan load = await CheckedPlan.OfAsync(chosen, context.Catalog, context.Notify, cancellationToken);
        return load.Workload.EndsWhenDone(load.Plan)
            ? throw OptionValues.Rejected("--test", $"{load.Workload.Name} ends by itself, so it cannot be divided into slices. Use another test.")
            : (
                [new SuiteCase(load.Plan.Test, load.Plan, load.Info, load.Workload, 1)],
                PlanArguments.OfAll([(load.Plan, load.Info, load.Workload)], [], LoadOptions.DurationName),
                load.Fitness);
    }
}
