using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Sessions;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Checks;

/// <summary>The loads of one library in one form are one benchmark, so that their slices alternate. Any other benchmark has one load.</summary>
internal sealed class ChosenCases(CliRequest request, IReadOnlyList<CheckedPlan> chosen)
{
    private const double DefaultTargetHalfWidth = 0.04;
    private static readonly TimeSpan s_defaultTime = TimeSpan.FromMinutes(2);

    private readonly string[] _libraries = [.. chosen.Select(load => load.Plan.Library).Distinct()];

    public string Baseline => request.IsGiven(RunOptions.Baseline.Name)
        ? OptionValues.Choice(RunOptions.Baseline.Name, request.Baseline, _libraries)
        : _libraries[0];

    /// <summary>The time within which further sets end; null if the number of sets is fixed.</summary>
    public double? LimitSeconds => TargetHalfWidth is null ? null : (request.BenchmarkTime ?? s_defaultTime).TotalSeconds;

    private int Sets => request.Launches ?? (_libraries.Length == 1 ? RunOptions.SetsOfOneLibrary : Benchmark.DefaultSets);

    private double? TargetHalfWidth => request.Launches is not null ? null
        : request.Precision ?? (_libraries.Length == 1 && request.BenchmarkTime is null ? null : DefaultTargetHalfWidth);

    private bool IsOneSubject => _libraries.Length == 1 && request.Versions is null && request.RuntimeVariants.Count == 1;

    private IEnumerable<PlanOption> VariedLoad => request.Varied.Where(option => option.Name != LibraryOptions.LibraryName);

    public IReadOnlyList<SuiteCase> Make() => [.. from load in chosen from runtime in request.RuntimeVariants select CaseOf(load, runtime)];

    public string Command() => PlanArguments.Command(
    [
        .. PlanArguments.OfAll(
            [.. chosen.Select(load => (PlanOf(load) with { Runtime = new RuntimePlan() }, load.Info, load.Workload))],
            [.. request.Varied.Select(option => option.Name)]),
        .. request.Versions?.Arguments ?? [],
        .. RuntimeOptions.ArgumentsOf(request.RuntimeVariants),
        .. TargetHalfWidth is null ? ["--launches", $"{Sets}"] : request.ArgumentsOfComparison(),
        .. request.IsGiven(RunOptions.Baseline.Name) ? (string[])[RunOptions.Baseline.Name, Baseline] : [],
    ]);

    private SuiteCase CaseOf(CheckedPlan load, RuntimePlan runtime)
    {
        string words = string.Join(", ", VariedLoad.Select(option => option.DescribeValue(load.Plan)));
        string? variant = IsOneSubject ? words : request.Versions is null && request.RuntimeVariants.Count == 1 ? null : runtime.ToString();
        RunPlan plan = PlanOf(load) with { Runtime = runtime, Variant = variant };
        string title = IsOneSubject || words.Length == 0 ? plan.Test : $"{plan.Test}, {words}";
        return new SuiteCase(title, plan, load.Info, load.Workload, Sets)
        {
            TargetHalfWidth = TargetHalfWidth,
            Varied = [.. VariedLoad.Select(option => option.Name), .. request.RuntimeVariants.Count > 1 ? (string[])[RuntimeOptions.Name] : []],
        };
    }

    // The duration of a load that ends by itself is its deadline.
    private RunPlan PlanOf(CheckedPlan load) => request.IsGiven(LoadOptions.DurationName) || load.Workload.EndsWhenDone(load.Plan)
        ? load.Plan
        : load.Plan with { Duration = PredefinedBenchmarks.Duration };
}
