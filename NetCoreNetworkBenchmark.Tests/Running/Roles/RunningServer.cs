using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Roles;

namespace NetCoreNetworkBenchmark.Tests.Running.Roles;

/// <summary>A standalone server in this process, on a port of its own.</summary>
internal sealed class RunningServer : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly TaskCompletionSource<IPEndPoint> _listening = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Task<ServerResult> _running;

    private RunningServer(RunPlan plan, INetworkBenchmark library)
    {
        var server = new StandaloneServer(plan with { Port = 0 }, library, new PingPong()) { Listening = _listening.SetResult };
        _running = Task.Run(() => server.RunAsync(_stop.Token));
    }

    public static async Task<RunningServer> StartAsync(RunPlan plan, INetworkBenchmark? library = null)
    {
        var server = new RunningServer(plan, library ?? LibraryUnderTest.Create(plan.Library));
        await server._listening.Task.WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
        return server;
    }

    public IPEndPoint EndPoint => _listening.Task.Result;

    /// <summary>Runs the clients of a plan in this process, against the server at the plan's address.</summary>
    public static async Task<RunResult> MeasureAsync(RunPlan plan, INetworkBenchmark library, INetworkBenchmark? clients)
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        ParticipantGroup participants = await Placement.AtServerAsync(plan, library, new PingPong(), clients, token);
        return await new Run(plan, library.Info.DrivenBy(clients?.Info, plan.Protocol), new PingPong(), participants).RunAsync(token);
    }

    public async Task<ServerResult> StopAsync()
    {
        await _stop.CancelAsync();
        return await _running.WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        _stop.Dispose();
    }
}
