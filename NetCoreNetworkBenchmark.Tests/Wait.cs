namespace NetCoreNetworkBenchmark.Tests;

/// <summary>Waits for what other threads or processes do, with a deadline.</summary>
internal static class Wait
{
    public static readonly TimeSpan Deadline = TimeSpan.FromSeconds(60);

    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(5);

    public static Task UntilAsync(Func<bool> condition, string what) => UntilAsync(condition, () => what);

    public static Task UntilAsync(Func<bool> condition, Func<string> what) => UntilAsync(() => Task.FromResult(condition()), what);

    public static Task UntilAsync(Func<Task<bool>> condition, string what) => UntilAsync(condition, () => what);

    private static async Task UntilAsync(Func<Task<bool>> condition, Func<string> what)
    {
        long start = Stopwatch.GetTimestamp();
        while (!await condition())
        {
            Assert.True(Stopwatch.GetElapsedTime(start) < Deadline, $"Not within {Deadline.TotalSeconds} s: {what()}");
            await Task.Delay(s_pause, TestContext.Current.CancellationToken);
        }
    }
}
