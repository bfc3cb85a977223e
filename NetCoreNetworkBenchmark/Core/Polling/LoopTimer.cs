namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>A time at which a <see cref="PollLoop"/> calls back once, on its thread. It can be set again, also from its own call.</summary>
/// <param name="onDue">What is called.</param>
public sealed class LoopTimer(Action onDue)
{
    /// <summary>Whether the call is still to come.</summary>
    public bool IsSet => Place >= 0;

    /// <summary>When it is due (<see cref="RunRecorder.Clock"/>), while it is set.</summary>
    public long Due { get; internal set; }

    /// <summary>Where it is in the heap; -1 where it is in none.</summary>
    internal int Place { get; set; } = -1;

    internal void Call() => onDue();
}
