namespace NetCoreNetworkBenchmark.Running.Machine.Meters;

/// <summary>Adjustments in small steps, as by NTP, are at most 0.05 % of the time.</summary>
internal sealed class ClockWatch(TimeProvider time)
{
    public static readonly TimeSpan MaxDrift = TimeSpan.FromMilliseconds(100);

    private readonly DateTimeOffset _start = time.GetUtcNow();
    private readonly long _timestamp = time.GetTimestamp();

    /// <summary>The time by which the clock was set since the start of the watch: forwards if positive.</summary>
    public TimeSpan Step => time.GetUtcNow() - _start - time.GetElapsedTime(_timestamp);
}
