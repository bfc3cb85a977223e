using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>A time at which a <see cref="PollLoop"/> calls back once, on its thread. It can be set again, also from within the callback.</summary>
internal sealed class LoopTimer(Action onDue)
{
    /// <summary>Whether the timer is set and the call is pending.</summary>
    public bool IsSet { get; set; }

    /// <summary>The time at which the timer is due (<see cref="RunRecorder.Clock"/>), while it is set.</summary>
    public long Due { get; set; }

    public void Call() => onDue();
}
