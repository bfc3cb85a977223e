using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Running;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>Tells each phase that a run enters on a line of its own, for <c>--verbose</c> where standard error is no terminal.</summary>
/// <param name="say">Takes a line.</param>
/// <param name="what">What runs; every line begins with it.</param>
internal sealed class PhaseLines(Action<string> say, string what)
{
    private RunPhase? _last;

    /// <summary>A phase as a person reads it.</summary>
    public static string NameOf(RunPhase phase) => phase switch
    {
        RunPhase.Connect => "connecting",
        RunPhase.WarmUp => "warming up",
        RunPhase.Measure => "measuring",
        _ => "ending",
    };

    /// <summary>Tells the phase where the run has just entered it. One call at a time.</summary>
    public void Tell(RunProgress progress)
    {
        // The last sign of life of a process may be from the phase before.
        if (_last is null || progress.Phase > _last)
        {
            _last = progress.Phase;
            say($"{what}: {NameOf(progress.Phase)}");
        }
    }
}
