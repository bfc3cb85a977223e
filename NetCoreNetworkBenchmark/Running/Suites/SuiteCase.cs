using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Builds;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>One library under one load.</summary>
/// <param name="Title">The heading of the benchmark.</param>
/// <param name="Plan">The load, with the library's name in it.</param>
/// <param name="Library">The description of the library and its capabilities.</param>
/// <param name="Workload">The test of the plan.</param>
/// <param name="Launches">The number of launches.</param>
internal sealed record SuiteCase(string Title, RunPlan Plan, LibraryInfo Library, IWorkload Workload, int Launches)
{
    /// <summary>The part of the page that contains the benchmark.</summary>
    public string? Part { get; init; }

    /// <summary>The row that the benchmark is in the table of its part; null if it has a table of its own.</summary>
    public BenchmarkRow? Row { get; init; }

    /// <summary>The figure by which the cases of the benchmark are ranked.</summary>
    public RankedFigure RankedBy { get; init; }

    /// <summary>The half width of a ratio's interval at which the benchmark ends; null if it has the requested number of sets.</summary>
    public double? Aim { get; init; }

    /// <summary>Whether the case is a line to compare with, and is not ranked.</summary>
    public bool IsBaseline { get; init; }

    /// <summary>Another build of this program that is measured, as the path of its assembly; null for this build.</summary>
    public string? Build { get; init; }

    /// <summary>The library and profile as named in a report.</summary>
    public string Name => LibraryResult.NameOf(Plan);

    /// <summary>Returns the same case with a build that has one version of the library.</summary>
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

/// <summary>One launch of a case, or one set of several cases that take turns, for display.</summary>
/// <param name="Name">The name of the step.</param>
/// <param name="Number">The number of the step among all, from 1.</param>
/// <param name="Count">The number of all steps.</param>
/// <param name="Expected">The expected length of this step.</param>
/// <param name="ExpectedAfter">The expected length of the steps after it.</param>
internal sealed record SuiteStep(string Name, int Number, int Count, TimeSpan Expected, TimeSpan ExpectedAfter)
{
    /// <summary>How far the comparison is decided after the step; null if it is not known.</summary>
    public Decision? Decision { get; init; }
}

/// <summary>A completed launch.</summary>
/// <param name="Case">The case.</param>
/// <param name="Launch">The launch.</param>
internal sealed record CaseLaunch(SuiteCase Case, LaunchResult Launch);

/// <summary>The order in which several cases are measured several times.</summary>
internal interface ISuiteSchedule
{
    /// <summary>The turns of the cases; null if each is measured by itself.</summary>
    InterleavingMethod? Interleaving { get; }

    /// <summary>Measures all cases.</summary>
    /// <param name="cancellationToken">Ends the measurements early. The launches so far are kept.</param>
    Task RunAsync(CancellationToken cancellationToken);

    /// <summary>Returns the launches of a case that were run so far.</summary>
    IReadOnlyList<LaunchResult> ResultsOf(SuiteCase found);

    /// <summary>Returns the case to which the others of a benchmark are compared; null if the cases take no turns.</summary>
    /// <param name="benchmark">The cases of the benchmark.</param>
    SuiteCase? BaselineOf(IReadOnlyList<SuiteCase> benchmark);

    /// <summary>Returns the aim and the time of a benchmark; null if the cases take no turns.</summary>
    /// <param name="benchmark">The cases of the benchmark.</param>
    Decision? DecisionOf(IReadOnlyList<SuiteCase> benchmark);
}
