namespace NetCoreNetworkBenchmark.Running.Sessions;

/// <summary>
/// Runs an experiment: the strategy chooses a step, the runner measures it, and its launches are appended to the log. A result is computed from the launches,
/// so a session that continues the log of another one has the same result as one that was not interrupted.
/// </summary>
/// <param name="runner">The session ends it.</param>
/// <param name="log">Null if nothing is written.</param>
internal sealed class Session(IStrategy strategy, IStepRunner runner, SessionLog? log = null)
{
    public Action<Step>? Starting { get; init; }
    public Action<Step>? Finished { get; init; }

    /// <param name="cancellationToken">Ends the session with the current step, which a continuation repeats.</param>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        await using IStepRunner used = runner;
        while (!cancellationToken.IsCancellationRequested && strategy.Next() is { } step)
        {
            if (log?.Find(step) is { } earlier)
            {
                strategy.Add(step, new Measurement(earlier));
                continue;
            }

            Starting?.Invoke(step);
            Measurement measurement = await runner.MeasureAsync(step, cancellationToken);
            Step measured = strategy.Add(step, measurement with { IsAborted = cancellationToken.IsCancellationRequested });
            if (!cancellationToken.IsCancellationRequested)
            {
                log?.Append(measured.Launches);
            }

            Finished?.Invoke(measured);
        }
    }
}
