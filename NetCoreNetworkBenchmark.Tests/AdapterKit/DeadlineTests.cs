namespace NetCoreNetworkBenchmark.Tests.AdapterKit;

public sealed class DeadlineTests
{
    // The culture is that of this asynchronous method alone.
    [Fact]
    public async Task The_sentence_of_a_missed_deadline_is_the_same_under_every_culture()
    {
        CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo("de-DE");
        var late = await Assert.ThrowsAsync<BenchmarkException>(
            () => new TaskCompletionSource().Task.WithinAsync(TimeSpan.FromSeconds(0.1), "The thread did not end"));
        Assert.Equal("The thread did not end within 0.1 s.", late.Message);
        Assert.IsType<TimeoutException>(late.InnerException);
    }
}
