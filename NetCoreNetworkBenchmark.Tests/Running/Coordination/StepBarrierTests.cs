namespace NetCoreNetworkBenchmark.Tests.Running.Coordination;

public sealed class StepBarrierTests
{
    [Fact]
    public async Task ArriveAsync_ends_for_all_when_the_last_load_generator_arrives()
    {
        var barrier = new StepBarrier(3);
        for (int step = 0; step < 3; step++)
        {
            Task first = barrier.ArriveAsync();
            Task second = barrier.ArriveAsync();
            Assert.False(first.IsCompleted);
            Assert.False(second.IsCompleted);
            Task third = barrier.ArriveAsync();
            await Task.WhenAll(first, second, third).WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
        }
    }
}
