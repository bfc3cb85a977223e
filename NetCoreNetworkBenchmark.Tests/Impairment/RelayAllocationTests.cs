namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>
/// The relay's thread allocates nothing for a datagram. As in the tests of the libraries, the least of several windows counts: a one-time
/// allocation (a queue that grows) falls into one of them.
/// </summary>
public sealed class RelayAllocationTests
{
    private const int Windows = 5;
    private const int Counted = 2_000;
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(60);

    [Fact]
    public void A_datagram_on_its_way_allocates_no_byte()
    {
        var traffic = new Traffic(new ImpairmentPlan
        {
            Delay = TimeSpan.FromMilliseconds(5),
            Jitter = TimeSpan.FromMilliseconds(1),
            Loss = 0.1,
            Duplicate = 0.1,
            Reorder = 0.1,
            Corrupt = 0.1,
            BandwidthBitsPerSecond = 1_000_000_000,
        });
        traffic.Begin(0);
        var client = new DatagramFlow(traffic.ToServer, _ => true);
        var allocated = new long[Windows];
        for (int window = 0; window < Windows; window++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            Carry(traffic, client, window * Counted);
            allocated[window] = GC.GetAllocatedBytesForCurrentThread() - before;
        }

        Assert.Equal(0, allocated.Min());
    }

    [Fact]
    public async Task A_round_trip_through_the_sockets_allocates_no_byte()
    {
        using var recorder = new RunRecorder();
        using Socket server = RelayedTraffic.Bind();
        using Socket client = RelayedTraffic.Bind();
        var loop = new PollLoop("relay", recorder, servesClients: false);
        var traffic = new Traffic(new ImpairmentPlan());
        var listener = new DatagramListener(RelayedTraffic.SetupOf((IPEndPoint)server.LocalEndPoint!, recorder), loop, traffic);
        loop.Post(() =>
        {
            loop.Add(listener);
            loop.Add(traffic.DelayQueue);
            loop.Add(traffic.ReorderBuffer);
        });
        client.Connect(listener.EndPoint);
        var account = new Account(loop);
        var allocated = new List<long>();
        for (int window = 0; window <= Windows; window++)
        {
            RoundTrips(client, server);
            allocated.Add(await account.ReadAsync());
        }

        await loop.StopAsync(s_deadline);
        Assert.Equal(0, allocated.Zip(allocated.Skip(1), (before, after) => after - before).Min());
    }

    private static void Carry(Traffic traffic, DatagramFlow client, int first)
    {
        for (int number = first; number < first + Counted; number++)
        {
            long now = number * (Stopwatch.Frequency / 1_000);
            client.Arrive([1, 2, 3, 4], now);
            traffic.ReorderBuffer.OnDue(now);
            traffic.DelayQueue.OnDue(now);
        }
    }

    private static void RoundTrips(Socket client, Socket server)
    {
        byte[] buffer = new byte[64];
        client.ReceiveTimeout = server.ReceiveTimeout = (int)s_deadline.TotalMilliseconds;
        for (int number = 0; number < Counted; number++)
        {
            client.Send(buffer, 0, 32, SocketFlags.None);
            EndPoint sender = new IPEndPoint(IPAddress.Any, 0);
            int length = server.ReceiveFrom(buffer, ref sender);
            server.SendTo(buffer, length, SocketFlags.None, sender);
            Assert.Equal(32, client.Receive(buffer));
        }
    }

    /// <summary>Queries the bytes that a loop's thread has allocated; the answer itself allocates nothing.</summary>
    private sealed class Account
    {
        private const long Unknown = -1;
        private readonly PollLoop _loop;
        private readonly Action _read;
        private long _allocated;

        public Account(PollLoop loop)
        {
            _loop = loop;
            _read = () => Volatile.Write(ref _allocated, GC.GetAllocatedBytesForCurrentThread());
        }

        public async Task<long> ReadAsync()
        {
            Volatile.Write(ref _allocated, Unknown);
            _loop.Post(_read);
            await Wait.UntilAsync(() => Volatile.Read(ref _allocated) != Unknown, "the answer of the loop");
            return Volatile.Read(ref _allocated);
        }
    }
}

/// <summary>A library cannot distinguish a relay from its server.</summary>
public sealed class RelayedLibrariesTests
{
    private const int Clients = 20;

    [Theory, MemberData(nameof(LibraryUnderTest.Transports), MemberType = typeof(LibraryUnderTest))]
    public async Task Every_library_connects_and_gets_its_answers_through_a_relay(string name, Protocol protocol)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        var answered = new Tally();
        await using var session = new LibrarySession(
            library, protocol, Clients, messageSize: 32, transmission: library.Info.TransmissionsOver(protocol)[0].Transmission);
        session.Client.Started = peer => peer.Send(new byte[32]);
        session.Client.Message = (_, _) => answered.Add();
        session.StartServer();
        await using Relay relay = Relay.Start(Setups.OfRelay(
            session.EndPoint, session.Recorder, protocol.IsOverTcp() ? null : new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(1) },
            new RunPlan { Library = name, Protocol = protocol, Clients = Clients }));
        await session.ConnectAsync(relay.EndPoint);
        await relay.BeginAsync();
        session.Load();
        await answered.ReachesAsync(Clients, "answers came through the relay");
        Assert.Equal(Clients, (await relay.CountAsync()).Clients);
        await session.CloseClientsAsync();
        Assert.False(session.Recorder.Fault.IsCompleted);
    }
}
