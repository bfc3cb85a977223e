using System.Buffers.Binary;
using NetCoreNetworkBenchmark.Impairment;

namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>A datagram as it left the relay.</summary>
/// <param name="Number">The number that most parts of the datagram contain.</param>
/// <param name="Intact">Whether every byte is as it was sent.</param>
/// <param name="At">The time of its arrival (<see cref="Stopwatch.GetTimestamp"/>).</param>
internal sealed record Seen(int Number, bool Intact, long At);

/// <summary>A relay with a client's socket on one side and the server's on the other, and numbered datagrams to send through it.</summary>
internal sealed class RelayedTraffic : IAsyncDisposable
{
    // Small enough to overflow no socket buffer.
    private const int Window = 50;
    private const int Parts = 5;
    private readonly RunRecorder _recorder = new();
    private readonly Socket _client = Bind();
    private readonly Socket _server = Bind();
    private EndPoint? _clientAtServer;

    public RelayedTraffic(ImpairmentPlan impairment)
    {
        Relay = Relay.Start(SetupOf(ServerEndPoint, _recorder, impairment));
        _client.Connect(Relay.EndPoint);
    }

    public static TimeSpan Deadline => TimeSpan.FromSeconds(60);

    public Relay Relay { get; }
    public IPEndPoint ServerEndPoint => (IPEndPoint)_server.LocalEndPoint!;

    public static RelaySetup SetupOf(IPEndPoint server, RunRecorder recorder, ImpairmentPlan? impairment = null) => new()
    {
        EndPoint = new IPEndPoint(IPAddress.Loopback, 0),
        Server = server,
        Impairment = impairment ?? new ImpairmentPlan(),
        Plan = new RunPlan { Library = "Sockets" },
        Recorder = recorder,
    };

    public static Socket Bind()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { ReceiveBufferSize = 1 << 20 };
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return socket;
    }

    /// <summary>A number, repeated so that one changed byte does not hide it.</summary>
    public static byte[] Numbered(int number)
    {
        byte[] datagram = new byte[Parts * sizeof(int)];
        for (int part = 0; part < Parts; part++)
        {
            BinaryPrimitives.WriteInt32LittleEndian(datagram.AsSpan(part * sizeof(int)), number);
        }

        return datagram;
    }

    /// <summary>Makes the client known to the server, so that it can answer.</summary>
    public async Task SendHelloAsync()
    {
        await _client.SendAsync(Numbered(0));
        SocketReceiveFromResult greeting = await Bounded(token => _server.ReceiveFromAsync(new byte[64], SocketFlags.None, ServerEndPoint, token));
        _clientAtServer = greeting.RemoteEndPoint;
    }

    public async Task BeginAsync()
    {
        await SendHelloAsync();
        await Relay.BeginAsync();
    }

    /// <summary>Sends datagrams to the server, window by window, while the impairment is on.</summary>
    /// <returns>The datagrams that left the relay, in their order.</returns>
    public Task<List<Seen>> ToServerAsync(int count) => CarryAsync(count, SendAsync, _server, counts => counts.ToServer);

    /// <summary>Sends datagrams to the client, window by window, while the impairment is on.</summary>
    /// <returns>The datagrams that left the relay, in their order.</returns>
    public Task<List<Seen>> ToClientAsync(int count) =>
        CarryAsync(count, number => _server.SendToAsync(Numbered(number), _clientAtServer!), _client, counts => counts.ToClients);

    public Task SendAsync(int number) => _client.SendAsync(Numbered(number));

    public Task<Seen> ReceiveAtServerAsync() => ReceiveAsync(_server);

    /// <summary>The counts of one direction, read when none of its datagrams is in flight any more.</summary>
    public async Task<RelayDirectionCounts> CountAtRestAsync(long received, Func<RelayCounts, RelayDirectionCounts> direction)
    {
        long start = Stopwatch.GetTimestamp();
        while (true)
        {
            RelayDirectionCounts counts = direction(await Relay.CountAsync());
            long arrived = counts.Received + counts.Duplicated;
            if (counts.Received == received && arrived == counts.Forwarded + counts.Dropped + counts.Overflowed)
            {
                return counts;
            }

            Assert.True(Stopwatch.GetElapsedTime(start) < Deadline, $"Not at rest after {received} datagrams: {counts}");
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Relay.DisposeAsync();
        _client.Dispose();
        _server.Dispose();
        Assert.False(_recorder.Fault.IsCompleted);
        _recorder.Dispose();
    }

    // The window is over when the relay has counted all of its datagrams, and all forwarded datagrams have been received.
    private async Task<List<Seen>> CarryAsync(int count, Func<int, Task> send, Socket receiver, Func<RelayCounts, RelayDirectionCounts> direction)
    {
        var seen = new List<Seen>();
        for (int sent = 0; sent < count;)
        {
            for (int number = 0; number < Window && sent < count; number++)
            {
                await send(sent++);
            }

            RelayDirectionCounts counts = await CountAtRestAsync(sent, direction);
            while (seen.Count < counts.Forwarded)
            {
                seen.Add(await ReceiveAsync(receiver));
            }
        }

        Assert.Equal(0, receiver.Available);
        return seen;
    }

    private static async Task<Seen> ReceiveAsync(Socket receiver)
    {
        byte[] buffer = new byte[RunPlan.LargestDatagram];
        int length = await Bounded(token => receiver.ReceiveAsync(buffer, token));
        long now = Stopwatch.GetTimestamp();
        Assert.Equal(Parts * sizeof(int), length);
        int[] parts = [.. Enumerable.Range(0, Parts).Select(part => BinaryPrimitives.ReadInt32LittleEndian(buffer.AsSpan(part * sizeof(int))))];
        IGrouping<int, int> most = parts.GroupBy(part => part).MaxBy(group => group.Count())!;
        Assert.True(most.Count() >= Parts - 1, "More than one byte was changed.");
        int changed = buffer.Take(length).Zip(Numbered(most.Key)).Count(pair => pair.First != pair.Second);
        Assert.True(changed <= 1, "More than one byte was changed.");
        return new Seen(most.Key, changed == 0, now);
    }

    private static async Task<T> Bounded<T>(Func<CancellationToken, ValueTask<T>> receive)
    {
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        deadline.CancelAfter(Deadline);
        return await receive(deadline.Token);
    }
}
