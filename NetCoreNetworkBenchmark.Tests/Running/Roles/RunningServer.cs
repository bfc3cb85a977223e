using System.Net;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Phases;
using NetCoreNetworkBenchmark.Running.Roles;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Tests.Libraries;
using NetCoreNetworkBenchmark.Workloads.RoundTrips;

namespace NetCoreNetworkBenchmark.Tests.Running.Roles;

/// <summary>A standalone server in this process, on a port of its own.</summary>
internal sealed class RunningServer : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly TaskCompletionSource<(IPEndPoint EndPoint, IPEndPoint Greetings)> _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Task<ServerResult> _running;
    private readonly StandaloneServer _server;
    private readonly RunPlan _plan;

    /// <summary>A plan of a few clients whose run takes less than a second.</summary>
    public static RunPlan ShortPlan { get; } = new()
    {
        Library = "Sockets",
        Clients = 5,
        WarmUp = TimeSpan.FromMilliseconds(50),
        Duration = TimeSpan.FromMilliseconds(100),
        AnyMachine = true,
    };

    private RunningServer(RunPlan plan, INetworkBenchmark library, ControlAccess control)
    {
        _plan = plan;
        _server = new StandaloneServer(plan with { Port = 0 }, library, new PingPong())
        {
            Control = control,
            Ready = (endPoint, greetings) => _ready.SetResult((endPoint, greetings)),
        };
        _running = Task.Run(() => _server.RunAsync(_stop.Token));
    }

    public static Task<RunningServer> StartAsync(RunPlan plan) => StartAsync(plan, LibraryUnderTest.Create(plan.Library));

    public static async Task<RunningServer> StartAsync(RunPlan plan, INetworkBenchmark library, ControlAccess control = ControlAccess.Loopback)
    {
        var server = new RunningServer(plan, library, control);
        await server._ready.Task.WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
        return server;
    }

    public IPEndPoint EndPoint => _ready.Task.Result.EndPoint;

    /// <summary>The address at which the server is greeted.</summary>
    public IPEndPoint Greetings => _ready.Task.Result.Greetings;

    /// <summary>The number of open connections for greetings.</summary>
    public int Connections => _server.Connections;

    /// <summary>Runs the clients of the server's plan in this process.</summary>
    public Task<RunResult> MeasureAsync() => MeasureAsync(_plan, EndPoint);

    /// <summary>Runs the clients of a plan in this process, against any server.</summary>
    public static Task<RunResult> MeasureAsync(RunPlan plan, IPEndPoint server)
    {
        RunPlan at = plan with { Address = server.Address.ToString(), Port = server.Port };
        return MeasureAsync(at, LibraryUnderTest.Create(plan.Library), null, null)
            .WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
    }

    /// <summary>Runs the clients of a plan in this process, against the server at the plan's address.</summary>
    public static async Task<RunResult> MeasureAsync(
        RunPlan plan, INetworkBenchmark library, INetworkBenchmark? clients, Action<RunProgress>? progress)
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        ParticipantGroup participants = await Placement.AtServerAsync(plan, library, new PingPong(), clients, token);
        var coordinator = new Coordinator(plan, library.Info.DrivenBy(clients?.Info, plan.Protocol), new PingPong()) { Progress = progress };
        return await coordinator.RunAsync(participants, token);
    }

    /// <summary>The same, when a place is free. The end of an earlier connection may arrive late, and until then its place is taken.</summary>
    public async Task<RunResult> MeasureWhenThereIsRoomAsync()
    {
        using var deadline = new CancellationTokenSource(LibraryUnderTest.Deadline);
        while (true)
        {
            try
            {
                return await MeasureAsync();
            }
            catch (BenchmarkException exception) when (exception.Message.Contains("too many", StringComparison.Ordinal) && !deadline.IsCancellationRequested)
            {
                continue;
            }
        }
    }

    /// <summary>Ends the server as Ctrl+C does.</summary>
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
