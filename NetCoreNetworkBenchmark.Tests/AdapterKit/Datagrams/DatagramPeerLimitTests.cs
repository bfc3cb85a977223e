using NetCoreNetworkBenchmark.AdapterKit.Datagrams;

namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Datagrams;

public sealed class DatagramPeerLimitTests : IDisposable
{
    private readonly RunRecorder _recorder = new();
    private readonly Clock _clock = new();
    private readonly List<Peer> _peers = [];
    private readonly SendRoundRobin _turns = new(new TestServerHandler(), () => { });

    [Fact]
    public void Limit_is_the_number_of_clients_of_the_plan()
    {
        DatagramPeerLimit room = RoomFor(clients: 2);
        Assert.True(Greets(room));
        Assert.True(Greets(room));
        Assert.False(Greets(room));
        _peers.RemoveAt(0);
        Assert.True(Greets(room));
    }

    [Fact]
    public void Silent_peer_is_replaced_by_a_new_client_and_one_that_is_served_is_not()
    {
        DatagramPeerLimit room = RoomFor(clients: 2);
        Greets(room);
        Greets(room);
        Peer served = _peers[1];
        Assert.False(Greets(room));
        _clock.Advance(DatagramPeerLimit.LongestSilence / 2);
        Assert.False(Greets(room));
        served.Send([]);
        _clock.Advance(DatagramPeerLimit.LongestSilence / 2);
        Assert.True(Greets(room));
        Assert.Contains(served, _peers);
        Assert.Equal(2, _peers.Count);
    }

    [Fact]
    public void Receivers_of_a_group_are_not_replaced()
    {
        DatagramPeerLimit room = RoomFor(clients: 1, IPAddress.Parse("239.255.0.1"));
        Greets(room);
        for (int look = 0; look < 3; look++)
        {
            Assert.False(Greets(room));
            _clock.Advance(2 * DatagramPeerLimit.LongestSilence);
        }
    }

    public void Dispose() => _recorder.Dispose();

    private DatagramPeerLimit RoomFor(int clients, IPAddress? group = null) => new(
        new ServerSetup
        {
            EndPoint = new IPEndPoint(IPAddress.Loopback, 0),
            Group = group,
            Plan = new RunPlan { Library = "Sockets", Clients = clients },
            Handler = new TestServerHandler(),
            Recorder = _recorder,
        },
        _clock);

    private bool Greets(DatagramPeerLimit room)
    {
        bool isTaken = room.IsFor(_peers);
        if (isTaken)
        {
            var peer = new Peer(_turns);
            peer.Forgotten = () => _peers.Remove(peer);
            _peers.Add(peer);
        }

        return isTaken;
    }

    private sealed class Peer(SendRoundRobin turns) : DatagramPeer(turns)
    {
        public override bool Send(ReadOnlySpan<byte> message)
        {
            CountSend();
            return true;
        }

        public override void Close() => EndTurns();
    }

    private sealed class Clock : TimeProvider
    {
        private long _now;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => _now;

        public void Advance(TimeSpan time) => _now += time.Ticks;
    }
}
