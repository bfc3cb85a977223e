using System.Net.Sockets;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Streams;

/// <summary>A faulty peer ends its own connection with a counted error, and nothing else.</summary>
public sealed class StreamFaultTests
{
    private const string NetCoreServer = "NetCoreServer";

    /// <summary>Every library with streams.</summary>
    public static IEnumerable<TheoryDataRow<string, Protocol>> Servers() => LibraryUnderTest.Transports().Where(row => row.Data.Item2.IsStream());

    /// <summary>Without NetCoreServer, which drops its queued bytes when it closes, and receives even if its answers are not read.</summary>
    public static IEnumerable<TheoryDataRow<string, Protocol>> ServersThatWait() => Servers().Where(row => row.Data.Item1 != NetCoreServer);

    public static IEnumerable<TheoryDataRow<string, Protocol>> ServersThatDoNotWait() => Servers().Where(row => row.Data.Item1 == NetCoreServer);

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_length_that_cannot_be_ends_its_connection_and_no_other(string library, Protocol protocol)
    {
        await using var service = new StreamService(library, protocol, plan => plan with { Framing = Framing.Length });
        await using Stream good = await service.ConnectAsync();
        byte[] message = [0, 0, 0, 3, 1, 2, 3];
        Assert.Equal(message, await StreamService.ExchangeAsync(good, message));
        foreach (byte[] bad in (byte[][])[[0, 0, 0, 0], [0, 0, 0, StreamService.Size + 1], [255, 255, 255, 255], [127, 0, 0, 0, 1]])
        {
            await using Stream stream = await service.ConnectAsync();
            await stream.WriteAsync(bad, TestContext.Current.CancellationToken);
            await StreamService.ReadToEndAsync(stream);
        }

        Assert.Equal(message, await StreamService.ExchangeAsync(good, message));
        await service.Handler.Closed.ReachesAsync(4, "closes seen by the server");
        Assert.Equal(4, service.Recorder.Errors()["server got a message of a length that cannot be"]);
    }

    [Theory]
    [MemberData(nameof(ServersThatWait))]
    public async Task What_came_before_a_wrong_length_is_answered(string library, Protocol protocol)
    {
        await using var service = new StreamService(library, protocol, plan => plan with { Framing = Framing.Length });
        await using Stream stream = await service.ConnectAsync();
        byte[] message = [0, 0, 0, 1, 7];
        await stream.WriteAsync((byte[])[.. message, 9, 9, 9, 9], TestContext.Current.CancellationToken);
        byte[] answer = new byte[message.Length];
        await stream.ReadExactlyAsync(answer, TestContext.Current.CancellationToken);
        Assert.Equal(message, answer);
        await service.Handler.Closed.ReachesAsync(1, "close seen by the server");
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_connection_that_ends_within_a_message_is_counted(string library, Protocol protocol)
    {
        await using var service = new StreamService(library, protocol);
        await using (Stream stream = await service.ConnectAsync())
        {
            await stream.WriteAsync(new byte[StreamService.Size - 1], TestContext.Current.CancellationToken);
        }

        await service.Handler.Closed.ReachesAsync(1, "close seen by the server");
        await service.ErrorAsync("server got part of a message");
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Messages_that_come_byte_by_byte_are_put_together(string library, Protocol protocol)
    {
        await using var service = new StreamService(library, protocol);
        await using Stream stream = await service.ConnectAsync();
        byte[] message = [.. Enumerable.Range(0, StreamService.Size).Select(number => (byte)number)];
        foreach (byte one in message[..^1])
        {
            await stream.WriteAsync((byte[])[one], TestContext.Current.CancellationToken);
        }

        byte[] answer = new byte[StreamService.Size];
        await stream.WriteAsync((byte[])[message[^1]], TestContext.Current.CancellationToken);
        await stream.ReadExactlyAsync(answer, TestContext.Current.CancellationToken);
        Assert.Equal(message, answer);
    }

    // Far more than the kernel buffers for both directions: it can be sent only if the server accepts it without limit.
    [Theory]
    [MemberData(nameof(ServersThatWait))]
    public async Task A_client_that_sends_and_does_not_read_is_not_read_from_without_end_and_others_are_served_on(string library, Protocol protocol)
    {
        const int MessageSize = 32 * 1024;
        const int Messages = 4 * 1024;
        await using var service = new StreamService(library, protocol, plan => plan with { MessageSize = MessageSize });
        int received = 0;
        service.Handler.Message = (peer, message) =>
        {
            Interlocked.Increment(ref received);
            peer.Send(message);
        };
        await using Stream deaf = await service.ConnectAsync();
        Task sending = SendAsync(deaf, new byte[MessageSize], Messages);
        for (int before = -1; before != Volatile.Read(ref received) && !sending.IsCompleted;)
        {
            before = Volatile.Read(ref received);
            await Task.Delay(TimeSpan.FromSeconds(0.5), TestContext.Current.CancellationToken);
        }

        Assert.False(sending.IsCompleted, "128 MiB were taken from a client that reads nothing.");
        await using Stream other = await service.ConnectAsync();
        for (int message = 0; message < 10; message++)
        {
            await StreamService.ExchangeAsync(other, new byte[MessageSize]);
        }

        // When the client finally reads, it receives everything.
        byte[] answer = new byte[MessageSize];
        for (int message = 0; message < Messages; message++)
        {
            await deaf.ReadExactlyAsync(answer, TestContext.Current.CancellationToken);
        }

        await sending;
    }

    // The server holds a bounded number of bytes for a connection, and ends the connection when more would wait.
    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(ServersThatDoNotWait))]
    public async Task A_client_that_sends_and_does_not_read_is_ended_and_others_are_served_on(string library, Protocol protocol)
    {
        const int MessageSize = 32 * 1024;
        await using var service = new StreamService(library, protocol, plan => plan with { MessageSize = MessageSize });
        await using Stream deaf = await service.ConnectAsync();
        await Assert.ThrowsAnyAsync<IOException>(
            () => SendAsync(deaf, new byte[MessageSize], messages: 4 * 1024).WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken));
        await service.Handler.Closed.ReachesAsync(1, "close seen by the server");
        await using Stream other = await service.ConnectAsync();
        await StreamService.ExchangeAsync(other, new byte[MessageSize]);
    }

    // NetCoreServer reports no reset (SendError ignores it), so only the end is known.
    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(ServersThatDoNotWait))]
    public async Task A_reset_ends_its_connection_and_no_other(string library, Protocol protocol)
    {
        await using var service = new StreamService(library, protocol);
        await using Stream good = await service.ConnectAsync();
        await service.Handler.Connected.ReachesAsync(1, "client seen by the server");
        using (var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp))
        {
            await socket.ConnectAsync(service.EndPoint, TestContext.Current.CancellationToken);
            if (protocol == Protocol.Tcp)
            {
                await service.Handler.Connected.ReachesAsync(1, "second client seen by the server");
            }

            socket.LingerState = new LingerOption(true, 0);
        }

        if (protocol == Protocol.Tcp)
        {
            await service.Handler.Closed.ReachesAsync(1, "close seen by the server");
        }
        else
        {
            await service.ErrorAsync("server TLS handshake failed: ");
        }

        byte[] message = new byte[StreamService.Size];
        Assert.Equal(message, await StreamService.ExchangeAsync(good, message));
    }

    [Theory]
    [InlineData("Sockets")]
    [InlineData("Kestrel")]
    [InlineData("Epoll")]
    public async Task A_reset_is_counted_by_its_name(string library)
    {
        await using var service = new StreamService(library, Protocol.Tcp);
        using (var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp))
        {
            await socket.ConnectAsync(service.EndPoint, TestContext.Current.CancellationToken);
            await service.Handler.Connected.ReachesAsync(1, "client seen by the server");
            socket.LingerState = new LingerOption(true, 0);
        }

        await service.ErrorAsync("server ConnectionReset");
        await service.Handler.Closed.ReachesAsync(1, "close seen by the server");
    }

    [Fact]
    public async Task A_client_that_nobody_listens_for_is_told_so_at_once()
    {
        var service = new StreamService("Sockets", Protocol.Tcp);
        await service.DisposeAsync();
        await using var session = new Session(LibraryUnderTest.Create("Sockets"), Protocol.Tcp, clients: 1, StreamService.Size);
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => session.ConnectAsync(service.EndPoint));
        Assert.Equal($"A client could not connect: {service.EndPoint} cannot be reached: ConnectionRefused.", exception.Message);
    }

    private static async Task SendAsync(Stream stream, byte[] message, int messages)
    {
        for (int number = 0; number < messages; number++)
        {
            await stream.WriteAsync(message, TestContext.Current.CancellationToken);
        }
    }
}
