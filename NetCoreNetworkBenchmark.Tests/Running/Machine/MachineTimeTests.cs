namespace NetCoreNetworkBenchmark.Tests.Running.Machine;

public sealed class MachineTimeTests
{
    [Fact]
    public void Between_gives_the_shares_of_the_time_that_passed()
    {
        MachineUse use = MachineTime.Between(new MachineTime(1000, 400, 10, 4), new MachineTime(2000, 600, 60, 4))!;
        Assert.Equal(0.05, use.StealShare, tolerance: 1e-9);
        Assert.Equal(0.75, use.BusyShare, tolerance: 1e-9);
        Assert.Equal(4, use.Cores);
    }

    [Fact]
    public void Between_is_null_when_the_system_has_no_counters_or_no_time_has_passed()
    {
        var time = new MachineTime(1000, 400, 10, 4);
        Assert.Null(MachineTime.Between(null, time));
        Assert.Null(MachineTime.Between(time, null));
        Assert.Null(MachineTime.Between(time, time));
    }

    [Fact]
    public void Read_returns_the_counters_of_Linux()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has /proc/stat.");
        MachineTime time = MachineTime.Read()!;
        Assert.InRange(time.Idle + time.Steal, 0, time.Total);
        Assert.InRange(time.Total, 1, long.MaxValue);
        Assert.InRange(time.Cores, Environment.ProcessorCount, int.MaxValue);
    }
}
