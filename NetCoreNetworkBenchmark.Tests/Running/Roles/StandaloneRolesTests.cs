using System.Net;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Phases;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Tests.Libraries;

namespace NetCoreNetworkBenchmark.Tests.Running.Roles;

/// <summary>A server and clients that are started by hand, for every library that can be divided into processes.</summary>
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

    [Theory]
    [MemberData(nameof(Divisible))]
    public async Task Clients_get_the_figures_of_their_server(string library)
    {
        RunPlan plan = s_plan with { Library = library };
        await using RunningServer server = await RunningServer.StartAsync(plan);
        RunResult result = await MeasureAsync(plan, server.EndPoint);
        Assert.True(result.Valid, string.Join(' ', result.InvalidReasons));
        Assert.Equal(ServerKind.Own, result.Server);
        int window = plan.Clients * plan.ParallelMessages;
        Assert.InRange(result.Messages.ServerReceived!.Value, 1, result.Totals.Sent);
        Assert.InRange(result.Messages.ServerReceived.Value - result.Messages.ServerSent!.Value, -window, window);
        Assert.Equal(result.Messages.ServerReceived, result.Costs.Server!.Messages);
        Assert.Equal(result.Messages.ClientReceived, result.Costs.Clients!.Messages);
        Assert.Null(result.Costs.Together);
    }

    [Theory]
    [MemberData(nameof(Divisible))]
    public async Task Two_client_processes_are_served_at_once_and_their_departure_is_no_error(string library)
    {
        RunPlan plan = s_plan with { Library = library };
        await using RunningServer server = await RunningServer.StartAsync(plan with { Clients = 2 * plan.Clients });
        RunResult[] results = await Task.WhenAll(
            MeasureAsync(plan, server.EndPoint), MeasureAsync(plan with { Duration = 2 * plan.Duration }, server.EndPoint));
        Assert.All(results, result => Assert.True(result.Valid, string.Join(' ', result.InvalidReasons)));
        Assert.All(results, result => Assert.Equal(ServerKind.Own, result.Server));
        ServerResult served = await server.StopAsync();
        Assert.Equal(2, served.ClientProcesses);
        Assert.Empty(served.ErrorsByName);
        Assert.Equal(results.Sum(result => result.Totals.Sent), served.Received);
        Assert.Equal(served.Received, served.Sent);
    }

    [Fact]
    public async Task A_server_makes_room_when_clients_have_gone()
    {
        await using RunningServer server = await RunningServer.StartAsync(s_plan);
        for (int run = 1; run <= 3; run++)
        {
            RunResult result = await MeasureAsync(s_plan, server.EndPoint);
            Assert.True(result.Valid, string.Join(' ', result.InvalidReasons));
        }

        Assert.Equal(3, (await server.StopAsync()).ClientProcesses);
    }

    [Theory]
    [InlineData("Sockets", Transmission.Unreliable, 33, "for the message size 32 and the clients are for the message size 33")]
    [InlineData("ENet", Transmission.Unreliable, 32, "for the library Sockets and the clients are for the library ENet")]
    [InlineData("ENet", Transmission.Reliable, 32, "for the library Sockets and the clients are for the library ENet")]
    public async Task What_does_not_fit_together_is_named(string library, Transmission transmission, int size, string difference)
    {
        await using RunningServer server = await RunningServer.StartAsync(s_plan);
        RunPlan clients = s_plan with { Library = library, Transmission = transmission, MessageSize = size };
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => MeasureAsync(clients, server.EndPoint));
        Assert.Equal($"The server is {difference}; both must be the same.", exception.Message);
        Assert.Equal(0, (await server.StopAsync()).ClientProcesses);
    }

    [Fact]
    public async Task A_delivery_that_does_not_fit_is_named()
    {
        RunPlan plan = s_plan with { Library = "ENet" };
        await using RunningServer server = await RunningServer.StartAsync(plan);
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => MeasureAsync(plan with { Transmission = Transmission.Reliable }, server.EndPoint));
        Assert.Equal(
            "The server is for the transmission Unreliable and the clients are for the transmission Reliable; both must be the same.", exception.Message);
    }

    [Fact]
    public async Task Settings_that_do_not_fit_are_named()
    {
        RunPlan plan = s_plan with { Settings = new Dictionary<string, string> { ["batch"] = "call", ["mode"] = "fast" } };
        await using RunningServer server = await RunningServer.StartAsync(plan);
        RunPlan clients = plan with { Settings = new Dictionary<string, string> { ["batch"] = "gso", ["mode"] = "fast" } };
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => MeasureAsync(clients, server.EndPoint));
        Assert.Equal(
            "The server is for the settings batch=call mode=fast and the clients are for the settings batch=gso mode=fast; both must be the same.",
            exception.Message);
        Assert.Equal(plan.Settings, (await MeasureAsync(plan, server.EndPoint)).Settings);
        Assert.Equal(plan.Settings, (await server.StopAsync()).Settings);
    }

    [Fact]
    public async Task The_servers_threads_are_those_that_it_tells()
    {
        Assert.SkipUnless(SharedPort.IsSupported, "This system does not spread clients over sockets.");
        await using RunningServer server = await RunningServer.StartAsync(s_plan with { ServerThreads = 2 });
        RunResult result = await MeasureAsync(s_plan with { ClientThreads = 3 }, server.EndPoint);
        Assert.Equal((2, 3), (result.ServerThreads, result.ClientThreads));
        Assert.Equal(2, (await server.StopAsync()).ServerThreads);
    }

    [Fact]
    public async Task More_clients_than_the_server_holds_are_refused()
    {
        await using RunningServer server = await RunningServer.StartAsync(s_plan);
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => MeasureAsync(s_plan with { Clients = 11 }, server.EndPoint));
        Assert.Equal("The server holds 10 clients and 0 are taken, so 11 more are too many; start it with a larger --clients.", exception.Message);
    }

    [Theory]
    [MemberData(nameof(Divisible))]
    public async Task A_server_that_is_not_there_is_named_within_seconds(string library)
    {
        // No other program gets this port while it is bound, and a bound socket that is not read does not answer.
        using var silent = new System.Net.Sockets.Socket(
            System.Net.Sockets.AddressFamily.InterNetwork, System.Net.Sockets.SocketType.Dgram, System.Net.Sockets.ProtocolType.Udp);
        silent.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => MeasureAsync(s_plan with { Library = library }, (IPEndPoint)silent.LocalEndPoint!));
        Assert.StartsWith(
            $"No server answers at {silent.LocalEndPoint} (Only 0 of 10 clients connected to {silent.LocalEndPoint} within 3 s); ", exception.Message,
            StringComparison.Ordinal);
        Assert.EndsWith($"start one there with --role Server --library {library} and the same options.", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Divisible))]
    public async Task A_server_that_ends_breaks_its_clients_run_off(string library)
    {
        RunPlan plan = s_plan with { Library = library, Duration = TimeSpan.FromHours(1) };
        RunningServer server = await RunningServer.StartAsync(plan);
        var measuring = new TaskCompletionSource();
        Task<RunResult> running = MeasureAsync(plan, server.EndPoint, progress =>
        {
            if (progress.Phase == RunPhase.Measure)
            {
                measuring.TrySetResult();
            }
        });
        await measuring.Task.WaitAsync(LibraryUnderTest.Deadline, Token);
        ServerResult served = await server.StopAsync();
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => running);
        Assert.Equal($"The run broke off: the server at {server.EndPoint} has gone.", exception.Message);
        Assert.Empty(served.ErrorsByName);
        Assert.InRange(served.Received!.Value, 1, long.MaxValue);
        await server.DisposeAsync();
    }

    private static Task<RunResult> MeasureAsync(RunPlan plan, IPEndPoint server, Action<RunProgress>? progress = null)
    {
        RunPlan at = plan with { Address = server.Address.ToString(), Port = server.Port };
        return Task.Run(() => RunningServer.MeasureAsync(at, LibraryUnderTest.Create(plan.Library), null, progress))
            .WaitAsync(2 * LibraryUnderTest.Deadline, Token);
    }
}
