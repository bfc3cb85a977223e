using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Roles;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Tests.Libraries;

namespace NetCoreNetworkBenchmark.Tests.Running.Roles;

/// <summary>The address at which a standalone server is greeted. Nothing here leaves the loopback: a server at all addresses is reached there too.</summary>
public sealed class ControlPortTests
{
    private static readonly RunPlan s_plan = RunningServer.ShortPlan;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("0.0.0.0", "127.0.0.1")]
    [InlineData("192.0.2.1", "127.0.0.1")]
    [InlineData("127.0.0.1", "127.0.0.1")]
    [InlineData("127.0.0.2", "127.0.0.2")]
    [InlineData("::", "::1")]
    [InlineData("2001:db8::1", "::1")]
    [InlineData("::1", "::1")]
    public void AddressOf_is_on_the_loopback_unless_any_is_asked_for(string server, string expected)
    {
        Assert.Equal(IPAddress.Parse(expected), ControlPort.AddressOf(ControlAccess.Loopback, IPAddress.Parse(server)));
        Assert.Equal(IPAddress.Parse(server), ControlPort.AddressOf(ControlAccess.Any, IPAddress.Parse(server)));
    }

    [Fact]
    public async Task A_server_at_all_addresses_is_greeted_at_one_of_the_loopback()
    {
        await using RunningServer server = await StartAsync(ControlAccess.Loopback);
        Assert.Equal(new IPEndPoint(IPAddress.Loopback, server.EndPoint.Port), server.Greetings);
        Assert.False(await AnswersAsync(new IPEndPoint(IPAddress.Parse("127.0.0.2"), server.Greetings.Port)));
        RunResult result = await RunningServer.MeasureAsync(s_plan, server.Greetings);
        Assert.Equal((ServerKind.Own, true), (result.Server, result.Valid));
    }

    [Fact]
    public async Task A_server_at_all_addresses_is_greeted_at_all_where_any_is_asked_for()
    {
        await using RunningServer server = await StartAsync(ControlAccess.Any);
        Assert.Equal(server.EndPoint, server.Greetings);
        Assert.True(await AnswersAsync(new IPEndPoint(IPAddress.Parse("127.0.0.2"), server.Greetings.Port)));
        RunResult result = await RunningServer.MeasureAsync(s_plan, new IPEndPoint(IPAddress.Loopback, server.EndPoint.Port));
        Assert.Equal((ServerKind.Own, true), (result.Server, result.Valid));
    }

    [Fact]
    public void A_server_elsewhere_that_nobody_greeted_has_a_remark_with_the_option()
    {
        var elsewhere = new IPEndPoint(IPAddress.Parse("192.0.2.1"), 3333);
        Assert.Equal(
            "Nobody answered greetings at 192.0.2.1, so there are no figures of the server; one of this program needs --control any for them, " +
            "in a network that is trusted.",
            new PlainEchoServer(s_plan, [elsewhere], silent: null).Remark);
        Assert.Null(new PlainEchoServer(s_plan, [new IPEndPoint(IPAddress.Loopback, 3333)], silent: null).Remark);
        RunPlan unasked = s_plan with { Liveness = new LivenessPlan { Reconnect = TimeSpan.FromSeconds(1) } };
        Assert.Null(new PlainEchoServer(unasked, [elsewhere], silent: null).Remark);
    }

    private static Task<RunningServer> StartAsync(ControlAccess control) =>
        RunningServer.StartAsync(s_plan with { Address = "0.0.0.0" }, LibraryUnderTest.Create(s_plan.Library), control);

    private static async Task<bool> AnswersAsync(IPEndPoint endPoint)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await socket.ConnectAsync(endPoint, Token).AsTask().WaitAsync(LibraryUnderTest.Deadline, Token);
            return true;
        }
        catch (SocketException exception) when (exception.SocketErrorCode == SocketError.ConnectionRefused)
        {
            return false;
        }
    }
}
