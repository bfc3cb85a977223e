using System.Runtime.InteropServices;

using NetCoreNetworkBenchmark.Histograms;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// What belongs to one thread of a run: its counters and latencies by phase, and its reading of the clock. Only that thread
/// writes; the runner moves all threads to the next phase by one reference each, so the path of a message has no lock, no
/// interlocked instruction and no allocation.
/// </summary>
public sealed class WorkerStatistics
{
    private readonly PhaseStatistics[] _phases;
    private readonly TimeProvider _time;
    private PhaseStatistics _current;
    private OwnCacheLine _clock;

    internal WorkerStatistics(bool recordsLatency, bool openLoop, RunPhase phase, TimeProvider time)
    {
        _time = time;
        _phases = [.. Enum.GetValues<RunPhase>().Select(value =>
        {
            bool records = recordsLatency && value is RunPhase.WarmUp or RunPhase.Measure or RunPhase.Drain;
            return new PhaseStatistics(value, records ? new LatencyHistogram() : null, records && openLoop ? new LatencyHistogram() : null);
        })];
        _current = _phases[(int)phase];
    }

    /// <summary>The statistics of the phase that the run is in now.</summary>
    public PhaseStatistics Current => Volatile.Read(ref _current);

    /// <summary>Where the workload keeps what it has for this thread alone, such as the buffer in which it makes its messages.</summary>
    public object? WorkloadState { get; set; }

    /// <summary>
    /// The last reading of the run's clock (<see cref="RunRecorder.Clock"/>) on this thread, in ticks of <see cref="System.Diagnostics.Stopwatch"/>.
    /// When a client's message is handed over, the reading was made after the receive call that brought the message.
    /// </summary>
    public long Now => _clock.Timestamp;

    /// <summary>
    /// Reads the clock. A client's adapter does this after each receive call that brought something, before it hands over what was received: a
    /// reading from before the call would make the round trip shorter than it was. A server's adapter need not, because a round trip is not timed there.
    /// </summary>
    public void ReadClock() => _clock.Timestamp = _time.GetTimestamp();

    /// <summary>The statistics of one phase; the runner reads them when the thread has moved on.</summary>
    /// <param name="phase">The phase.</param>
    /// <returns>What this thread counted in it.</returns>
    public PhaseStatistics Of(RunPhase phase) => _phases[(int)phase];

    internal void Enter(RunPhase phase) => Volatile.Write(ref _current, _phases[(int)phase]);

    // Written for every receive call: no other thread's data may lie on the same cache line.
    [StructLayout(LayoutKind.Explicit, Size = 192)]
    private struct OwnCacheLine
    {
        [FieldOffset(64)]
        public long Timestamp;
    }
}
