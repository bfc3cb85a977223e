using NetCoreNetworkBenchmark.AdapterKit.Sockets;

namespace NetCoreNetworkBenchmark.Tests.Running.Roles;

/// <summary>A server and clients that are started apart, for every library that can be divided into processes.</summary>
public sealed class StandaloneRolesTests
{
    private static readonly RunPlan s_plan = new()
    {
        Library = "Sockets",
        Clients = 10,
        ParallelMessages = 2,
        WarmUp = TimeSpan.FromMilliseconds(50),
        Duration = TimeSpan.FromMilliseconds(200),
        AnyMachine = true,
    };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static IEnumerable<TheoryDataRow<string>> Divisible() => LibraryUnderTest.TransportsWithNetwork()
        .Where(row => row.Data.Item2 == Protocol.Udp)
        .Select(row => new TheoryDataRow<string>(row.Data.Item1));

    [Theory, MemberData(nameof(Divisible))]
    public async Task Each_side_reports_its_own_figures_and_the_departure_of_clients_is_no_error(string library)
    {
        RunPlan plan = s_plan with { Library = library };
        await using RunningServer server = await RunningServer.StartAsync(plan with { Clients = 2 * plan.Clients });
        RunResult[] results = await Task.WhenAll(
            MeasureAsync(plan, server.EndPoint), MeasureAsync(plan with { Duration = 2 * plan.Duration }, server.EndPoint));
        Assert.All(results, result => Assert.True(result.Valid, string.Join(' ', result.InvalidReasons)));
        Assert.All(results, result => Assert.Equal(
            (ServerKind.Apart, null, null, null), (result.ServerKind, result.Messages.ServerReceived, result.Costs.Server, result.Costs.Together)));
        Assert.All(results, result => Assert.Contains(
            result.Remarks, remark => remark.StartsWith("The server's cost was not measured here", StringComparison.Ordinal)));
        ServerResult served = await server.StopAsync();
        Assert.Empty(served.Server.Errors);
        Assert.Equal(results.Sum(result => result.Totals.Sent), served.Server.Received);
        Assert.Equal((served.Server.Received, served.Server.Received), (served.Server.Sent, served.Server.Cost.Messages));
        Assert.InRange(served.DurationSeconds!.Value, served.Server.Cost.Seconds - 0.001, double.MaxValue);
    }

    [Fact]
    public async Task A_server_serves_new_clients_when_earlier_ones_have_gone_and_its_idle_time_is_apart()
    {
        await using RunningServer server = await RunningServer.StartAsync(s_plan);
        for (int run = 1; run <= 3; run++)
        {
            RunResult result = await MeasureAsync(s_plan, server.EndPoint);
            Assert.True(result.Valid, string.Join(' ', result.InvalidReasons));
            await Task.Delay(TimeSpan.FromSeconds(0.3), Token);
        }

        ServerResult served = await server.StopAsync();
        Assert.InRange(served.DurationSeconds!.Value - served.Server.Cost.Seconds, 0.2, double.MaxValue);
    }

    [Fact]
    public async Task A_server_without_clients_reports_no_duration_of_messages()
    {
        await using RunningServer server = await RunningServer.StartAsync(s_plan);
        ServerResult served = await server.StopAsync();
        Assert.Equal((0, null), (served.Server.Received, served.DurationSeconds));
    }

    [Fact]
    public async Task The_result_of_a_server_has_its_settings_and_threads()
    {
        Assert.SkipUnless(SharedPort.IsSupported, "This system does not spread clients over sockets.");
        RunPlan plan = s_plan with { Settings = new Dictionary<string, string> { ["batch"] = "call", ["mode"] = "fast" } };
        await using RunningServer server = await RunningServer.StartAsync(plan with { ServerThreads = 2 });
        RunResult result = await MeasureAsync(plan with { ClientThreads = 3 }, server.EndPoint);
        Assert.Equal((null, 3), (result.Server?.Threads, result.Clients.Threads));
        ServerResult served = await server.StopAsync();
        Assert.Equal((plan.Settings, 2), (served.Plan.Settings, served.Server.Threads));
    }

    [Theory, MemberData(nameof(Divisible))]
    public async Task A_server_that_does_not_answer_is_named(string library)
    {
        // No other program gets this port while it is bound, and a bound socket that is not read does not answer.
        using var silent = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        silent.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        RunPlan plan = s_plan with { Library = library, ConnectDeadline = TimeSpan.FromSeconds(1) };
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => MeasureAsync(plan, (IPEndPoint)silent.LocalEndPoint!));
        Assert.StartsWith(
            $"No server answers at {silent.LocalEndPoint} (Only 0 of 10 clients connected to {silent.LocalEndPoint} within 1 s). ", exception.Message,
            StringComparison.Ordinal);
        Assert.EndsWith($"Start one there with --role Server --library {library} and the same options.", exception.Message, StringComparison.Ordinal);
    }

    private static Task<RunResult> MeasureAsync(RunPlan plan, IPEndPoint server)
    {
        RunPlan at = plan with { Address = server.Address.ToString(), Port = server.Port };
        return Task.Run(() => RunningServer.MeasureAsync(at, LibraryUnderTest.Create(plan.Library), null))
            .WaitAsync(2 * LibraryUnderTest.Deadline, Token);
    }
}
