using NetCoreNetworkBenchmark.Cli.Checks;
using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running.Interleaving;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Suites;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Compares another build of this program with this one, in one case or in the cases of the predefined benchmark.</summary>
internal sealed class VersusCommand(CliRequest request, CommandContext context, CancellationToken cancellationToken)
{
    private const string Assembly = "NetCoreNetworkBenchmark.dll";
    private const int Seed = 1;

    public async Task<int> RunAsync()
    {
        VersusRequest versus = request.Versus!;
        string build = AssemblyOf(versus.Build);
        ResultFiles? files = context.FilesFor(request, ResultKind.Comparison);
        (IReadOnlyList<SuiteCase> cases, IReadOnlyList<string> load, Fitness? fitness) = await ChooseCasesAsync(versus).ConfigureAwait(false);

        // Both builds of a case are alive together, and no other case.
        PlanCheck.CheckMachine(cases.Select(suiteCase => (SuiteCase[])[suiteCase, suiteCase]));
        if (fitness is not null)
        {
            context.Warn(request, fitness);
        }

        if (build == typeof(VersusCommand).Assembly.Location)
        {
            context.Notify("Note: both builds are the same files, so what differs is the noise.");
        }

        InterleavingMethod method = MethodOf(versus, cases.Count);
        var comparison = new BuildComparison(build, method) { Report = context.Notify };
        long start = Stopwatch.GetTimestamp();
        IReadOnlyList<BuildContrast> compared = await comparison.CompareAsync(cases, cancellationToken).ConfigureAwait(false);
        var result = new ComparisonResult
        {
            HarnessVersion = ResultBuilder.HarnessVersion,
            Old = build,
            New = typeof(VersusCommand).Assembly.Location,
            Threshold = versus.Threshold,
            Interleaving = method,
            Seconds = Stopwatch.GetElapsedTime(start).TotalSeconds,
            Control = null,
            Cases = BuildContrast.Judge(compared, versus.Threshold),
            NotCompared = comparison.NotCompared,
            Aborted = cancellationToken.IsCancellationRequested,
            Command = PlanArguments.Command(
            [
                VersusOptions.CommandName, versus.Build, .. load, "--threshold", $"{PlanValues.Percent(versus.Threshold)}%",
                .. method is { TargetHalfWidth: { } target, LimitSeconds: { } limit }
                    ? ["--precision", $"{PlanValues.Percent(target)}%", "--time", Invariant($"{limit}s")]
                    : (string[])["--launches", Invariant($"{method.Sets}")],
                "--rounds", Invariant($"{versus.Rounds}"), "--slice", Invariant($"{method.SliceSeconds}"),
            ]),
        };
        int code = context.Report(result, request, files, !result.Aborted && compared.Count == cases.Count);
        if (result.HasRegression)
        {
            return ExitCode.Regression;
        }

        string[] reasons = [.. code == ExitCode.Success ? CompareCommand.FindUndecided(result) : []];
        context.Notify("Error", reasons);
        return reasons.Length > 0 ? ExitCode.Undecided : code;
    }

    private InterleavingMethod MethodOf(VersusRequest versus, int cases)
    {
        var method = new InterleavingMethod(request.Launches ?? VersusOptions.MinSets, versus.Rounds, versus.Slice.TotalSeconds, Seed)
        {
            SettleSeconds = Math.Min(SuiteCommand.SettleSeconds, versus.Slice.TotalSeconds),
        };
        return request.Launches is not null ? method : method with
        {
            LimitSeconds = (request.BenchmarkTime ?? (cases * VersusOptions.DefaultTime)).TotalSeconds,
            TargetHalfWidth = request.Precision ?? VersusOptions.DefaultPrecision,
        };
    }

    private async Task<(IReadOnlyList<SuiteCase> Cases, IReadOnlyList<string> Load, Fitness? Fitness)> ChooseCasesAsync(VersusRequest versus)
    {
        if (versus.IsOfBenchmark)
        {
            (IReadOnlyList<LibraryInfo> libraries, _) = SuiteLibraries.Choose(context.Catalog, request.BenchmarkPart);
            IReadOnlyList<SuiteCase> cases = PredefinedCases.Of(request, libraries, context.Catalog.KnownLibraries, context.Catalog.Workloads);
            string part = request.BenchmarkPart.Suffix();
            return cases.FirstOrDefault(suiteCase => suiteCase.Workload.EndsWhenDone(suiteCase.Plan)) is { } whole
                ? throw OptionValues.Rejected(
                    RunOptions.Benchmark.Name, $"{whole.Workload.Name} of -b{part} ends by itself, so it cannot be divided into slices. Use another part.")
                : (cases, [$"--benchmark{part}", .. request.BenchmarkArguments], null);
        }

        CheckedPlan chosen = await CheckedPlan.OfAsync(request, context.Catalog, context.Notify, cancellationToken).ConfigureAwait(false);
        (RunPlan plan, LibraryInfo library, IWorkload workload) = (chosen.Plan, chosen.Info, chosen.Workload);
        return workload.EndsWhenDone(plan)
            ? throw OptionValues.Rejected("--test", $"{workload.Name} ends by itself, so it cannot be divided into slices. Use another test.")
            : ([new SuiteCase(plan.Test, plan, library, workload, 1)], PlanArguments.Of(plan, library, workload), chosen.Fitness);
    }

    private static string AssemblyOf(string build)
    {
        string[] candidates = [build, Path.Combine(build, Assembly), Path.Combine(build, "NetCoreNetworkBenchmark", "bin", "Release", "net10.0", Assembly)];
        return candidates.FirstOrDefault(path => File.Exists(path) && Path.GetFileName(path) == Assembly) is { } assembly
            ? Path.GetFullPath(assembly)
            : throw BenchmarkException.BadInput(
                $"'{build}' has no build of this program. Use a folder with {Assembly}, or a checkout with a build (dotnet build -c Release).");
    }
}
