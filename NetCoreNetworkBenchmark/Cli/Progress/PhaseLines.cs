namespace NetCoreNetworkBenchmark.Cli.Progress;

/// <summary>Reports each phase that a run enters on a separate line, for <c>--verbose</c> if standard error is not a terminal.</summary>
internal sealed class PhaseLines(Action<string> write, string what)
{
    private RunPhase? _last;

    public static string NameOf(RunPhase phase) => phase switch
    {
        RunPhase.Connect => "connecting",
        RunPhase.WarmUp => "warming up",
        RunPhase.Measure => "measuring",
        _ => "ending",
    };

    /// <summary>Reports the phase if the run has just entered it. Calls must not overlap.</summary>
    public void Report(RunProgress progress)
    {
        // The last progress report of a process may be from the previous phase.
        if (_last is null || progress.Phase > _last)
        {
            _last = progress.Phase;
            write($"{what}: {NameOf(progress.Phase)}");
        }
    }
}
