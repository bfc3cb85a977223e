namespace NetCoreNetworkBenchmark.Tests.AdapterKit;

/// <summary>Compares the declarations for time.h with the values that the C compiler reports for the installed header.</summary>
public sealed class SysTimeTests
{
    [Fact]
    public void The_declarations_have_the_values_of_the_header() => Assert.Equal(
        [
            SysTime.CLOCK_THREAD_CPUTIME_ID,
            SysTime.CLOCK_BOOTTIME,
            Marshal.SizeOf<SysTime.TimeSpec>(),
            Marshal.OffsetOf<SysTime.TimeSpec>(nameof(SysTime.TimeSpec.tv_sec)).ToInt64(),
            Marshal.OffsetOf<SysTime.TimeSpec>(nameof(SysTime.TimeSpec.tv_nsec)).ToInt64(),
        ],
        CCompiler.Evaluate(
            ["time.h"],
            [
                "CLOCK_THREAD_CPUTIME_ID", "CLOCK_BOOTTIME", "sizeof(struct timespec)", "offsetof(struct timespec, tv_sec)",
                "offsetof(struct timespec, tv_nsec)",
            ]));

    [Fact]
    public void SinceBoot_runs_as_fast_as_the_clock_of_NET()
    {
        long start = Stopwatch.GetTimestamp();
        TimeSpan before = SysTime.SinceBoot();
        Assert.True(SpinWait.SpinUntil(() => SysTime.SinceBoot() - before > TimeSpan.FromMilliseconds(5), TimeSpan.FromSeconds(10)));
        TimeSpan passed = SysTime.SinceBoot() - before;
        Assert.InRange(passed, TimeSpan.FromMilliseconds(5), Stopwatch.GetElapsedTime(start) + TimeSpan.FromMilliseconds(1));
    }
}
