namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>One launch of a case, or one set of several interleaved cases, for display.</summary>
internal sealed record SuiteStep(string Name, int Number, int Count, TimeSpan Expected, TimeSpan ExpectedAfter)
{
    public Decision? Decision { get; init; }

    /// <summary>Whether <see cref="ExpectedAfter"/> is the longest time, because there are further sets until the benchmarks are decided.</summary>
    public bool MayEndBefore { get; init; }
}

internal sealed record CaseLaunch(SuiteCase Case, LaunchResult Launch);

/// <summary>The order in which several cases are measured several times.</summary>
internal interface ISuiteSchedule
{
    InterleavingMethod? Interleaving { get; }

    /// <param name="cancellationToken">Ends the measurements early. The launches so far are kept.</param>
    Task RunAsync(CancellationToken cancellationToken);

    IReadOnlyList<LaunchResult> ResultsOf(SuiteCase suiteCase);

    /// <summary>Returns the case to which the others of a benchmark are compared; null if they are measured one after the other.</summary>
    SuiteCase? BaselineOf(IReadOnlyList<SuiteCase> benchmark);

    /// <summary>Returns the target half width and the time of a benchmark; null if they are measured one after the other.</summary>
    Decision? DecisionOf(IReadOnlyList<SuiteCase> benchmark);
}
