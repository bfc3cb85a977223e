using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Tests.Core.Polling;

public sealed class PollLoopTests
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(10);

    [Fact]
    public async Task Post_runs_the_actions_in_their_order_on_one_thread_that_is_not_the_caller()
    {
        using var recorder = new RunRecorder();
        var loop = new PollLoop("test", recorder, servesClients: false);
        var ran = new List<(int Number, int Thread)>();
        var done = new TaskCompletionSource();
        for (int number = 0; number < 100; number++)
        {
            int current = number;
            loop.Post(() => ran.Add((current, Environment.CurrentManagedThreadId)));
        }

        loop.Post(done.SetResult);
        await done.Task.WaitAsync(s_deadline, TestContext.Current.CancellationToken);
        await loop.StopAsync(s_deadline);
        Assert.Equal(Enumerable.Range(0, 100), ran.Select(entry => entry.Number));
        Assert.Single(ran.Select(entry => entry.Thread).Distinct());
        Assert.NotEqual(Environment.CurrentManagedThreadId, ran[0].Thread);
    }

    [Fact]
    public async Task An_exception_becomes_the_fault_of_the_run()
    {
        using var recorder = new RunRecorder();
        var loop = new PollLoop("test", recorder, servesClients: false);
        loop.Post(() => throw new InvalidOperationException("broken"));
        Exception fault = await recorder.Fault.WaitAsync(s_deadline, TestContext.Current.CancellationToken);
        Assert.Equal("broken", fault.Message);
        await loop.StopAsync(s_deadline);
    }

    [Fact]
    public async Task StopAsync_may_be_called_again_and_Post_after_it_does_no_harm()
    {
        using var recorder = new RunRecorder();
        var loop = new PollLoop("test", recorder, servesClients: false);
        await loop.StopAsync(s_deadline);
        await loop.StopAsync(s_deadline);
        loop.Post(() => throw new InvalidOperationException("must not run"));
        Assert.False(recorder.Fault.IsCompleted);
    }
}
