using SharedTests = NetCoreNetworkBenchmark.Tests.Libraries.Streams.StreamSendTests;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Epoll.Streams;

/// <summary>The bytes that one system call of Epoll passes to the system over a stream, in each way to send.</summary>
public sealed class StreamSendTests
{
    private const string Epoll = "Epoll";
    private const int Messages = 500;

    public static IEnumerable<TheoryDataRow<Protocol, Framing, string>> Ways() =>
        from protocol in (Protocol[])[Protocol.Tcp, Protocol.Ssl]
        from framing in (Framing[])[Framing.Fixed, Framing.Length, Framing.Checked]
        from send in StreamSendSetting.Setting.Values
        select new TheoryDataRow<Protocol, Framing, string>(protocol, framing, send);

    [Theory, MemberData(nameof(Ways))]
    public async Task A_server_makes_one_call_for_each_message_or_for_all_of_a_receive_call(Protocol protocol, Framing framing, string send)
    {
        var calls = new TransportCalls();
        await using var service = new StreamService(Epoll, protocol, plan => PlanOf(plan, framing, send), start: calls.StartServer);
        await using Stream stream = await service.ConnectAsync();
        byte[] messages = MessagesOf(framing, Messages, StreamService.Size);
        await stream.WriteAsync(messages, TestContext.Current.CancellationToken);
        Assert.Equal(messages, await StreamService.ReadAsync(stream, messages.Length));
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

    [Theory, MemberData(nameof(Ways))]
    public async Task A_client_makes_one_call_for_each_message_or_for_all_of_a_call_of_the_workload(Protocol protocol, Framing framing, string send)
    {
        var calls = new TransportCalls();
        await using var service = new StreamService(Epoll, protocol, plan => PlanOf(plan, framing, send));
        var answers = new Tally();
        service.Client.Started = SendMany;
        service.Client.Message = (_, _) => answers.Add();
        await using IClientGroup clients = await calls.ConnectAsync(service);
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

    [Theory, MemberData(nameof(Ways))]
    public async Task What_a_client_does_not_read_yet_waits_within_a_bound_and_arrives_as_it_was_sent(Protocol protocol, Framing framing, string send)
    {
        const int MessageSize = 4_000;
        const int Portions = 8_000;
        const int Bound = 3 * 64 * 1024;
        var calls = new TransportCalls();
        await using var service = new StreamService(
            Epoll, protocol, plan => PlanOf(plan, framing, send) with { MessageSize = MessageSize }, start: calls.StartServer);
        await using Stream stream = await service.ConnectAsync();
        byte[] portion = MessagesOf(framing, 1, MessageSize);
        Task sending = Task.Run(
            async () =>
            {
                for (int number = 0; number < Portions; number++)
                {
                    // The XOR of all bytes, which a frame may have to check, stays the same.
                    int change = portion[^1] ^ (byte)number;
                    (portion[^2], portion[^1]) = ((byte)(portion[^2] ^ change), (byte)number);
                    await stream.WriteAsync(portion, TestContext.Current.CancellationToken);
                }
            },
            TestContext.Current.CancellationToken);
        await Wait.UntilAsync(() => calls.Refused > 0 || sending.IsFaulted, () => "the system does not take an answer");
        for (int number = 0; number < Portions; number++)
        {
            byte[] answer = await StreamService.ReadAsync(stream, portion.Length);
            Assert.Equal((byte)number, answer[^1]);
            Assert.True(answer.AsSpan(0, answer.Length - 2).SequenceEqual(portion.AsSpan(0, portion.Length - 2)));
        }

        await sending;
        Assert.InRange(calls.MaxQueued, 1, Bound);
        Assert.Empty(service.Recorder.Errors());
    }

    [Theory, InlineData("message"), InlineData("receive")]
    public async Task A_send_that_fails_ends_the_connection_after_the_call_of_the_workload(string send)
    {
        const int FailingSend = 3;
        var calls = new TransportCalls { FailingSend = FailingSend };
        await using var service = new StreamService(Epoll, Protocol.Tcp, plan => PlanOf(plan, Framing.Fixed, send), start: calls.StartServer);
        var (called, nested, taken) = (new Tally(), 0, 0);
        service.Handler.Message = (peer, message) =>
        {
            for (int number = 0; number < Messages; number++)
            {
                taken += peer.Send(message) ? 1 : 0;
            }

            nested += service.Handler.Closed.Count;
            called.Add();
        };
        await using NetworkStream stream = await service.ConnectPlainAsync();
        for (int round = 0; round < (send == "message" ? 1 : FailingSend); round++)
        {
            stream.Write(new byte[StreamService.Size]);
            await called.ReachesAsync(1, "calls of the workload");
        }

        await service.Handler.Closed.ReachesAsync(1, "closes seen by the server");
        Assert.Equal((0, FailingSend, 0, send == "message" ? FailingSend - 1 : FailingSend * Messages), (nested, calls.Sends, calls.AfterEnd, taken));
        await service.AssertOnlyErrorAsync("server ConnectionReset");
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task No_call_is_made_for_a_connection_after_its_end(Protocol protocol, Framing framing, string send)
    {
        var calls = new TransportCalls();
        await using var service = new StreamService(Epoll, protocol, plan => PlanOf(plan, framing, send));
        service.Client.Started = SendMany;
        service.Client.Message = (peer, _) =>
        {
            peer.Close();
            peer.Send(new byte[StreamService.Size]);
            peer.Wake();
        };
        await using IClientGroup clients = await calls.ConnectAsync(service);
        clients.Start();
        await service.Client.Closed.ReachesAsync(1, "closes seen by the client");
        clients.Start();
        await service.Handler.Closed.ReachesAsync(1, "closes seen by the server");
        await service.AssertServesAsync();
        await clients.DisposeAsync();
        Assert.Equal(0, calls.AfterEnd);
    }

    [Theory, InlineData(Protocol.Tcp), InlineData(Protocol.Ssl)]
    public async Task Sockets_of_both_sides_send_at_once(Protocol protocol)
    {
        var (servers, clients) = (new TransportCalls(), new TransportCalls());
        await using var service = new StreamService(Epoll, protocol, start: servers.StartServer);
        await using IClientGroup group = await clients.ConnectAsync(service);
        await service.Handler.Connected.ReachesAsync(1, "clients seen by the server");
        Assert.Equal((true, true), (servers.NoDelay, clients.NoDelay));
    }

    private static RunPlan PlanOf(RunPlan plan, Framing framing, string send) => SharedTests.PlanOf(plan, framing, send);

    private static byte[] MessagesOf(Framing framing, int count, int size) => SharedTests.MessagesOf(framing, count, size);

    private static void SendMany(IPeer peer)
    {
        for (int number = 0; number < Messages; number++)
        {
            Assert.True(peer.Send(new byte[StreamService.Size]));
        }
    }
}
