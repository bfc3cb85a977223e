namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Datagrams;

public sealed class DatagramPeersTests : IDisposable
{
    private readonly RunRecorder _recorder = new();
    private readonly ServerActions _handler = new();
    private readonly List<(int Address, byte[] Datagram)> _sent = [];
    private readonly WorkerStatistics _worker;
    private readonly DatagramPeers<int> _peers;

    public DatagramPeersTests()
    {
        _worker = _recorder.AddWorker(recordsLatency: false);
        var turns = new SendRoundRobin(_handler, () => { });
        _peers = new DatagramPeers<int>(
            Setups.OfServer(new RunPlan { Library = "Sockets", Clients = 2 }, _recorder, _handler), () => _worker,
            address => new TestPeer(turns, datagram => _sent.Add((address, datagram))));
    }

    private long Strangers => _recorder.Unsolicited().Values.Sum();

    [Fact]
    public void Hello_is_answered_each_time_and_registers_once()
    {
        DatagramPeer? peer = Arrive(1, DatagramHandshake.Hello);
        Assert.NotNull(peer);
        Assert.Same(peer, Arrive(1, DatagramHandshake.Hello));
        Assert.Equal([DatagramHandshake.Welcome.ToArray(), DatagramHandshake.Welcome.ToArray()], _sent.Select(sent => sent.Datagram));
        Assert.Equal((1, 0L), (_handler.Connected.Count, Strangers));
    }

    [Fact]
    public void Only_the_messages_of_registered_clients_reach_the_workload()
    {
        Arrive(1, DatagramHandshake.Hello);
        Assert.Null(Arrive(2, [5]));
        Arrive(1, [6]);
        Assert.Equal([6], _sent[^1].Datagram);
        Assert.Equal(1, Strangers);
    }

    [Fact]
    public void Hello_beyond_the_limit_and_bye_without_hello_are_unsolicited()
    {
        Arrive(1, DatagramHandshake.Hello);
        Arrive(2, DatagramHandshake.Hello);
        Assert.Null(Arrive(3, DatagramHandshake.Hello));
        Assert.Null(Arrive(3, DatagramHandshake.Bye));
        Assert.Equal((2, 0, 2L), (_handler.Connected.Count, _handler.Closed.Count, Strangers));
    }

    [Fact]
    public void Client_is_unknown_after_its_bye_until_it_says_hello_again()
    {
        DatagramPeer? gone = Arrive(1, DatagramHandshake.Hello);
        Assert.Null(Arrive(1, DatagramHandshake.Bye));
        Assert.Null(_peers.Find(1));
        DatagramPeer? back = Arrive(1, DatagramHandshake.Hello);
        gone!.Close();
        Assert.Same(back, _peers.Find(1));
        Assert.Equal((2, 1), (_handler.Connected.Count, _handler.Closed.Count));
    }

    [Fact]
    public void CloseAll_sends_a_bye_to_every_client()
    {
        Arrive(1, DatagramHandshake.Hello);
        Arrive(2, DatagramHandshake.Hello);
        _peers.CloseAll();
        Assert.Equal([1, 2], _sent.Where(sent => DatagramHandshake.Read(sent.Datagram) == DatagramHandshakeKind.Bye).Select(sent => sent.Address).Order());
        Assert.Equal(2, _handler.Closed.Count);
    }

    public void Dispose() => _recorder.Dispose();

    private DatagramPeer? Arrive(int sender, ReadOnlySpan<byte> datagram) => _peers.OnDatagram(sender, _peers.Find(sender), datagram, _worker);
}

/// <summary>A peer whose messages the test gets.</summary>
internal sealed class TestPeer(SendRoundRobin turns, Action<byte[]>? send = null) : DatagramPeer(turns)
{
    public int SendAll()
    {
        int sent = 0;
        for (; !IsCongested; sent++)
        {
            Send([1]);
        }

        return sent;
    }

    public override bool Send(ReadOnlySpan<byte> message)
    {
        CountSend();
        send?.Invoke(message.ToArray());
        return true;
    }

    public override void Close()
    {
        if (send is null)
        {
            EndTurns();
        }
        else
        {
            base.Close();
        }
    }
}

public sealed class DatagramHandshakeTests
{
    [Fact]
    public void Read_recognizes_each_datagram_of_the_handshake() => Assert.Equal(
        [DatagramHandshakeKind.Hello, DatagramHandshakeKind.Welcome, DatagramHandshakeKind.Bye],
        [DatagramHandshake.Read(DatagramHandshake.Hello), DatagramHandshake.Read(DatagramHandshake.Welcome), DatagramHandshake.Read(DatagramHandshake.Bye)]);

    [Fact]
    public void Read_takes_anything_else_for_a_message()
    {
        byte[] longer = [.. DatagramHandshake.Hello.ToArray(), 0];
        byte[] changed = DatagramHandshake.Hello.ToArray();
        changed[3] ^= 1;
        Assert.All(
            [[], new byte[DatagramHandshake.Size], longer, changed], datagram => Assert.Equal(DatagramHandshakeKind.None, DatagramHandshake.Read(datagram)));
    }
}

public sealed class MulticastGroupTests
{
    private static readonly RunPlan s_plan = new() { Library = "none", Address = "239.255.0.1" };

    [Theory]
    [InlineData("224.0.0.0", true), InlineData("239.255.255.255", true), InlineData("223.255.255.255", false), InlineData("240.0.0.0", false)]
    [InlineData("127.0.0.1", false), InlineData("ff02::1", false), InlineData("localhost", false)]
    public void A_plan_has_a_group_where_its_address_is_one(string address, bool isGroup) =>
        Assert.Equal(isGroup ? IPAddress.Parse(address) : null, (s_plan with { Address = address }).MulticastGroup);

    [Fact]
    public void Nothing_leaves_the_machine_the_sender_uses_the_loopback_and_no_router()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        MulticastGroup.PrepareSender(socket, s_plan);
        Assert.Equal(IPAddress.Loopback.GetAddressBytes(), socket.GetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastInterface, 4));
        Assert.Equal(1, socket.GetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastTimeToLive));
        Assert.NotEqual(0, socket.GetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastLoopback));
    }

    [Fact]
    public void An_interface_that_is_none_of_this_machine_is_named()
    {
        using var recorder = new RunRecorder();
        ClientSetup setup = Setups.OfClients(s_plan with { MulticastInterface = "192.0.2.77" }, recorder) with { Group = s_plan.MulticastGroup };
        var exception = Assert.Throws<BenchmarkException>(() => MulticastGroup.Join(setup, _ => { }));
        exception.Message.AssertBegins("A client could not join the group 239.255.0.1 on the interface 192.0.2.77: ");
    }
}

public sealed class DatagramPeerLimitTests : IDisposable
{
    private readonly RunRecorder _recorder = new();
    private readonly SetClock _clock = new(TimeSpan.TicksPerSecond);
    private readonly List<TestPeer> _peers = [];
    private readonly SendRoundRobin _turns = new(new ServerActions(), () => { });

    [Fact]
    public void Limit_is_the_number_of_clients_of_the_plan()
    {
        DatagramPeerLimit room = RoomFor(clients: 2);
        Assert.True(Connects(room));
        Assert.True(Connects(room));
        Assert.False(Connects(room));
        _peers.RemoveAt(0);
        Assert.True(Connects(room));
    }

    [Fact]
    public void Silent_peer_is_replaced_by_a_new_client_and_one_that_is_served_is_not()
    {
        DatagramPeerLimit room = RoomFor(clients: 2);
        Connects(room);
        Connects(room);
        TestPeer served = _peers[1];
        Assert.False(Connects(room));
        _clock.Time += (DatagramPeerLimit.LongestSilence / 2).Ticks;
        Assert.False(Connects(room));
        served.Send([]);
        _clock.Time += (DatagramPeerLimit.LongestSilence / 2).Ticks;
        Assert.True(Connects(room));
        Assert.Contains(served, _peers);
        Assert.Equal(2, _peers.Count);
    }

    [Fact]
    public void Receivers_of_a_group_are_not_replaced()
    {
        DatagramPeerLimit room = RoomFor(clients: 1, IPAddress.Parse("239.255.0.1"));
        Connects(room);
        for (int look = 0; look < 3; look++)
        {
            Assert.False(Connects(room));
            _clock.Time += (2 * DatagramPeerLimit.LongestSilence).Ticks;
        }
    }

    public void Dispose() => _recorder.Dispose();

    private DatagramPeerLimit RoomFor(int clients, IPAddress? group = null) =>
        new(Setups.OfServer(new RunPlan { Library = "Sockets", Clients = clients }, _recorder) with { Group = group }, _clock);

    private bool Connects(DatagramPeerLimit room)
    {
        bool isTaken = room.IsFor(_peers);
        if (isTaken)
        {
            var peer = new TestPeer(_turns);
            peer.Forgotten = () => _peers.Remove(peer);
            _peers.Add(peer);
        }

        return isTaken;
    }
}
