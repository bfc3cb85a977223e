using NetCoreNetworkBenchmark.Running.Builds;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>One library under one load.</summary>
internal sealed record SuiteCase(string Title, RunPlan Plan, LibraryInfo Library, IWorkload Workload, int Launches)
{
    public string? Part { get; init; }

    /// <summary>The row that the benchmark is in the table of its part; null if it has a table of its own.</summary>
    public BenchmarkRow? Row { get; init; }

    public RankedFigure RankedBy { get; init; }

    /// <summary>The half width of a ratio's interval at which the benchmark ends; null if it has the requested number of sets.</summary>
    public double? Aim { get; init; }

    /// <summary>Whether the case is a line to compare with, and is not ranked.</summary>
    public bool IsBaseline { get; init; }

    /// <summary>Another build of this program that is measured, as the path of its assembly; null for this build.</summary>
    public string? Build { get; init; }

    public string Name => LibraryResult.NameOf(Plan);

    public SuiteCase With(VersionBuild build) => this with
    {
        Build = build.Assembly,
        IsBaseline = false,
        Plan = Plan with { Variant = string.Join(", ", MarksWith(build.Version)) },
    };

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

/// <summary>One launch of a case, or one set of several interleaved cases, for display.</summary>
internal sealed record SuiteStep(string Name, int Number, int Count, TimeSpan Expected, TimeSpan ExpectedAfter)
{
    /// <summary>How far the comparison is decided after the step; null if it is not known.</summary>
    public Decision? Decision { get; init; }
}

internal sealed record CaseLaunch(SuiteCase Case, LaunchResult Launch);

/// <summary>The order in which several cases are measured several times.</summary>
internal interface ISuiteSchedule
{
    /// <summary>The method of the slices; null if each case is measured by itself.</summary>
    InterleavingMethod? Interleaving { get; }

    /// <param name="cancellationToken">Ends the measurements early. The launches so far are kept.</param>
    Task RunAsync(CancellationToken cancellationToken);

    IReadOnlyList<LaunchResult> ResultsOf(SuiteCase suiteCase);

    /// <summary>Returns the case to which the others of a benchmark are compared; null if the cases take no turns.</summary>
    SuiteCase? BaselineOf(IReadOnlyList<SuiteCase> benchmark);

    /// <summary>Returns the aim and the time of a benchmark; null if the cases take no turns.</summary>
    Decision? DecisionOf(IReadOnlyList<SuiteCase> benchmark);
}
