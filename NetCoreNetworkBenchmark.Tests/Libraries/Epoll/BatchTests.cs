namespace NetCoreNetworkBenchmark.Tests.Libraries.Epoll;

/// <summary>Datagrams that are sent by one batch are received by another, over real sockets.</summary>
public sealed unsafe class BatchTests : InTemporaryFolder
{
    private const int MessageSize = 32;
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(60);
    private readonly List<Socket> _sockets = [];

    public BatchTests() => Assert.SkipUnless(OperatingSystem.IsLinux(), "These are system calls of Linux.");

    public static TheoryData<string> Modes => [.. Enum.GetNames<BatchMode>()];

    public static MatrixTheoryData<string, int[]> ModesAndSizes =>
        new(Enum.GetNames<BatchMode>(), [[.. Enumerable.Repeat(MessageSize, 200)], [32, 32, 31, 32, 33, 1, 1, 2, 17, 32, 32, 32, 5]]);

    [Theory, InlineData(null, false, 4), InlineData(100.0, false, int.MaxValue), InlineData(null, true, int.MaxValue)]
    public void MaxWaiting_is_bounded_in_a_closed_loop_alone(double? rate, bool listens, int expected)
    {
        using var recorder = new RunRecorder();
        var plan = new RunPlan { Library = "Epoll", ParallelMessages = 4, Rate = rate };
        Assert.Equal(expected, DatagramConnection.MaxWaiting(Setups.OfClients(plan, recorder) with { Listens = listens }));
    }

    [Fact]
    public void OfClient_makes_plain_calls_only_when_one_message_can_wait()
    {
        var plan = new RunPlan { Library = "Epoll" };
        Assert.Equal(BatchMode.Call, Batch.OfClient(BatchMode.Gso, plan, maxWaiting: 1).Mode);
        Assert.Equal(BatchMode.Gso, Batch.OfClient(BatchMode.Gso, plan, maxWaiting: int.MaxValue).Mode);
    }

    [Theory, MemberData(nameof(ModesAndSizes))]
    public void Every_message_arrives_once_in_order_and_whole(string mode, int[] sizes)
    {
        (Socket sender, Socket receiver) = Pair(mode);
        SendBatch waiting = Sends(mode);
        byte[][] messages = [.. sizes.Select((size, index) => Message((byte)(index + 1), size))];
        foreach (byte[] message in messages)
        {
            while (!waiting.TryAdd(null, message))
            {
                Assert.Equal((0, SocketError.Success), (waiting.Flush((int)sender.Handle, sender, out SocketError error), error));
            }
        }

        Assert.Equal(0, waiting.Flush((int)sender.Handle, sender, out _));
        Assert.True(waiting.IsEmpty);
        Assert.Equal(messages, ReceiveAll(receiver, Receives(mode), messages.Length));
    }

    [Theory, MemberData(nameof(Modes))]
    public void An_empty_message_waits_and_arrives_like_any_other(string mode)
    {
        Socket receiver = Open("Mmsg", connectTo: null);
        Socket sender = Open(mode, (IPEndPoint)receiver.LocalEndPoint!);
        SendBatch waiting = Sends(mode);
        int[] sizes = [0, 0, MessageSize, 0, MessageSize, MessageSize, 0];
        foreach (int size in sizes)
        {
            byte[] message = size == 0 ? [] : Message(1, size);
            while (!waiting.TryAdd(null, message))
            {
                Assert.Equal(0, waiting.Flush((int)sender.Handle, sender, out _));
            }

            Assert.False(waiting.IsEmpty);
        }

        Assert.Equal(0, waiting.Flush((int)sender.Handle, sender, out _));
        Assert.Equal(sizes, sizes.Select(_ => receiver.Poll(s_deadline, SelectMode.SelectRead) ? receiver.Receive(new byte[MessageSize + 1]) : -1));
    }

    [Theory, MemberData(nameof(Modes))]
    public void Each_receiver_gets_its_own_and_knows_the_sender(string mode)
    {
        Socket server = Open(mode, connectTo: null);
        Socket[] clients = [.. Enumerable.Range(0, 5).Select(_ => Open(mode, (IPEndPoint)server.LocalEndPoint!))];
        ReceiveBatch received = Receives(mode, fromAnyone: true);
        SendBatch waiting = Sends(mode);
        foreach (byte round in Enumerable.Range(0, 3))
        {
            for (byte client = 0; client < clients.Length; client++)
            {
                clients[client].Send(Message((byte)((client * 10) + round), MessageSize));
            }
        }

        // An echo that only uses addresses.
        for (int echoed = 0; echoed < 15;)
        {
            Assert.True(server.Poll(s_deadline, SelectMode.SelectRead));
            int count = received.Receive((int)server.Handle, out _);
            for (int index = 0; index < count; index++)
            {
                SocketName name = received.NameOf(index);
                ReadOnlySpan<byte> bytes = received.BytesOf(index);
                for (int start = 0; start < bytes.Length; start += received.SegmentSizeOf(index))
                {
                    while (!waiting.TryAdd(&name, bytes.Slice(start, MessageSize)))
                    {
                        waiting.Flush((int)server.Handle, server, out _);
                    }

                    echoed++;
                }
            }

            waiting.Flush((int)server.Handle, server, out _);
        }

        for (byte client = 0; client < clients.Length; client++)
        {
            byte[][] expected = [.. Enumerable.Range(0, 3).Select(round => Message((byte)((client * 10) + round), MessageSize))];
            Assert.Equal(expected, ReceiveAll(clients[client], Receives(mode), 3));
        }
    }

    [Fact]
    public void Gso_takes_many_messages_of_one_size_by_one_element()
    {
        (Socket sender, Socket receiver) = Pair("Gso");
        SendBatch waiting = Sends("Gso");
        for (byte number = 0; number < 10; number++)
        {
            Assert.True(waiting.TryAdd(null, Message(number, MessageSize)));
        }

        Assert.True(waiting.TryAdd(null, Message(10, 5)));
        waiting.Flush((int)sender.Handle, sender, out _);
        ReceiveBatch received = Receives("Gso");
        Assert.True(receiver.Poll(s_deadline, SelectMode.SelectRead));
        Assert.Equal(1, received.Receive((int)receiver.Handle, out _));
        Assert.Equal(((10 * MessageSize) + 5, MessageSize), (received.BytesOf(0).Length, received.SegmentSizeOf(0)));
    }

    [Theory, InlineData(1000, 100), InlineData(Batch.LargestSegment, 100), InlineData(Batch.LargestSegment + 1, 2)]
    public void Gso_never_puts_more_together_than_a_datagram_or_a_packet_holds(int size, int count)
    {
        var plan = new RunPlan { Library = "Epoll", MessageSize = size };
        var waiting = new SendBatch(Batch.OfServer(BatchMode.Gso, plan), size);
        (Socket sender, Socket receiver) = Pair("Gso");
        byte[][] messages = [.. Enumerable.Range(0, count).Select(number => Message((byte)number, size))];
        Assert.All(messages, message => Assert.True(waiting.TryAdd(null, message)));
        Assert.Equal((0, SocketError.Success), (waiting.Flush((int)sender.Handle, sender, out SocketError error), error));
        Assert.Equal(messages, ReceiveAll(receiver, new ReceiveBatch(Batch.OfServer(BatchMode.Gso, plan), fromAnyone: false), messages.Length));
    }

    [Theory, MemberData(nameof(Modes))]
    public void Nothing_to_receive_is_WouldBlock(string mode)
    {
        (_, Socket receiver) = Pair(mode);
        Assert.Equal((0, SocketError.WouldBlock), (Receives(mode).Receive((int)receiver.Handle, out SocketError error), error));
    }

    [Theory, MemberData(nameof(Modes))]
    public void A_message_that_is_too_long_is_seen_to_be(string mode)
    {
        (Socket sender, Socket receiver) = Pair(mode);
        sender.Send(Message(1, MessageSize * 4));
        Assert.True(Assert.Single(ReceiveAll(receiver, Receives(mode), 1)).Length > MessageSize);
    }

    /// <summary>A Unix socket's queue is full after a few datagrams. The vector is sent in parts, and the rest when there is room or not at all.</summary>
    [Fact]
    public void What_the_system_does_not_take_within_the_wait_is_dropped_and_counted()
    {
        var path = new UnixDomainSocketEndPoint(PathOf("s"));
        Socket receiver = Keep(new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified) { Blocking = false });
        receiver.Bind(path);
        Socket sender = Keep(new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified) { Blocking = false });
        sender.Connect(path);
        SendBatch waiting = Sends("Mmsg");
        int added = 0;
        int dropped = 0;
        SocketError error = SocketError.Success;
        while (dropped == 0 && added < 100_000)
        {
            for (int number = 0; number < 50; number++)
            {
                Assert.True(waiting.TryAdd(null, Message((byte)added++, MessageSize)));
            }

            dropped = waiting.Flush((int)sender.Handle, sender, out error);
        }

        Assert.Equal((SocketError.WouldBlock, true), (error, waiting.IsEmpty));
        byte[][] arrived = ReceiveAll(receiver, Receives("Mmsg"), added - dropped);
        Assert.Equal(Enumerable.Range(0, added - dropped).Select(number => (byte)number), arrived.Select(message => message[0]));
        Assert.False(receiver.Poll(TimeSpan.Zero, SelectMode.SelectRead));
    }

    [Theory, MemberData(nameof(Modes))]
    public void An_error_drops_the_one_message_and_sends_the_others(string mode)
    {
        Socket sender = Open(mode, connectTo: null);
        Socket receiver = Open(mode, connectTo: null);
        SocketName good = NameOf(receiver);

        // The broadcast address. A socket may send to it only with the socket option for it.
        var bad = new SocketName(new IPEndPoint(IPAddress.Broadcast, 9).Serialize().Buffer.Span);
        SendBatch waiting = Sends(mode);
        int dropped = 0;
        SocketError worst = SocketError.Success;
        foreach (SocketName name in new[] { good, bad, good })
        {
            SocketName receiverName = name;
            while (!waiting.TryAdd(&receiverName, Message(7, MessageSize)))
            {
                Flush();
            }
        }

        Flush();
        Assert.Equal((1, SocketError.AccessDenied, 2), (dropped, worst, ReceiveAll(receiver, Receives(mode), 2).Length));

        void Flush()
        {
            dropped += waiting.Flush((int)sender.Handle, sender, out SocketError error);
            worst = error == SocketError.Success ? worst : error;
        }
    }

    public override void Dispose()
    {
        _sockets.ForEach(socket => socket.Dispose());
        base.Dispose();
    }

    private static RunPlan Plan => new() { Library = "Epoll", MessageSize = MessageSize, ParallelMessages = 1000 };

    private static SendBatch Sends(string mode) => new(Batch.OfServer(Enum.Parse<BatchMode>(mode), Plan), MessageSize + 1);

    private static ReceiveBatch Receives(string mode, bool fromAnyone = false) => new(Batch.OfServer(Enum.Parse<BatchMode>(mode), Plan), fromAnyone);

    private static byte[] Message(byte first, int size)
    {
        var message = new byte[size];
        message.AsSpan().Fill((byte)(first * 3));
        message[0] = first;
        return message;
    }

    private static SocketName NameOf(Socket socket) => new(socket.LocalEndPoint!.Serialize().Buffer.Span);

    private static byte[][] ReceiveAll(Socket socket, ReceiveBatch received, int count)
    {
        List<byte[]> messages = [];
        while (messages.Count < count && socket.Poll(s_deadline, SelectMode.SelectRead))
        {
            int elements = received.Receive((int)socket.Handle, out _);
            for (int index = 0; index < elements; index++)
            {
                messages.AddRange(received.BytesOf(index).ToArray().Chunk(received.SegmentSizeOf(index)));
            }
        }

        return [.. messages];
    }

    private (Socket Sender, Socket Receiver) Pair(string mode)
    {
        Socket receiver = Open(mode, connectTo: null);
        return (Open(mode, (IPEndPoint)receiver.LocalEndPoint!), receiver);
    }

    private Socket Open(string mode, IPEndPoint? connectTo)
    {
        Socket socket = Keep(new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp));
        EpollBenchmark.Prepare(socket, 1024 * 1024, Enum.Parse<BatchMode>(mode));
        if (connectTo is null)
        {
            socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        }
        else
        {
            socket.Connect(connectTo);
        }

        return socket;
    }

    private Socket Keep(Socket socket)
    {
        _sockets.Add(socket);
        return socket;
    }
}
