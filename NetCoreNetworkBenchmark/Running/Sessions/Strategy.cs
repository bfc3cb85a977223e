namespace NetCoreNetworkBenchmark.Running.Sessions;

/// <summary>Chooses what is measured next. It never ends an experiment because of who is ahead.</summary>
internal interface IStrategy
{
    /// <returns>Null if the experiment has ended.</returns>
    Step? Next();

    /// <summary>Called once for each step of <see cref="Next"/>, before the next one is requested.</summary>
    /// <returns>The step with what is known after it.</returns>
    Step Add(Step step, Measurement measurement);
}

/// <summary>Measures the cases of a step.</summary>
internal interface IStepRunner : IAsyncDisposable
{
    /// <param name="cancellationToken">Ends the step early. Its figures so far are kept.</param>
    Task<Measurement> MeasureAsync(Step step, CancellationToken cancellationToken);
}

/// <summary>One launch of a case, or one set of several interleaved cases.</summary>
/// <param name="Number">The number of the launch or of the set, from 1.</param>
internal sealed record Step(string Name, IReadOnlyList<SuiteCase> Cases, int Number)
{
    /// <summary>The case that the others of a set are compared to; null if they are not compared.</summary>
    public SuiteCase? Baseline { get; init; }

    /// <summary>The place of the step among the <see cref="Count"/> expected ones, from 1.</summary>
    public int Place { get; init; }
    public int Count { get; init; }
    public TimeSpan Expected { get; init; }
    public TimeSpan ExpectedAfter { get; init; }

    /// <summary>Whether <see cref="ExpectedAfter"/> is the longest time, because there are further sets until the benchmarks are decided.</summary>
    public bool MayEndBefore { get; init; }

    /// <summary>Null until the step was measured, and for a fixed number of launches or sets.</summary>
    public Decision? Decision { get; init; }

    /// <summary>What the result and the log keep of the step. None until it was measured.</summary>
    public IReadOnlyList<CaseLaunch> Launches { get; init; } = [];
}

internal sealed record CaseLaunch(SuiteCase Case, LaunchResult Launch);

internal sealed record Measurement(IReadOnlyList<CaseLaunch> Launches)
{
    /// <summary>Null if the launches are those of an earlier session.</summary>
    public TimeSpan? Duration { get; init; }
    public SetParts Parts { get; init; } = SetParts.None;

    /// <summary>Whether the user ended the session meanwhile.</summary>
    public bool IsAborted { get; init; }
}
