using NetCoreNetworkBenchmark.Libraries.Sockets;

namespace NetCoreNetworkBenchmark.Tests.Running.Sides;

public sealed class ClientSideTests
{
    private const int Answers = 1_000;
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(60);

    private static readonly RunPlan s_plan = new()
    {
        Library = "Sockets",
        Clients = 5,
        WarmUp = TimeSpan.FromMilliseconds(10),
        Duration = TimeSpan.FromMilliseconds(50),
        Port = 0,
        AnyMachine = true,
    };

    // Otherwise the server's interval would end without a load, by as much as it takes to notify the server.
    [Fact]
    public async Task LoadAsync_keeps_the_load_up_until_the_server_has_ended_its_count()
    {
        var meter = new ProcessMeter();
        await using var server = new ServerSide(s_plan, new SocketsBenchmark(), new PingPong(), new IPEndPoint(IPAddress.Loopback, 0), meter);
        var coordinator = new Watching(server);
        await using var clients = new ClientSide(s_plan, new SocketsBenchmark(), new PingPong(), meter, coordinator);
        await clients.ConnectAsync(server.EndPoint, TestContext.Current.CancellationToken);
        ClientReport report = await clients.LoadAsync(TestContext.Current.CancellationToken);
        Assert.True(coordinator.IsFull);

        // What was counted in the measurement has arrived before, and the answers of this time belong to no measurement.
        Assert.InRange(report.Measured.ClientReceived, 0, coordinator.Ended);
        Assert.InRange(report.Whole.ClientReceived - report.Measured.ClientReceived, 2 * Answers, long.MaxValue);
    }

    private static async Task<bool> ServesAsync(ServerSide server)
    {
        using var deadline = new CancellationTokenSource(s_deadline);
        for (long least = server.Messages + (2 * Answers); server.Messages < least;)
        {
            await Task.Delay(1, deadline.Token);
        }

        return true;
    }

    private sealed class Watching(ServerSide server) : NoCoordinator
    {
        public bool IsFull { get; private set; }

        public long Ended { get; private set; }

        public override async Task EnterAsync(RunPhase phase) => IsFull |= phase == RunPhase.Drain && await ServesAsync(server);

        public override Task StepAsync(CancellationToken cancellationToken)
        {
            Ended = server.Mark().Counters.ServerReceived;
            return ServesAsync(server);
        }
    }
}
