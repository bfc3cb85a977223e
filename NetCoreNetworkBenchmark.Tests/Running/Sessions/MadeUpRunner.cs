namespace NetCoreNetworkBenchmark.Tests.Running.Sessions;

/// <summary>A runner whose launches a test makes up. No process is started for them.</summary>
/// <param name="duration">The time of a step; null if it takes none.</param>
internal sealed class MadeUpRunner(Func<Step, IReadOnlyList<CaseLaunch>> launchesOf, TimeSpan? duration = null) : IStepRunner
{
    public Task<Measurement> MeasureAsync(Step step, CancellationToken cancellationToken) =>
        Task.FromResult(new Measurement(launchesOf(step)) { Duration = duration ?? TimeSpan.Zero });

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
