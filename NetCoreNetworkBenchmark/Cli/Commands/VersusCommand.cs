using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running.Interleaving;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Compares another build of this program with this one, in one case or in the cases of the predefined benchmark.</summary>
internal static class VersusCommand
{
    private const string Assembly = "NetCoreNetworkBenchmark.dll";
    private const int Seed = 1;

    public static async Task<int> RunAsync(CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        VersusRequest versus = request.Versus!;
        string build = AssemblyOf(versus.Build);
        ResultFiles? files = context.FilesFor(request, ResultKind.Comparison);
        (IReadOnlyList<SuiteCase> cases, IReadOnlyList<string> load) = await ChooseCasesAsync(request, context, cancellationToken).ConfigureAwait(false);
        var method = new InterleavingMethod(request.Launches ?? VersusOptions.DefaultSets, versus.Rounds, versus.Slice.TotalSeconds, Seed)
        {
            SettleSeconds = Math.Min(SuiteCommand.SettleSeconds, versus.Slice.TotalSeconds),
        };
        var comparison = new BuildComparison(build, method) { Report = context.Errors.WriteLine };
        var compared = new List<BuildContrast>();
        foreach (SuiteCase suiteCase in cases.TakeWhile(_ => !cancellationToken.IsCancellationRequested))
        {
            if (await CompareAsync(comparison, suiteCase, compared.Count > 0, cancellationToken).ConfigureAwait(false) is { } contrast)
            {
                compared.Add(contrast);
            }
        }

        var result = new ComparisonResult
        {
            HarnessVersion = ResultBuilder.HarnessVersion,
            Old = build,
            New = typeof(VersusCommand).Assembly.Location,
            Threshold = versus.Threshold,
            Interleaving = method,
            Control = null,
            Cases = BuildContrast.Judge(compared, versus.Threshold),
            NotCompared = comparison.NotCompared,
            Aborted = cancellationToken.IsCancellationRequested,
            Command = PlanArguments.Command(
            [
                VersusOptions.Name, versus.Build, .. load,
                "--threshold", string.Create(CultureInfo.InvariantCulture, $"{100 * versus.Threshold}%"),
                .. Argument("--launches", method.Sets), .. Argument("--rounds", versus.Rounds), .. Argument("--slice", method.SliceSeconds),
            ]),
        };
        context.Print(result, request.Json);
        context.KeepUnwritten(result, files);
        files?.Write(result);
        return result.HasRegression ? ExitCode.Regression
            : result.Aborted || compared.Count < cases.Count ? ExitCode.Failed
            : ExitCode.Success;
    }

    // A comparison that is ended early keeps the cases that were compared.
    private static async Task<BuildContrast?> CompareAsync(
        BuildComparison comparison, SuiteCase suiteCase, bool hasFigures, CancellationToken cancellationToken)
    {
        try
        {
            return await comparison.CompareAsync(suiteCase, cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (hasFigures)
        {
            return null;
        }
    }

    private static async Task<(IReadOnlyList<SuiteCase> Cases, IReadOnlyList<string> Load)> ChooseCasesAsync(
        CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        if (request.Versus!.IsOfBenchmark)
        {
            (IReadOnlyList<LibraryInfo> libraries, _) = SuiteLibraries.Choose(context.Catalog, request.BenchmarkPart);
            return (
                PredefinedCases.Of(request, libraries, context.Catalog.KnownLibraries, context.Catalog.Workloads),
                [$"--benchmark{request.BenchmarkPart.Suffix()}", .. request.BenchmarkArguments]);
        }

        ChosenLibraries chosen = await context.ChooseLibraryAsync(request, cancellationToken).ConfigureAwait(false);
        if (chosen.Workload.EndsWhenDone(chosen.Plan))
        {
            throw OptionValues.Rejected("--test", $"{chosen.Workload.Name} ends by itself, so it cannot be divided into slices. Use another test.");
        }

        return (
            [new SuiteCase(chosen.Plan.Test, chosen.Plan, chosen.Info, chosen.Workload, 1)],
            PlanArguments.Of(chosen.Plan, chosen.Info, chosen.Workload));
    }

    private static string[] Argument(string name, double value) => [name, value.ToString(CultureInfo.InvariantCulture)];

    private static string AssemblyOf(string build)
    {
        string[] candidates = [build, Path.Combine(build, Assembly), Path.Combine(build, "NetCoreNetworkBenchmark", "bin", "Release", "net10.0", Assembly)];
        return candidates.FirstOrDefault(path => File.Exists(path) && Path.GetFileName(path) == Assembly) is { } assembly
            ? Path.GetFullPath(assembly)
            : throw BenchmarkException.BadInput(
                $"'{build}' has no build of this program. Use a folder with {Assembly}, or a checkout with a build (dotnet build -c Release).");
    }
}
