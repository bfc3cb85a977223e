using NetCoreNetworkBenchmark.Running.Phases;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>The coordinator of a run, as the clients see it: in their process, or at the other end of a channel.</summary>
internal interface ICoordinator
{
    /// <summary>Whether other load generators run at the same time, so that each measurement begins when all loads are warm.</summary>
    bool HasOthers { get; }

    void Report(RunProgress progress);

    /// <summary>
    /// Notifies that these clients have entered a phase: a measurement begins or has ended, or the load is paused or resumed. The clients go on when the task
    /// ends.
    /// </summary>
    Task EnterAsync(RunPhase phase);

    /// <summary>Waits until all load generators have done the same step and the server has been notified of it. The load goes on meanwhile.</summary>
    Task StepAsync(CancellationToken cancellationToken);
}
