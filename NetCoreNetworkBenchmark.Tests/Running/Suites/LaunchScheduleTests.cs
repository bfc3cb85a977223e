using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Libraries.Memory;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Suites;
using NetCoreNetworkBenchmark.Tests.Libraries;

namespace NetCoreNetworkBenchmark.Tests.Running.Suites;

/// <summary>What becomes of launches whose control cannot be measured; no process is started for them.</summary>
public sealed class LaunchScheduleTests
{
    private static readonly SuiteCase s_case = new("Test", new RunPlan { Library = "Memory" }, new MemoryBenchmark().Info, Launches: 2);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_control_that_fails_is_a_failed_launch_and_the_others_go_on()
    {
        var schedule = new LaunchSchedule([s_case], Token) { Control = _ => throw new BenchmarkException("The control is broken.") };
        await schedule.CompletedAsync().WaitAsync(LibraryUnderTest.Deadline, Token);
        Assert.Equal(
            [new LaunchResult(1, null, "The control is broken."), new LaunchResult(2, null, "The control is broken.")],
            schedule.ResultsOf(s_case));
    }

    [Fact]
    public async Task What_breaks_the_rounds_leaves_nobody_waiting_for_a_launch()
    {
        var schedule = new LaunchSchedule([s_case], Token) { Control = _ => throw new InvalidOperationException("The program is broken.") };
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => schedule.ResultAsync(s_case, 2).WaitAsync(LibraryUnderTest.Deadline, Token));
        var exception = await Assert.ThrowsAsync<InvalidOperationException>(() => schedule.CompletedAsync());
        Assert.Equal("The program is broken.", exception.Message);
    }
}
