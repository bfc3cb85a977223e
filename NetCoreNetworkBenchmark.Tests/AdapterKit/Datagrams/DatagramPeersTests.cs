using NetCoreNetworkBenchmark.AdapterKit.Datagrams;

namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Datagrams;

public sealed class DatagramPeersTests : IDisposable
{
    private readonly RunRecorder _recorder = new();
    private readonly TestServerHandler _handler = new();
    private readonly List<(int Address, byte[] Datagram)> _sent = [];
    private readonly WorkerStatistics _worker;
    private readonly DatagramPeers<int> _peers;

    public DatagramPeersTests()
    {
        _worker = _recorder.AddWorker(recordsLatency: false);
        var turns = new SendRoundRobin(_handler, () => { });
        _peers = new DatagramPeers<int>(
            new ServerSetup
            {
                EndPoint = new IPEndPoint(IPAddress.Loopback, 0),
                Plan = new RunPlan { Library = "Sockets", Clients = 2 },
                Handler = _handler,
                Recorder = _recorder,
            },
            () => _worker,
            address => new Peer(turns, datagram => _sent.Add((address, datagram))));
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

    private sealed class Peer(SendRoundRobin turns, Action<byte[]> send) : DatagramPeer(turns)
    {
        public override bool Send(ReadOnlySpan<byte> message)
        {
            CountSend();
            send(message.ToArray());
            return true;
        }
    }
}
