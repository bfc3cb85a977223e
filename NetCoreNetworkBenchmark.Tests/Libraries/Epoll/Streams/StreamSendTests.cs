using System.Diagnostics;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Epoll.Streams;

/// <summary>The bytes that one call passes to the system over a stream, in each way to send.</summary>
public sealed class StreamSendTests
{
    private const int Messages = 500;

    public static IEnumerable<TheoryDataRow<Protocol, Framing, string>> Ways() =>
        from protocol in (Protocol[])[Protocol.Tcp, Protocol.Ssl]
        from framing in Enum.GetValues<Framing>()
        from send in StreamSendSetting.Setting.Values
        select new TheoryDataRow<Protocol, Framing, string>(protocol, framing, send);

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_server_makes_one_call_for_each_message_or_for_all_of_a_receive_call(Protocol protocol, Framing framing, string send)
    {
        var calls = new TransportCalls();
        await using var server = new StreamServer(protocol, plan => PlanOf(plan, framing, send), wrap: transport => new CountingTransport(transport, calls));
        await using Stream stream = server.ConnectStream();
        byte[] messages = MessagesOf(framing, Messages, StreamServer.MessageSize);
        await stream.WriteAsync(messages, TestContext.Current.CancellationToken);
        Assert.Equal(messages, await ReadAsync(stream, messages.Length));
        if (send == "message")
        {
            Assert.Equal(Messages, calls.Sends);
        }
        else
        {
            Assert.InRange(calls.Sends, 1, calls.Receives);
            Assert.InRange(calls.Sends, 1, Messages / 2);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_client_makes_one_call_for_each_message_or_for_all_of_a_call_of_the_workload(Protocol protocol, Framing framing, string send)
    {
        var calls = new TransportCalls();
        await using var server = new StreamServer(protocol, plan => PlanOf(plan, framing, send));
        var answers = new Tally();
        var handler = new TestClientHandler
        {
            Started = peer =>
            {
                for (int number = 0; number < Messages; number++)
                {
                    Assert.True(peer.Send(new byte[StreamServer.MessageSize]));
                }
            },
            Message = (_, _) => answers.Add(),
        };
        await using IClientGroup clients = await server.ConnectAsync(transport => new CountingTransport(transport, calls), handler);
        clients.Start();
        await answers.ReachesAsync(Messages, "answers to messages that were sent together");
        if (send == "receive")
        {
            // Two calls if the bytes do not fit into one TLS record.
            Assert.InRange(calls.Sends, 1, 2);
        }
        else
        {
            Assert.Equal(Messages, calls.Sends);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task What_a_client_does_not_read_yet_waits_within_a_bound_and_arrives_as_it_was_sent(Protocol protocol, Framing framing, string send)
    {
        const int MessageSize = 4_000;
        const int Portions = 8_000;
        const int Bound = 3 * 64 * 1024;
        var calls = new TransportCalls();
        await using var server = new StreamServer(
            protocol, plan => PlanOf(plan, framing, send) with { MessageSize = MessageSize }, wrap: transport => new CountingTransport(transport, calls));
        await using Stream stream = server.ConnectStream();
        byte[] portion = MessagesOf(framing, 1, MessageSize);
        Task sending = Task.Run(
            async () =>
            {
                for (int number = 0; number < Portions; number++)
                {
                    portion[^1] = (byte)number;
                    await stream.WriteAsync(portion, TestContext.Current.CancellationToken);
                }
            },
            TestContext.Current.CancellationToken);
        await EventuallyAsync(() => calls.Refused > 0 || sending.IsFaulted, "the system does not take an answer");
        for (int number = 0; number < Portions; number++)
        {
            byte[] answer = await ReadAsync(stream, portion.Length);
            Assert.Equal((byte)number, answer[^1]);
            Assert.True(answer.AsSpan(0, answer.Length - 1).SequenceEqual(portion.AsSpan(0, portion.Length - 1)));
        }

        await sending;
        Assert.InRange(calls.MostQueued, 1, Bound);
        Assert.Empty(server.Recorder.Errors());
    }

    // No event reports bytes that TLS has read from the socket and not yet passed on.
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_burst_that_is_longer_than_what_may_wait_is_answered_to_its_end(Protocol protocol, Framing framing, string send)
    {
        const int Record = 16 * 1024;
        const int MessageSize = 1_000;
        using var arrived = new SemaphoreSlim(0);
        await using var server = new StreamServer(protocol, plan => PlanOf(plan, framing, send) with { MessageSize = MessageSize });
        bool waits = false;
        server.Handler.Message = (peer, message) =>
        {
            if (Volatile.Read(ref waits))
            {
                Volatile.Write(ref waits, false);
                Assert.True(arrived.Wait(LibraryUnderTest.Deadline));
            }

            peer.Send(message);
        };
        await using Stream stream = server.ConnectStream();
        for (int records = 4; records <= 9; records++)
        {
            byte[] first = MessagesOf(framing, 1, MessageSize);
            byte[] burst = MessagesOf(framing, records * Record / first.Length, MessageSize);
            byte[] all = [.. first, .. burst];
            Volatile.Write(ref waits, true);
            await stream.WriteAsync(first, TestContext.Current.CancellationToken);
            await stream.WriteAsync(burst, TestContext.Current.CancellationToken);
            arrived.Release();
            Assert.Equal(all, await ReadAsync(stream, all.Length));
        }
    }

    [Theory]
    [InlineData("message")]
    [InlineData("receive")]
    public async Task A_send_that_fails_ends_the_connection_after_the_call_of_the_workload(string send)
    {
        const int FailingSend = 3;
        var calls = new TransportCalls { FailingSend = FailingSend };
        var handler = new SendingServer(Messages);
        await using var server = new StreamServer(
            Protocol.Tcp, plan => PlanOf(plan, Framing.Fixed, send), wrap: transport => new CountingTransport(transport, calls), handler: handler);
        using Socket socket = server.Connect();
        for (int round = 0; round < (send == "message" ? 1 : FailingSend); round++)
        {
            socket.Send(new byte[StreamServer.MessageSize]);
            await handler.Called.ReachesAsync(1, "calls of the workload");
        }

        await handler.Closed.ReachesAsync(1, "closes seen by the server");
        Assert.Equal(0, handler.Nested.Count);
        Assert.Equal(FailingSend, calls.Sends);
        Assert.Equal(0, calls.AfterEnd);
        Assert.Equal(send == "message" ? FailingSend - 1 : FailingSend * Messages, handler.Taken);
        await server.AssertErrorAsync("server ConnectionReset");
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_connection_that_was_closed_is_used_no_more(Protocol protocol, Framing framing, string send)
    {
        var calls = new TransportCalls();
        await using var server = new StreamServer(protocol, plan => PlanOf(plan, framing, send));
        IPeer? closed = null;
        var (after, taken) = (new Tally(), new Tally());
        var handler = new TestClientHandler
        {
            Started = peer =>
            {
                for (int number = 0; number < Messages; number++)
                {
                    peer.Send(new byte[StreamServer.MessageSize]);
                }
            },
            Message = (peer, _) =>
            {
                // Other messages were received by the same call.
                after.Add();
                peer.Close();
                if (peer.Send(new byte[StreamServer.MessageSize]) || peer.IsCongested)
                {
                    taken.Add();
                }

                peer.Wake();
                peer.Close();
                closed = peer;
            },
        };
        await using IClientGroup clients = await server.ConnectAsync(transport => new CountingTransport(transport, calls), handler);
        clients.Start();
        await handler.Closed.ReachesAsync(1, "closes seen by the client");

        // Requests after the end, and the turns in which they would be handled.
        clients.Start();
        await Task.Run(() => closed?.Wake(), TestContext.Current.CancellationToken);
        await server.Handler.Closed.ReachesAsync(1, "closes seen by the server");
        server.AssertServes();
        await clients.DisposeAsync();
        Assert.Equal((1, 0, 1), (after.Count, taken.Count, handler.Closed.Count));
        Assert.Equal(0, calls.AfterEnd);

        // The server counts a reset, as its client has closed before it read all answers.
        Assert.DoesNotContain(server.Recorder.Errors().Keys, name => name.StartsWith("client", StringComparison.Ordinal));
        Assert.False(server.Recorder.Fault.IsCompleted);
    }

    [Theory]
    [InlineData("message")]
    [InlineData("receive")]
    public async Task Who_sends_without_end_to_one_client_serves_the_others(string send)
    {
        using var stopping = new CancellationTokenSource();
        await using var server = new StreamServer(Protocol.Tcp, plan => PlanOf(plan, Framing.Fixed, send));
        server.Handler.Message = (peer, message) =>
        {
            if (message[0] == byte.MaxValue)
            {
                SendOn(peer);
            }
            else
            {
                peer.Send(message);
            }
        };
        server.Handler.Writable = SendOn;
        using Socket reader = server.Connect();
        reader.Send(Enumerable.Repeat(byte.MaxValue, StreamServer.MessageSize).ToArray());
        Task<long> reading = Task.Run(() => ReadUntilAsync(reader, stopping.Token), TestContext.Current.CancellationToken);
        for (int client = 0; client < 5; client++)
        {
            server.AssertServes();
        }

        await stopping.CancelAsync();
        Assert.True(await reading > 0);

        static void SendOn(IPeer peer)
        {
            byte[] message = new byte[StreamServer.MessageSize];
            while (!peer.IsCongested && peer.Send(message))
            {
                // Sends as many messages as are accepted.
            }
        }
    }

    [Theory]
    [InlineData(Protocol.Tcp)]
    [InlineData(Protocol.Ssl)]
    public async Task Sockets_of_both_sides_send_at_once(Protocol protocol)
    {
        var (servers, clients) = (new TransportCalls(), new TransportCalls());
        await using var server = new StreamServer(protocol, wrap: transport => new CountingTransport(transport, servers));
        await using IClientGroup group = await server.ConnectAsync(transport => new CountingTransport(transport, clients), new TestClientHandler());
        await server.Handler.Connected.ReachesAsync(1, "clients seen by the server");
        Assert.Equal((true, true), (servers.NoDelay, clients.NoDelay));
    }

    private static RunPlan PlanOf(RunPlan plan, Framing framing, string send) =>
        plan with { Framing = framing, Settings = new Dictionary<string, string> { [StreamSendSetting.Setting.Name] = send } };

    // With length framing the messages have different sizes; the first is the longest.
    private static byte[] MessagesOf(Framing framing, int count, int size)
    {
        var outbox = new Outbox(new RunPlan { Library = "Epoll", Framing = framing, MessageSize = size });
        var random = new Random(count);
        for (int number = 0; number < count; number++)
        {
            byte[] message = new byte[framing == Framing.Length ? size - (number % (size / 2)) : size];
            random.NextBytes(message);
            Assert.True(outbox.TryAdd(message));
        }

        return outbox.Waiting.ToArray();
    }

    private static async Task<byte[]> ReadAsync(Stream stream, int count)
    {
        byte[] read = new byte[count];
        await stream.ReadExactlyAsync(read, TestContext.Current.CancellationToken).AsTask().WaitAsync(LibraryUnderTest.Deadline);
        return read;
    }

    private static async Task<long> ReadUntilAsync(Socket socket, CancellationToken stopping)
    {
        byte[] buffer = new byte[64 * 1024];
        long read = 0;
        try
        {
            while (true)
            {
                read += await socket.ReceiveAsync(buffer, SocketFlags.None, stopping);
            }
        }
        catch (OperationCanceledException)
        {
            return read;
        }
    }

    private static async Task EventuallyAsync(Func<bool> isSo, string what)
    {
        long start = Stopwatch.GetTimestamp();
        while (!isSo())
        {
            Assert.True(Stopwatch.GetElapsedTime(start) < LibraryUnderTest.Deadline, $"It never came to this: {what}");
            await Task.Delay(TimeSpan.FromMilliseconds(5), TestContext.Current.CancellationToken);
        }
    }

    /// <summary>Sends several messages for each received message, and detects nested calls.</summary>
    private sealed class SendingServer(int messages) : IServerHandler
    {
        private bool _isCalled;
        private int _taken;

        public Tally Called { get; } = new();

        public Tally Closed { get; } = new();

        public Tally Nested { get; } = new();

        /// <summary>The messages that were accepted.</summary>
        public int Taken => Volatile.Read(ref _taken);

        public void OnConnected(IPeer peer, WorkerStatistics worker)
        {
            // Nothing is sent at the start.
        }

        public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
        {
            _isCalled = true;
            for (int number = 0; number < messages; number++)
            {
                _taken += peer.Send(message) ? 1 : 0;
            }

            _isCalled = false;
            Called.Add();
        }

        public void OnClosed(IPeer peer, WorkerStatistics worker)
        {
            if (_isCalled)
            {
                Nested.Add();
            }

            Closed.Add();
        }
    }
}
