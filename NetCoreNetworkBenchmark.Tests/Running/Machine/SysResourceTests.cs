using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Tests.Running.Machine;

/// <summary>Compares the declarations for sys/resource.h with the values that the C compiler reports for the installed header.</summary>
public sealed class SysResourceTests
{
    [Fact]
    public void RUsage_lies_in_memory_as_the_header_has_it()
    {
        string[] fields = [.. typeof(SysResource.RUsage).GetFields().Select(field => field.Name)];
        Assert.Equal(
            [
                Marshal.SizeOf<SysResource.RUsage>(),
                Marshal.SizeOf<SysResource.TimeVal>(),
                .. fields.Select(field => Marshal.OffsetOf<SysResource.RUsage>(field).ToInt64()),
            ],
            CCompiler.Evaluate(
                ["sys/resource.h"],
                ["sizeof(struct rusage)", "sizeof(struct timeval)", .. fields.Select(field => $"offsetof(struct rusage, {field})")]));
    }

    [Fact]
    public void RUSAGE_SELF_has_the_value_of_the_header() => Assert.Equal([SysResource.RUSAGE_SELF], CCompiler.Evaluate(["sys/resource.h"], ["RUSAGE_SELF"]));
}
