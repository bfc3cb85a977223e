namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>One launch of a case, or one set of several interleaved cases, for display.</summary>
internal sealed record SuiteStep(string Name, int Number, int Count, TimeSpan Expected, TimeSpan ExpectedAfter)
{
    public Decision? Decision { get; init; }

    /// <summary>Whether <see cref="ExpectedAfter"/> is the longest time, because there are further sets until the benchmarks are decided.</summary>
    public bool MayEndBefore { get; init; }
}

internal sealed record CaseLaunch(SuiteCase Case, LaunchResult Launch);

internal interface ISuiteSchedule
{
    InterleavingMethod? Interleaving { get; }

    /// <param name="cancellationToken">Ends the measurements early. The launches so far are kept.</param>
    Task RunAsync(CancellationToken cancellationToken);

    IReadOnlyList<LaunchResult> ResultsOf(SuiteCase suiteCase);

    /// <returns>Null if the cases are measured one after the other.</returns>
    SuiteCase? BaselineOf(IReadOnlyList<SuiteCase> benchmark);

    /// <returns>Null if the cases are measured one after the other.</returns>
    Decision? DecisionOf(IReadOnlyList<SuiteCase> benchmark);
}
