using NetCoreNetworkBenchmark.Libraries.Epoll;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Epoll;

public sealed class EpollBenchmarkTests
{
    [Theory]
    [InlineData("call")]
    [InlineData("mmsg")]
    [InlineData("gso")]
    public void A_mode_is_the_one_that_was_asked_for(string batch)
    {
        using var recorder = new RunRecorder();
        Assert.Equal(batch, EpollBenchmark.ModeOf(Plan(batch), recorder, kernelHasSegmentation: true).ToString(), ignoreCase: true);
        Assert.Empty(recorder.Remarks());
    }

    [Fact]
    public void Without_a_choice_messages_go_by_vectors()
    {
        using var recorder = new RunRecorder();
        Assert.Equal(BatchMode.Mmsg, EpollBenchmark.ModeOf(new RunPlan { Library = "Epoll" }, recorder, kernelHasSegmentation: true));
    }

    [Fact]
    public void A_kernel_without_segmentation_is_used_by_vectors_and_the_result_says_so()
    {
        using var recorder = new RunRecorder();
        Assert.Equal(BatchMode.Mmsg, EpollBenchmark.ModeOf(Plan("gso"), recorder, kernelHasSegmentation: false));
        Assert.Equal("This kernel has no UDP GSO and GRO (Linux 5.0), so Epoll's batch=gso fell back to mmsg.", Assert.Single(recorder.Remarks()));
        Assert.Equal(BatchMode.Call, EpollBenchmark.ModeOf(Plan("call"), recorder, kernelHasSegmentation: false));
    }

    private static RunPlan Plan(string batch) => new() { Library = "Epoll", Settings = new Dictionary<string, string> { ["batch"] = batch } };
}
