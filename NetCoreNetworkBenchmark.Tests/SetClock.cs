namespace NetCoreNetworkBenchmark.Tests;

/// <summary>A clock that the test sets.</summary>
internal sealed class SetClock(long? frequency = null) : TimeProvider
{
    public long Time { get; set; }
    public override long TimestampFrequency => frequency ?? Stopwatch.Frequency;

    public override long GetTimestamp() => Time;
}
