using System.Buffers;

namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Streams;

/// <summary>The bytes that one call passes to the library, over a connection that records each write.</summary>
public sealed class StreamPeerTests
{
    private const int Size = 32;

    [Theory]
    [InlineData("message", true, Framing.Fixed, new[] { Size, Size, Size })]
    [InlineData("message", true, Framing.Length, new[] { Size + 4, Size + 4, Size + 4 })]
    [InlineData("message", false, Framing.Fixed, new[] { Size, Size, Size })]
    [InlineData("receive", true, Framing.Fixed, new[] { 3 * Size })]
    [InlineData("receive", true, Framing.Length, new[] { 3 * (Size + 4) })]
    [InlineData("receive", false, Framing.Fixed, new[] { 3 * Size })]
    [InlineData("echo", true, Framing.Fixed, new[] { 3 * Size })]
    [InlineData("echo", false, Framing.Fixed, new[] { Size, Size, Size })]
    public void Answers_to_one_receive_are_written_as_the_setting_says(string send, bool isServer, Framing framing, int[] writes)
    {
        using var connection = new Connection(send, isServer, framing);
        connection.Receive(messages: 3);
        Assert.Equal(writes, connection.Writes.Select(write => write.Length));
    }

    [Fact]
    public void A_message_is_written_before_the_next_one_is_handed_on()
    {
        using var connection = new Connection("message");
        var writesBefore = new List<int>();
        connection.Handler.Message = (peer, message) =>
        {
            writesBefore.Add(connection.Writes.Count);
            peer.Send(message);
        };
        connection.Receive(messages: 3);
        Assert.Equal([0, 1, 2], writesBefore);
    }

    [Fact]
    public void Messages_wait_behind_a_write_that_is_under_way_and_then_go_one_by_one_in_their_order()
    {
        using var connection = new Connection("message");
        connection.Hold();
        connection.Receive(messages: 4);
        Assert.Equal([0], connection.Writes.Select(write => write[0]));
        connection.Release();
        Assert.Equal([0, 1, 2, 3], connection.Writes.Select(write => write[0]));
        Assert.All(connection.Writes, write => Assert.Equal(Size, write.Length));
    }

    [Theory, InlineData("message"), InlineData("receive")]
    public void A_server_reads_no_more_from_a_peer_that_takes_nothing(string send)
    {
        using var connection = new Connection(send);
        connection.Hold();
        int received = 0;
        while (connection.Receive(messages: 100))
        {
            received += 100;
            Assert.InRange(received * Size, 0, 1024 * 1024);
        }

        Assert.Single(connection.Writes);
    }

    [Fact]
    public void A_peer_that_takes_everything_is_congested_after_a_turn_and_goes_on_in_another()
    {
        using var connection = new Connection("message");
        using var turns = new SemaphoreSlim(0);
        var sentInTurn = new List<int>();
        connection.Handler.Writable = peer =>
        {
            int sent = 0;
            while (!peer.IsCongested)
            {
                peer.Send(new byte[Size]);
                sent++;
            }

            sentInTurn.Add(sent);
            if (sentInTurn.Count == 3)
            {
                peer.Close();
                turns.Release();
            }
        };
        connection.Peer.Wake();
        Assert.True(turns.Wait(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
        Assert.Equal([SendRoundRobin.Budget, SendRoundRobin.Budget, SendRoundRobin.Budget], sentInTurn);
    }

    [Fact]
    public void A_peer_whose_library_holds_its_bytes_is_congested_until_they_have_drained()
    {
        using var connection = new Connection("message");
        using var turns = new SemaphoreSlim(0);
        connection.Peer.HoldsBytes = true;
        connection.Handler.Writable = peer =>
        {
            while (!peer.IsCongested)
            {
                peer.Send(new byte[Size]);
            }

            turns.Release();
        };
        connection.Peer.Wake();
        Assert.True(turns.Wait(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
        Assert.Single(connection.Writes);
        connection.Peer.Release();
        Assert.Equal((true, 2), (turns.Wait(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken), connection.Writes.Count));
    }

    [Fact]
    public void A_connection_that_is_reported_twice_is_one()
    {
        using var connection = new Connection("message");
        connection.Peer.Begin();
        Assert.Equal(1, connection.Handler.Connected.Count);
    }

    [Fact]
    public void A_write_that_fails_within_a_call_ends_the_connection_after_that_call()
    {
        using var connection = new Connection("message");
        var closedAfterSend = new List<int>();
        connection.Handler.Message = (peer, message) =>
        {
            peer.Send(message);
            closedAfterSend.Add(connection.Handler.Closed.Count);
        };
        connection.Break();
        connection.Receive(messages: 2);
        Assert.Equal([0, 0], closedAfterSend);
        Assert.Equal(1, connection.Handler.Closed.Count);
        Assert.Equal(["server ConnectionReset"], connection.Recorder.Errors().Keys);
        Assert.Equal(1, connection.Peer.Shuts);
    }

    private sealed class Connection : IDisposable
    {
        private readonly ClientActions _client = new() { Message = (peer, message) => peer.Send(message) };
        private readonly Framing _framing;

        public Connection(string send, bool isServer = true, Framing framing = Framing.Fixed)
        {
            _framing = framing;
            var plan = new RunPlan
            {
                Library = "none",
                Protocol = Protocol.Tcp,
                Framing = framing,
                MessageSize = Size,
                Settings = new Dictionary<string, string> { ["send"] = send },
            };
            Peer = new NotingPeer(
                isServer ? StreamSide.For(Setups.OfServer(plan, Recorder, Handler)) : StreamSide.For(Setups.OfClients(plan, Recorder, _client)));
            Peer.Begin();
        }

        public RunRecorder Recorder { get; } = new();
        public ServerActions Handler { get; } = new();
        public NotingPeer Peer { get; }
        public List<byte[]> Writes => Peer.Writes;

        /// <summary>Receives messages by one call. Each byte of a message is the number of the message.</summary>
        public bool Receive(int messages)
        {
            int prefix = _framing == Framing.Length ? StreamFramer.PrefixSize : 0;
            byte[] bytes = new byte[messages * (prefix + Size)];
            for (int number = 0; number < messages; number++)
            {
                Span<byte> message = bytes.AsSpan(number * (prefix + Size), prefix + Size);
                message[..prefix].Clear();
                message[prefix..].Fill((byte)number);
                if (prefix > 0)
                {
                    message[prefix - 1] = Size;
                }
            }

            return Peer.Take(bytes);
        }

        public void Hold() => Peer.Held = new TaskCompletionSource();

        public void Release()
        {
            TaskCompletionSource held = Peer.Held!;
            Peer.Held = null;
            held.SetResult();
        }

        public void Break() => Peer.IsBroken = true;

        public void Dispose()
        {
            Peer.Close();
            Recorder.Dispose();
        }
    }

    private sealed class NotingPeer(StreamSide side) : StreamPeer(side)
    {
        public List<byte[]> Writes { get; } = [];
        public TaskCompletionSource? Held { get; set; }
        public bool IsBroken { get; set; }

        /// <summary>Whether the library holds the bytes of each write, until <see cref="Release"/>.</summary>
        public bool HoldsBytes { get; set; }
        public int Shuts { get; private set; }

        public void Begin() => Open();

        public void Release() => OnLibraryDrained();

        public bool Take(byte[] received) => Receive(new ReadOnlySequence<byte>(received));

        protected override ValueTask WriteAsync(ReadOnlyMemory<byte> bytes)
        {
            if (IsBroken)
            {
                throw new SocketException((int)SocketError.ConnectionReset);
            }

            Writes.Add(bytes.ToArray());
            IsLibraryFull = HoldsBytes;
            return Held is { } held ? new ValueTask(held.Task) : ValueTask.CompletedTask;
        }

        protected override void CloseTransport(bool canSend) => Shuts++;
    }
}

/// <summary>When a heartbeat is due and when the other side is gone, by times of the test.</summary>
public sealed class LivenessTests
{
    private const int Misses = 3;
    private static readonly long s_second = Stopwatch.Frequency;

    [Fact]
    public void Of_is_null_without_heartbeats() => Assert.Null(Liveness.For(new RunPlan { Library = "Epoll" }, now: 0));

    [Fact]
    public void IsDue_is_true_when_nothing_was_sent_for_an_interval()
    {
        Liveness liveness = Create(now: 100);
        Assert.False(liveness.IsDue(100 + s_second - 1));
        Assert.True(liveness.IsDue(100 + s_second));
        liveness.Sent(100 + s_second);
        Assert.False(liveness.IsDue(100 + (2 * s_second) - 1));
        liveness.Received(100 + (2 * s_second));
        Assert.True(liveness.IsDue(100 + (2 * s_second)));
    }

    [Theory, InlineData(false), InlineData(true)]
    public void IsLost_is_true_when_all_heartbeats_were_missed_and_before_the_next_one(bool hasUnsent)
    {
        Liveness liveness = Create(now: 0);
        Assert.False(liveness.IsLost(Misses * s_second, hasUnsent));
        Assert.True(liveness.IsLost((Misses + 1) * s_second, hasUnsent));
    }

    [Fact]
    public void IsLost_is_true_for_a_peer_that_sends_and_accepts_nothing()
    {
        Liveness liveness = Create(now: 0);
        liveness.Received(4 * s_second);
        Assert.False(liveness.IsLost(4 * s_second, hasUnsent: false));
        Assert.True(liveness.IsLost(4 * s_second, hasUnsent: true));
        liveness.Sent(4 * s_second);
        Assert.False(liveness.IsLost(4 * s_second, hasUnsent: true));
    }

    private static Liveness Create(long now) => Liveness.For(
        new RunPlan { Library = "Epoll", Liveness = new LivenessPlan { Heartbeat = TimeSpan.FromSeconds(1), HeartbeatMisses = Misses } }, now)!;
}
