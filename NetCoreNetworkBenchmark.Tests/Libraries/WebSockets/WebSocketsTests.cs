using System.Net.WebSockets;

namespace NetCoreNetworkBenchmark.Tests.Libraries.WebSockets;

/// <summary>The server as another program's client of RFC 6455 sees it, and the clients at servers of other programs.</summary>
public sealed class WebSocketsTests
{
    private const string Library = "WebSockets";
    private const string HandshakeFailed = "server WebSocket handshake failed";

    public static TheoryData<Protocol> Protocols => [Protocol.Tcp, Protocol.Ssl];

    public static TheoryData<Framing, int> Framings => new() { { Framing.Fixed, 0 }, { Framing.Length, 4 }, { Framing.Checked, 6 } };

    [Theory, MemberData(nameof(Framings))]
    public async Task Each_message_is_one_binary_message_with_what_its_framing_adds(Framing framing, int header)
    {
        await using var service = new StreamService(Library, Protocol.Tcp, plan => plan with { Framing = framing });
        using WebSocket client = await ConnectAsync(service);
        byte[] message = service.Framed(MessageOf(StreamService.Size));
        for (int count = 0; count < 3; count++)
        {
            await SendAsync(client, message);
        }

        for (int count = 0; count < 3; count++)
        {
            (WebSocketReceiveResult answer, byte[] content) = await ReceiveAsync(client);
            Assert.Equal((WebSocketMessageType.Binary, true, header + StreamService.Size), (answer.MessageType, answer.EndOfMessage, answer.Count));
            Assert.Equal(message, content);
        }
    }

    [Theory, MemberData(nameof(Protocols))]
    public async Task Fragments_and_empty_messages_are_put_together(Protocol protocol)
    {
        await using var service = new StreamService(Library, protocol);
        using WebSocket client = await ConnectAsync(service);
        byte[] message = MessageOf(StreamService.Size);
        await SendAsync(client, message[..5], endOfMessage: false);
        await SendAsync(client, message[5..]);
        await SendAsync(client, []);
        Assert.Equal(message, (await ReceiveAsync(client)).Content);
        await SendAsync(client, message);
        Assert.Equal(message, (await ReceiveAsync(client)).Content);
        Assert.Empty(service.Recorder.Errors());
    }

    [Theory, MemberData(nameof(Protocols))]
    public async Task A_server_that_closes_sends_what_waits_and_the_normal_close(Protocol protocol)
    {
        await using var service = new StreamService(Library, protocol);
        service.Handler.Message = (peer, message) =>
        {
            peer.Send(message);
            peer.Close();
        };
        using WebSocket client = await ConnectAsync(service);
        byte[] message = MessageOf(StreamService.Size);
        await SendAsync(client, message);
        Assert.Equal(message, (await ReceiveAsync(client)).Content);
        Assert.Equal(WebSocketCloseStatus.NormalClosure, (await ReceiveAsync(client)).Result.CloseStatus);
        await client.CloseAsync(WebSocketCloseStatus.NormalClosure, null, TestContext.Current.CancellationToken);
        Assert.Empty(service.Recorder.Errors());
    }

    [Theory, MemberData(nameof(Protocols))]
    public async Task A_client_that_closes_is_answered_with_the_normal_close(Protocol protocol)
    {
        await using var service = new StreamService(Library, protocol);
        using WebSocket client = await ConnectAsync(service);
        await client.CloseAsync(WebSocketCloseStatus.NormalClosure, null, TestContext.Current.CancellationToken);
        Assert.Equal(WebSocketCloseStatus.NormalClosure, client.CloseStatus);
        await service.Handler.Closed.ReachesAsync(1, "close seen by the server");
        Assert.Empty(service.Recorder.Errors());
    }

    [Fact]
    public async Task A_client_that_answers_no_close_does_not_keep_the_server_from_stopping()
    {
        await using var service = new StreamService(Library, Protocol.Tcp);
        using WebSocket frozen = await ConnectAsync(service);
        await service.Handler.Connected.ReachesAsync(1, "client seen by the server");
        await service.StopAsync().WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
        Assert.Equal(1, service.Handler.Closed.Count);
    }

    [Fact]
    public async Task A_client_that_sends_and_does_not_read_is_not_read_from_without_end()
    {
        const int Portion = 64 * 1024;
        await using var service = new StreamService(Library, Protocol.Tcp, plan => plan with { MessageSize = Portion });
        using WebSocket deaf = await ConnectAsync(service);
        byte[] portion = MessageOf(Portion);
        await service.AssertHoldsBackAsync(Portion, () => SendAsync(deaf, portion), async () => Assert.Equal(portion, (await ReceiveAsync(deaf)).Content));
    }

    [Theory]
    [InlineData("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400 ")]
    [InlineData("no request of HTTP\r\n\r\n", "HTTP/1.1 505 ")]
    [InlineData("", "")]
    public async Task A_connection_without_a_handshake_is_refused_and_counted_and_others_are_served(string request, string answer)
    {
        await using var service = new StreamService(Library, Protocol.Tcp);
        await using (NetworkStream stream = await service.ConnectPlainAsync())
        {
            await stream.WriteAsync(Encoding.Latin1.GetBytes(request), TestContext.Current.CancellationToken);
            if (request.Length == 0)
            {
                stream.Socket.Shutdown(SocketShutdown.Send);
            }

            using var reader = new StreamReader(stream, Encoding.Latin1);
            string read = await reader.ReadToEndAsync(TestContext.Current.CancellationToken).WaitAsync(
                LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
            read.AssertBegins(answer);
        }

        await service.AssertOnlyErrorAsync(HandshakeFailed);
        await service.AssertServesAsync();
        await service.Handler.Connected.ReachesAsync(1, "clients seen by the server");
    }

    [Fact]
    public async Task A_handshake_that_does_not_come_is_given_up_at_the_deadline()
    {
        await using var service = new StreamService(Library, Protocol.Tcp, plan => plan with { ConnectDeadline = TimeSpan.FromSeconds(0.3) });
        await using NetworkStream silent = await service.ConnectPlainAsync();
        await StreamService.ReadToEndAsync(silent);
        await service.AssertOnlyErrorAsync(HandshakeFailed);
    }

    [Fact]
    public async Task A_server_of_plain_messages_is_named_by_the_clients()
    {
        await using var service = new StreamService("Sockets", Protocol.Tcp);
        var exception = await Assert.ThrowsAsync<BenchmarkException>(
            () => LibraryUnderTest.Create(Library).ConnectAsync(service.CreateClientSetup(service.Client), TestContext.Current.CancellationToken));
        exception.Message.AssertBegins($"A client could not connect: {service.EndPoint} is no server of WebSockets: ");
    }

    private static byte[] MessageOf(int size) => [.. Enumerable.Range(0, size).Select(number => (byte)number)];

    private static async Task<WebSocket> ConnectAsync(StreamService service)
    {
        Stream stream = await service.ConnectAsync();
        var socket = new ClientWebSocket();
        using var invoker = new HttpMessageInvoker(new SocketsHttpHandler { ConnectCallback = (_, _) => ValueTask.FromResult(stream) });
        await socket.ConnectAsync(new Uri("ws://localhost"), invoker, TestContext.Current.CancellationToken);
        return socket;
    }

    private static Task SendAsync(WebSocket socket, byte[] content, bool endOfMessage = true) =>
        socket.SendAsync(new ArraySegment<byte>(content), WebSocketMessageType.Binary, endOfMessage, TestContext.Current.CancellationToken);

    private static async Task<(WebSocketReceiveResult Result, byte[] Content)> ReceiveAsync(WebSocket socket)
    {
        var content = new List<byte>();
        byte[] buffer = new byte[64 * 1024];
        WebSocketReceiveResult result;
        do
        {
            result = await socket.ReceiveAsync(new ArraySegment<byte>(buffer), TestContext.Current.CancellationToken).WaitAsync(
                LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
            content.AddRange(buffer.AsSpan(0, result.Count));
        }
        while (!result.EndOfMessage);

        return (result, [.. content]);
    }
}
