using System.Runtime.CompilerServices;

namespace NetCoreNetworkBenchmark.Tests.Running.Machine;

/// <summary>Compares the declarations for sched.h with the values that the C compiler reports for the installed header.</summary>
public sealed class SysSchedTests
{
    [Fact]
    public void CpuSet_is_as_large_as_the_header_has_it() => Assert.Equal(
        [Unsafe.SizeOf<SysSched.CpuSet>(), SysSched.CPU_SETSIZE, SysSched.ESRCH],
        CCompiler.Evaluate(["sched.h", "errno.h"], ["sizeof(cpu_set_t)", "CPU_SETSIZE", "ESRCH"]));

    [Theory, InlineData(0), InlineData(7), InlineData(63), InlineData(64), InlineData(1023)]
    public void A_core_is_the_bit_that_the_header_sets(int core)
    {
        var set = default(SysSched.CpuSet);
        set.Add(core);
        string[] bytes = [.. Enumerable.Range(0, Unsafe.SizeOf<SysSched.CpuSet>())
            .Select(index => $"({{ cpu_set_t set; CPU_ZERO(&set); CPU_SET({core}, &set); ((unsigned char *)&set)[{index}]; }})")];
        Assert.Equal(CCompiler.Evaluate(["sched.h"], bytes), BytesOf(ref set).Select(value => (long)value));
        Assert.True(set.Contains(core));
        Assert.False(set.Contains(core ^ 1));
    }

    private static byte[] BytesOf(ref SysSched.CpuSet set)
    {
        byte[] bytes = new byte[Unsafe.SizeOf<SysSched.CpuSet>()];
        Unsafe.As<byte, SysSched.CpuSet>(ref bytes[0]) = set;
        return bytes;
    }
}
