namespace NetCoreNetworkBenchmark.Tests.Libraries.Epoll;

public sealed class EpollBenchmarkTests
{
    // signal(7): without this, a write to a connection that the peer has closed would end the process.
    [Fact]
    public void The_runtime_ignores_SIGPIPE()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Signals are read in Linux's /proc.");
        const int SIGPIPE = 13;
        string ignored = SystemFiles.StatusOf("self", "SigIgn")!;
        Assert.NotEqual(0UL, Convert.ToUInt64(ignored, 16) & (1UL << (SIGPIPE - 1)));
    }

    [Theory, InlineData("call", "Call"), InlineData("mmsg", "Mmsg"), InlineData("gso", "Gso"), InlineData(null, "Mmsg")]
    public void ModeOf_is_the_requested_one_or_vectors(string? batch, string mode)
    {
        using var recorder = new RunRecorder();
        RunPlan plan = batch is null ? new RunPlan { Library = "Epoll" } : Plan(batch);
        Assert.Equal(mode, $"{EpollBenchmark.ModeOf(plan, recorder, kernelHasSegmentation: true)}");
        Assert.Empty(recorder.Remarks());
    }

    [Fact]
    public void ModeOf_falls_back_to_vectors_with_a_remark_when_the_kernel_has_no_segmentation()
    {
        using var recorder = new RunRecorder();
        Assert.Equal(BatchMode.Mmsg, EpollBenchmark.ModeOf(Plan("gso"), recorder, kernelHasSegmentation: false));
        Assert.Equal("This kernel has no UDP GSO and GRO (Linux 5.0), so Epoll's batch=gso fell back to mmsg.", Assert.Single(recorder.Remarks()));
        Assert.Equal(BatchMode.Call, EpollBenchmark.ModeOf(Plan("call"), recorder, kernelHasSegmentation: false));
    }

    private static RunPlan Plan(string batch) => new() { Library = "Epoll", Settings = new Dictionary<string, string> { ["batch"] = batch } };
}
