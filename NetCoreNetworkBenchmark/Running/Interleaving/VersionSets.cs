using NetCoreNetworkBenchmark.Running.Sessions;

namespace NetCoreNetworkBenchmark.Running.Interleaving;

/// <summary>
/// Sets of two versions of a case, for each case by itself. The outcome never ends a comparison: one that stops as soon as a difference shows finds differences
/// that are none.
/// </summary>
internal sealed class VersionSets(IReadOnlyList<SuiteCase> cases, ComparedVersion old, ComparedVersion now, InterleavingMethod method)
    : PreciseSets([.. cases.SelectMany(suiteCase => VersionsOf(suiteCase, old, now, method))], method, baseline: string.Empty)
{
    public IReadOnlyList<(SuiteCase Case, SuiteCase Old, SuiteCase New)> Pairs =>
        [.. cases.Zip(Cases.Chunk(2), (suiteCase, versions) => (suiteCase, versions[0], versions[1]))];

    /// <summary>Of the cases of which a set is valid.</summary>
    public IReadOnlyList<BuildContrast> Contrasts => [.. Pairs.Select(ContrastOf).OfType<BuildContrast>()];

    /// <summary>A sentence for each set that is not used.</summary>
    public IReadOnlyList<string> Faults =>
        [.. Pairs.SelectMany(pair => BuildContrast.FindFaults(pair.Case, LaunchesOf(pair.Old), LaunchesOf(pair.New)))];

    // What failed in a set may have been chance, and each set counts.
    protected override bool CanBeMeasured(IReadOnlyList<SuiteCase> group) => true;

    // A case of which no set is valid is not measured again and again.
    protected override Decision Decide(IReadOnlyList<SuiteCase> benchmark)
    {
        BuildContrast? contrast = ContrastOf(Pairs.First(pair => pair.Old == benchmark[0]));
        return new Decision(contrast is null ? 0 : contrast.WidestHalfWidth, Interleaving.TargetHalfWidth ?? 0, Seconds: 0, []);
    }

    private BuildContrast? ContrastOf((SuiteCase Case, SuiteCase Old, SuiteCase New) pair) =>
        BuildContrast.From(pair.Case, LaunchesOf(pair.Old), LaunchesOf(pair.New));

    private static SuiteCase[] VersionsOf(SuiteCase suiteCase, ComparedVersion old, ComparedVersion now, InterleavingMethod method)
    {
        return [VersionOf("old", old), VersionOf("new", now)];

        SuiteCase VersionOf(string mark, ComparedVersion version) => suiteCase.With(mark, version.Adapter) with
        {
            Build = version.Build,
            Title = $"{suiteCase}",
            Part = null,
            Launches = method.Sets,
            TargetHalfWidth = method.TargetHalfWidth,
        };
    }
}

/// <param name="Build">A build of this program, as the path of its assembly; null for this build.</param>
/// <param name="Adapter">The adapter with a version of its library; null for the one of the build.</param>
internal sealed record ComparedVersion(string Name, string? Build = null, AdapterAssembly? Adapter = null);
