using System.Runtime.InteropServices;
using NetCoreNetworkBenchmark.Histograms;

namespace NetCoreNetworkBenchmark.Recording;

/// <summary>
/// The data of one thread of a run: its counters and latencies by phase, and its reading of the clock. Only that thread writes. The runner moves each
/// thread to the next phase by the write of one reference, so the path of a message has no lock, no interlocked instruction and no allocation.
/// </summary>
public sealed class WorkerStatistics
{
    private readonly PhaseStatistics[] _phases;
    private readonly TimeProvider _time;
    private readonly bool _recordsLatency;
    private readonly bool _openLoop;
    private PhaseStatistics _current;
    private long _resumedAt;
    private OwnCacheLine _clock;

    internal WorkerStatistics(bool recordsLatency, bool openLoop, RunPhase phase, TimeProvider time)
    {
        _time = time;
        _recordsLatency = recordsLatency;
        _openLoop = openLoop;
        _phases = [.. Enum.GetValues<RunPhase>().Select(Create)];
        _current = _phases[(int)phase];
    }

    /// <summary>The statistics of the current phase of the run.</summary>
    public PhaseStatistics Current => Volatile.Read(ref _current);

    /// <summary>The state that the workload keeps for this thread alone, such as the buffer in which it creates its messages.</summary>
    public object? WorkloadState { get; set; }

    /// <summary>
    /// The last reading of the run's clock (<see cref="RunRecorder.Clock"/>) on this thread, in ticks of <see cref="System.Diagnostics.Stopwatch"/>.
    /// When a client's message is handed over, the reading was made after the receive call that brought the message.
    /// </summary>
    public long Now => _clock.Timestamp;

    /// <summary>
    /// Reads the clock. A client's adapter calls this method after each receive call that returned data, before it hands over the data: a reading
    /// from before the call would make the round trip shorter than it was. A server's adapter does not need it, because round trips are not timed
    /// there.
    /// </summary>
    public void ReadClock() => _clock.Timestamp = _time.GetTimestamp();

    /// <summary>Determines whether the processes ran without a pause since a message was sent, so that its round trip can be timed.</summary>
    /// <param name="sentAt">The time at which the message was sent, as read from <see cref="Now"/>.</param>
    /// <returns>False if the message was in flight while the processes were suspended; otherwise, true.</returns>
    public bool RanSince(long sentAt) => sentAt >= Volatile.Read(ref _resumedAt);

    /// <summary>
    /// Determines whether an answer has been awaited for longer than a deadline. The deadline of a message that was in flight while the processes were
    /// suspended begins anew when they go on: neither side could answer meanwhile.
    /// </summary>
    /// <param name="sentAt">The time at which the message was sent, as read from <see cref="Now"/>.</param>
    /// <param name="deadline">The deadline, in ticks of <see cref="System.Diagnostics.Stopwatch"/>.</param>
    /// <returns>True if the message counts as lost; otherwise, false. No message does from the end of a slice until the processes go on.</returns>
    public bool IsOverdue(long sentAt, long deadline) => Now - Math.Max(sentAt, Volatile.Read(ref _resumedAt)) > deadline;

    /// <summary>Gets the statistics of one phase; the runner reads them after the thread has left the phase.</summary>
    /// <param name="phase">The phase.</param>
    /// <returns>The counts of this thread in that phase.</returns>
    public PhaseStatistics Of(RunPhase phase) => _phases[(int)phase];

    internal void Restart()
    {
        Of(RunPhase.WarmUp).Counters.Add(in Of(RunPhase.Measure).Counters);
        _phases[(int)RunPhase.Measure] = Create(RunPhase.Measure);
    }

    internal void Suspend() => Volatile.Write(ref _resumedAt, long.MaxValue);

    internal void Resume(long timestamp) => Volatile.Write(ref _resumedAt, timestamp);

    internal void Enter(RunPhase phase) => Volatile.Write(ref _current, _phases[(int)phase]);

    private PhaseStatistics Create(RunPhase phase)
    {
        bool records = _recordsLatency && phase is RunPhase.WarmUp or RunPhase.Measure or RunPhase.Hold or RunPhase.Drain;
        return new PhaseStatistics(phase, records ? new LatencyHistogram() : null, records && _openLoop ? new LatencyHistogram() : null);
    }

    // Written for every receive call: no other thread's data may lie on the same cache line.
    [StructLayout(LayoutKind.Explicit, Size = 192)]
    private struct OwnCacheLine
    {
        [FieldOffset(64)]
        public long Timestamp;
    }
}
