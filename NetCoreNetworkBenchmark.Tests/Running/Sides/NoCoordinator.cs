using NetCoreNetworkBenchmark.Running.Phases;

namespace NetCoreNetworkBenchmark.Tests.Running.Sides;

/// <summary>The coordinator of clients that run by themselves.</summary>
internal class NoCoordinator : ICoordinator
{
    public bool HasOthers => false;

    public void Report(RunProgress progress)
    {
    }

    public virtual Task EnterAsync(RunPhase phase) => Task.CompletedTask;

    public virtual Task StepAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
