using NetCoreNetworkBenchmark.Running.Roles;

namespace NetCoreNetworkBenchmark.Tests.Running.Roles;

/// <summary>The addresses of a name, of which a server of another program has one.</summary>
public sealed class ServerSearchTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory, InlineData(Protocol.Tcp), InlineData(Protocol.Ssl), InlineData(Protocol.Udp)]
    public async Task FindAsync_passes_over_addresses_that_refuse(Protocol protocol)
    {
        await using var echo = new PlainEcho(overTcpToo: true);
        var refusing = new IPEndPoint(IPAddress.Parse("127.0.0.2"), echo.EndPoint.Port);
        Assert.Equal(echo.EndPoint, await ServerSearch.FindAsync(protocol, [refusing, echo.EndPoint], Token));
        Assert.Equal(echo.EndPoint, await ServerSearch.FindAsync(protocol, [echo.EndPoint, refusing], Token));
        Assert.Null(await ServerSearch.FindAsync(protocol, [refusing, new IPEndPoint(IPAddress.Parse("127.0.0.3"), echo.EndPoint.Port)], Token));
    }

    [Fact]
    public async Task FindAsync_does_not_wait_for_an_address_that_is_silent()
    {
        // A full backlog: further connections get no answer.
        using var full = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        full.Bind(new IPEndPoint(IPAddress.Parse("127.0.0.4"), 0));
        full.Listen(0);
        var silent = (IPEndPoint)full.LocalEndPoint!;
        using Socket first = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await first.ConnectAsync(silent, Token);
        await using var echo = new PlainEcho(overTcpToo: true);
        Assert.Equal(echo.EndPoint, await ServerSearch.FindAsync(Protocol.Tcp, [silent, echo.EndPoint], Token));
    }
}
