using System.Net;
using System.Net.Sockets;
using System.Text;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Roles;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Tests.Libraries;

namespace NetCoreNetworkBenchmark.Tests.Running.Roles;

/// <summary>The reaction of a standalone server and of standalone clients to peers that do not behave as expected.</summary>
public sealed class ControlHandshakeTests
{
    private static readonly RunPlan s_plan = RunningServer.ShortPlan;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Against_a_plain_echo_the_run_goes_on_without_the_servers_figures(bool overTcpToo)
    {
        await using var echo = new PlainEcho(overTcpToo);
        RunResult result = await RunningServer.MeasureAsync(s_plan, echo.EndPoint);
        Assert.True(result.Valid, string.Join(' ', result.InvalidReasons));
        Assert.Equal(
            (ServerKind.PlainEcho, null, null, null), (result.Server, result.Messages.ServerReceived, result.Messages.ServerSent, result.Costs.Server));
        Assert.InRange(result.Messages.ClientReceived, 1, long.MaxValue);
        Assert.Equal(overTcpToo ? 1 : 0, echo.Connections);
        using var page = new StringWriter();
        new MarkdownReport().Write(result, page);
        Assert.Contains("Messages server received: not reported by the server", page.ToString(), StringComparison.Ordinal);
        Assert.Contains(
            "The server is a plain echo, or one of this program that nobody greeted: it told nothing of its own cost.",
            page.ToString(),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Clients_of_another_version_are_refused()
    {
        await using RunningServer server = await RunningServer.StartAsync(s_plan);
        await using FrameChannel channel = await ConnectAsync(server.EndPoint);
        await channel.SendAsync(new HelloFrame("0.0.1", AgentRole.Client, s_plan, null), Token);
        FailureFrame failure = Assert.IsType<FailureFrame>(await channel.ReceiveAsync(LibraryUnderTest.Deadline, Token));
        Assert.Equal($"The server is of version {ResultBuilder.HarnessVersion} and the clients are of version 0.0.1; both must be the same.", failure.Reason);
    }

    [Fact]
    public void A_server_that_sends_unasked_keeps_the_schedule_so_its_clients_must_ask_for_the_same()
    {
        RunPlan server = s_plan with { Test = "Multicast", Rate = 100 };
        Assert.Null(MismatchOf(server, server));
        Assert.Equal(
            "The server is for the rate 100 and the clients are for the rate 0; both must be the same.", MismatchOf(server, server with { Rate = null }));
        Assert.Equal(
            "The server is for the number of clients 5 and the clients are for the number of clients 4; both must be the same.",
            MismatchOf(server, server with { Clients = 4 }));
        Assert.Null(MismatchOf(s_plan with { Rate = 100 }, s_plan with { Clients = 4 }));

        static string? MismatchOf(RunPlan server, RunPlan clients) => NetCoreNetworkBenchmark.Running.Roles.ControlHandshake.FindMismatch(
            server,
            server.Test == "Multicast" ? LatencyKind.OneWay : LatencyKind.RoundTrip,
            new HelloFrame(ResultBuilder.HarnessVersion, AgentRole.Client, clients, null));
    }

    [Fact]
    public async Task Who_says_nothing_keeps_nobody_waiting_and_is_hung_up_on()
    {
        await using RunningServer server = await RunningServer.StartAsync(s_plan);
        using var silent = new TcpClient();
        await silent.ConnectAsync(server.EndPoint, Token);
        Assert.True((await server.MeasureAsync()).Valid);
        Assert.Equal(0, await silent.GetStream().ReadAsync(new byte[1], Token).AsTask().WaitAsync(LibraryUnderTest.Deadline, Token));
        Assert.Equal(1, (await server.StopAsync()).ClientProcesses);
    }

    [Fact]
    public async Task A_server_that_ends_while_clients_connect_breaks_their_run_off()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var endPoint = (IPEndPoint)listener.LocalEndpoint;
        Task<RunResult> running = RunningServer.MeasureAsync(s_plan, endPoint);
        NetworkStream stream = new(await listener.AcceptSocketAsync(Token), ownsSocket: true);
        await using (var channel = new FrameChannel("The clients", stream, stream))
        {
            Assert.IsType<HelloFrame>(await channel.ReceiveAsync(LibraryUnderTest.Deadline, Token));
            await channel.SendAsync(new ReadyFrame(endPoint.ToString()), Token);
        }

        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => running.WaitAsync(LibraryUnderTest.Deadline, Token));
        Assert.Equal($"The run broke off: the server at {endPoint} has gone.", exception.Message);
    }

    [Theory]
    [InlineData("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")]
    [InlineData("{\"type\":\"go\",\"id\":1}\n")]
    [InlineData("{\"type\":\"hello\",\"id\":1}\n")]
    public async Task Who_says_what_is_not_for_a_server_is_hung_up_on(string said)
    {
        await using RunningServer server = await RunningServer.StartAsync(s_plan);
        using var stranger = new TcpClient();
        await stranger.ConnectAsync(server.EndPoint, Token);
        NetworkStream stream = stranger.GetStream();
        await stream.WriteAsync(Encoding.UTF8.GetBytes(said), Token);
        await stream.CopyToAsync(Stream.Null, Token).WaitAsync(LibraryUnderTest.Deadline, Token);
        Assert.True((await server.MeasureAsync()).Valid);
        Assert.Equal(1, (await server.StopAsync()).ClientProcesses);
    }

    [Fact]
    public async Task A_process_that_goes_without_a_word_has_lost_its_clients_and_the_next_one_is_not_blamed()
    {
        await using RunningServer server = await RunningServer.StartAsync(s_plan);
        FrameChannel channel = await ConnectAsync(server.EndPoint);
        await channel.SendAsync(new HelloFrame(ResultBuilder.HarnessVersion, AgentRole.Client, s_plan, null), Token);
        Assert.IsType<ReadyFrame>(await channel.ReceiveAsync(LibraryUnderTest.Deadline, Token));
        await channel.DisposeAsync();
        RunResult next = await server.MeasureWhenThereIsRoomAsync();
        Assert.True(next.Valid, string.Join(' ', next.InvalidReasons));
        ServerResult served = await server.StopAsync();
        Assert.Equal(new Dictionary<string, long> { [RunRecorder.PeerLost] = s_plan.Clients }, served.ErrorsByName);
        Assert.Equal(2, served.ClientProcesses);
    }

    [Fact]
    public async Task The_addresses_of_a_name_are_greeted_in_turn_until_a_server_answers()
    {
        await using RunningServer server = await RunningServer.StartAsync(s_plan);
        var silent = new IPEndPoint(IPAddress.Parse("127.0.0.2"), server.EndPoint.Port);
        (GreetedServer? greeted, _) = await NetCoreNetworkBenchmark.Running.Roles.ControlHandshake.TryGreetAsync(
            s_plan, [silent, server.EndPoint], Token);
        Assert.Equal(server.EndPoint, (await greeted!.StartAsync(Token)).EndPoint);
        await greeted.DisposeAsync();
        Assert.Equal((null, null), await NetCoreNetworkBenchmark.Running.Roles.ControlHandshake.TryGreetAsync(s_plan, [silent, silent], Token));
    }

    [Fact]
    [Trait("Category", "Long")]
    public async Task A_server_that_hangs_in_its_hello_is_no_plain_echo_without_a_word()
    {
        // The system accepts the connection, and nobody reads from it.
        (Socket datagrams, TcpListener hanging) = PlainEcho.Listen();
        using (hanging)
        {
            await using var echo = new PlainEcho(datagrams);
            RunResult result = await RunningServer.MeasureAsync(s_plan, echo.EndPoint);
            Assert.Equal(ServerKind.PlainEcho, result.Server);
            Assert.Contains(
                "A program accepted the greeting at 127.0.0.1 and did not answer it within 15 s: a server of this program that hangs, or another program. " +
                    "So there are no figures of the server.",
                result.Remarks);
        }
    }

    private static async Task<FrameChannel> ConnectAsync(IPEndPoint server)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(server, Token);
        var stream = new NetworkStream(socket, ownsSocket: true);
        return new FrameChannel("The server", stream, stream);
    }
}
