using NetCoreNetworkBenchmark.Running.Agents;

namespace NetCoreNetworkBenchmark.Tests.Running.Agents;

/// <summary>Every library over datagrams, whose processes are suspended with a load in flight while other cases have their turns.</summary>
[Trait("Category", "Long")]
public sealed class SuspensionTests
{
    // Longer than the libraries' own time-outs for a silent peer, and than the loss deadline.
    private static readonly TimeSpan s_suspension = TimeSpan.FromSeconds(11);
    private static readonly TimeSpan s_slice = TimeSpan.FromMilliseconds(50);

    public static IEnumerable<TheoryDataRow<string, Protocol>> OverDatagrams() =>
        LibraryUnderTest.TransportsWithNetwork().Where(row => row.Data.Item2 == Protocol.Udp);

    [Theory, MemberData(nameof(OverDatagrams))]
    public async Task Connections_and_messages_outlive_a_long_suspension(string name, Protocol protocol)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Processes are suspended on Linux only.");
        CancellationToken cancellationToken = TestContext.Current.CancellationToken;
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        var plan = new RunPlan
        {
            Library = name,
            Protocol = protocol,
            Clients = 20,
            ParallelMessages = 100,
            LossDeadline = TimeSpan.FromSeconds(1),
            Duration = 2 * s_slice,
            Port = 0,
            AnyMachine = true,
        };
        await using var pool = new AgentPool();
        Run run = await new Run(plan, library.Info, new PingPong(), AgentsUnderTest.In(pool, plan)).OpenAsync(cancellationToken);
        await using (run)
        {
            await run.WarmUpAsync(cancellationToken);
            await run.SliceAsync(s_slice, s_slice, cancellationToken);
            await Task.Delay(s_suspension, cancellationToken);
            await run.SliceAsync(s_slice, s_slice, cancellationToken);
            await run.CollectAsync();
            RunResult result = await run.FinishAsync();
            Assert.True(run.StaysInFlight);
            Assert.Equal((0, 0, 0), (result.Errors, result.Lost, result.Duplicated));
            Assert.Equal(result.Totals.Sent, result.Totals.Received);
        }
    }
}
