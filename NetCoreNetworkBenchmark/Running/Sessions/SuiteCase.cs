using NetCoreNetworkBenchmark.Running.Builds;

namespace NetCoreNetworkBenchmark.Running.Sessions;

/// <summary>A load of a library that is measured several times.</summary>
/// <param name="Title">The load, as a heading of the result.</param>
/// <param name="Launches">The number of launches, or of process sets; the least number of sets if there is a <see cref="TargetHalfWidth"/>.</param>
internal sealed record SuiteCase(string Title, RunPlan Plan, LibraryInfo Library, IWorkload Workload, int Launches)
{
    /// <summary>The part of <c>-b</c>; null without <c>-b</c>.</summary>
    public string? Part { get; init; }
    public BenchmarkRow? Row { get; init; }

    /// <summary>The benchmark ends at this half width of a ratio's interval; null if it has the requested number of sets.</summary>
    public double? TargetHalfWidth { get; init; }
    public bool IsBaseline { get; init; }

    /// <summary>Null for the adapter of this program.</summary>
    public AdapterAssembly? Adapter { get; init; }

    /// <summary>The assembly of another build of this program; null for this one.</summary>
    public string? Build { get; init; }

    /// <summary>The names of the options of the load by which the cases of the suite differ.</summary>
    public IReadOnlyList<string> Varied { get; init; } = [];
    public string Name => LibraryResult.NameOf(Plan);

    /// <summary>The cases of one benchmark are compared with each other, and their slices alternate.</summary>
    public (string? Part, string Title) Benchmark => (Part, Title);

    public SuiteCase With(string version, AdapterAssembly? adapter) => this with
    {
        Adapter = adapter,
        IsBaseline = false,
        Plan = Plan with { Variant = string.Join(", ", MarksWith(version)) },
    };

    public RunPlan WithAdapter(RunPlan plan) => AdapterBuilds.Use(plan, Adapter);

    /// <summary>The name of the case in a log.</summary>
    public string Key { get => field ?? (Part is null ? ToString() : $"{Part}: {this}"); init; }

    public override string ToString() => $"{Title}, {Name}";

    // A variant replaces the profile in the name of a case.
    private IEnumerable<string> MarksWith(string version)
    {
        yield return version;
        if (Plan.Variant is { Length: > 0 } variant)
        {
            yield return variant;
        }
        else if (Plan.Profile != Profile.Default)
        {
            yield return Plan.Profile.ToString().ToLowerInvariant();
        }
    }
}
