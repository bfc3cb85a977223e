using System.Net.NetworkInformation;
using System.Runtime.ExceptionServices;
using NetCoreNetworkBenchmark.Running.Paths;
using NetCoreNetworkBenchmark.Tests.Statistics;

namespace NetCoreNetworkBenchmark.Tests.Running.Paths;

/// <summary>The path between two namespaces, seen by plain sockets at its ends.</summary>
[Collection(nameof(HostNetwork))]
[Trait("Category", "Long")]
public sealed class NamespacePathTests
{
    private const int Port = 4000;
    private const int Count = 20_000;
    private const int MessageSize = 32;
    private static readonly TimeSpan s_delay = TimeSpan.FromMilliseconds(10);
    private static readonly IPEndPoint s_server = new(IPAddress.Parse(NamespacePath.ServerAddress), Port);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_round_trip_takes_no_less_than_twice_the_delay() => Assert.InRange(await ShortestRoundTripAsync(), 20.0, double.MaxValue);

    // Other work on the machine only adds to the time.
    [Fact, Trait("Category", "Timing")]
    public async Task A_round_trip_takes_twice_the_delay() => Assert.InRange(await ShortestRoundTripAsync(), 20.0, 20.6);

    [Theory, InlineData(0.05), InlineData(0)]
    public async Task Both_ends_see_what_the_path_counts(double loss) => await SendBothWaysAsync(loss);

    [Theory, InlineData(0.01), InlineData(0.05), InlineData(0), Trait("Category", "Timing")]
    public async Task Path_loses_the_requested_share_each_way(double loss)
    {
        RelayCounts counts = await SendBothWaysAsync(loss);
        BinomialCount.AssertNear(loss, Count, counts.ToServer.Dropped);
        BinomialCount.AssertNear(loss, Count, counts.ToClients.Dropped);
    }

    [Fact]
    public async Task The_same_seed_loses_the_same_packets()
    {
        int[][] arrived = [await ArrivedAsync(seed: 3), await ArrivedAsync(seed: 3), await ArrivedAsync(seed: 4)];
        Assert.Equal(arrived[0], arrived[1]);
        Assert.NotEqual(arrived[0], arrived[2]);
        Assert.InRange(arrived[0].Length, 1, 199);

        static async Task<int[]> ArrivedAsync(int seed)
        {
            await using NamespacePath path = await OpenAsync(new ImpairmentPlan { Loss = 0.3, LossBurst = 2, Seed = seed });
            using Socket server = Datagrams(path.Server, NamespacePath.ServerAddress);
            using Socket client = Datagrams(path.Client, NamespacePath.ClientAddress);
            foreach (int number in Enumerable.Range(0, 200))
            {
                client.SendTo(BitConverter.GetBytes(number), s_server);
            }

            await Task.Delay(TimeSpan.FromMilliseconds(500), Token);
            var arrived = new List<int>();
            byte[] buffer = new byte[sizeof(int)];
            while (server.Available > 0)
            {
                server.Receive(buffer);
                arrived.Add(BitConverter.ToInt32(buffer));
            }

            return [.. arrived];
        }
    }

    // Above 1,472 bytes the kernel fragments what the relay divides by arithmetic.
    [Theory, InlineData(1), InlineData(32), InlineData(1_472), InlineData(1_473), InlineData(4_000), InlineData(65_507)]
    public async Task Relay_and_path_count_the_same_packets_of_datagrams(int size)
    {
        await using NamespacePath path = await OpenAsync(new ImpairmentPlan());
        using Socket server = Datagrams(path.Server, NamespacePath.ServerAddress);
        using Socket client = Datagrams(path.Client, NamespacePath.ClientAddress);
        SendAndReturn(client, s_server, server, size);
        RelayCounts onPath = await path.Relay.CountAsync();
        using Socket localServer = LocalDatagrams();
        using Socket localClient = LocalDatagrams();
        using var recorder = new RunRecorder();
        await using var relay = Relay.Start(RelaySetup.From(new RunPlan { Library = "Sockets" }, (IPEndPoint)localServer.LocalEndPoint!, recorder));
        await relay.BeginAsync();
        SendAndReturn(localClient, relay.EndPoint, localServer, size);
        RelayCounts relayed = await relay.CountAsync();
        Assert.Equal((relayed.ToServer.Wire, relayed.ToClients.Wire), (onPath.ToServer.Wire, onPath.ToClients.Wire));
        Assert.InRange(onPath.ToServer.Wire!.Packets, 1, long.MaxValue);
    }

    [Fact]
    public async Task A_stream_arrives_whole_although_its_packets_are_lost()
    {
        const int Size = 300_000;
        await using NamespacePath path = await OpenAsync(loss: 0.05);
        using Socket client = NamespaceThread.Run(path.Client, () => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
        using Socket accepted = await ConnectAsync(path, client);
        byte[] sent = new byte[Size];
        new Random(1).NextBytes(sent);
        Task sending = SendAsync(client, sent);
        byte[] received = new byte[Size];
        for (int count = 0; count < Size;)
        {
            count += await accepted.ReceiveAsync(received.AsMemory(count), Token).AsTask().WaitAsync(LibraryUnderTest.Deadline, Token);
        }

        await sending;
        Assert.Equal(sent, received);
        Assert.InRange((await path.Relay.CountAsync()).ToServer.Dropped, 1, Size);
    }

    // Mathis, Semke, Mahdavi, Ott: The Macroscopic Behavior of the TCP Congestion Avoidance Algorithm (1997): MSS / RTT × √(3 / 2) / √p, for Reno.
    [Fact, Trait("Category", "Timing")]
    public async Task A_stream_of_TCP_Reno_has_the_rate_of_the_formula_of_Mathis_within_a_factor_of_two()
    {
        const int IpprotoTcp = 6;
        const int TcpCongestion = 13;
        const double Loss = 0.01;
        const int SegmentBytes = 1_448;
        await using NamespacePath path = await OpenAsync(Loss);
        using Socket client = NamespaceThread.Run(path.Client, () => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
        client.SetRawSocketOption(IpprotoTcp, TcpCongestion, "reno"u8);
        using Socket accepted = await ConnectAsync(path, client);
        using var stop = new CancellationTokenSource();
        Task sending = SendUntilAsync(client, stop.Token);
        byte[] buffer = new byte[64 * 1024];
        long bytes = 0;
        long start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) < TimeSpan.FromSeconds(8))
        {
            bytes += await accepted.ReceiveAsync(buffer, Token).AsTask().WaitAsync(LibraryUnderTest.Deadline, Token);
        }

        double rate = bytes / Stopwatch.GetElapsedTime(start).TotalSeconds;
        await stop.CancelAsync();
        await sending;
        double expected = SegmentBytes / (2 * s_delay.TotalSeconds) * Math.Sqrt(1.5) / Math.Sqrt(Loss);
        Assert.InRange(rate, expected / 2, expected * 2);
    }

    [Fact, Trait("Category", "Leak")]
    public async Task Nothing_of_a_path_is_left_after_its_end()
    {
        string[] devices = Devices();
        NamespacePath path = await OpenAsync(loss: 0.01);
        Assert.Equal(2, LeakTests.Targets().Count(IsNamespace));
        Assert.Equal(2, LeakTests.Targets().Count(IsDevice));
        await path.DisposeAsync();
        Assert.DoesNotContain(LeakTests.Targets(), target => IsNamespace(target) || IsDevice(target));
        Assert.Equal(devices, Devices());
    }

    [Fact, Trait("Category", "Leak")]
    public async Task A_path_that_is_cancelled_on_its_way_leaves_nothing()
    {
        Require();
        using var cancelled = new CancellationTokenSource();
        Task<NamespacePath> opening = NamespacePath.OpenAsync(new ImpairmentPlan(), cancelled.Token);
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => opening);
        Assert.DoesNotContain(LeakTests.Targets(), target => IsNamespace(target) || IsDevice(target));
    }

    // In milliseconds, of a few hundred round trips.
    private static async Task<double> ShortestRoundTripAsync()
    {
        const int RoundTrips = 200;
        await using NamespacePath path = await OpenAsync(loss: 0);
        using Socket server = Datagrams(path.Server, NamespacePath.ServerAddress);
        using Socket client = Datagrams(path.Client, NamespacePath.ClientAddress);
        Task echo = Task.Factory.StartNew(() => Echo(server, RoundTrips), Token, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        byte[] buffer = new byte[32];
        double[] times = new double[RoundTrips];
        for (int message = 0; message < RoundTrips; message++)
        {
            long start = Stopwatch.GetTimestamp();
            client.SendTo(buffer, s_server);
            client.Receive(buffer);
            times[message] = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        }

        await echo;
        Array.Sort(times);
        TestContext.Current.TestOutputHelper!.WriteLine(
            $"least {times[0]:0.000} ms, median {times[RoundTrips / 2]:0.000} ms, " +
            $"90 % {times[RoundTrips * 9 / 10]:0.000} ms, longest {times[^1]:0.000} ms");
        return times[0];
    }

    // The counts of the path, which are those of its ends.
    private static async Task<RelayCounts> SendBothWaysAsync(double loss)
    {
        await using NamespacePath path = await OpenAsync(loss);
        using Socket server = Datagrams(path.Server, NamespacePath.ServerAddress);
        using Socket client = Datagrams(path.Client, NamespacePath.ClientAddress);
        long toServer = await CountArrivedAsync(client, server, s_server, Count);
        long toClient = await CountArrivedAsync(server, client, (IPEndPoint)client.LocalEndPoint!, Count);
        RelayCounts counts = await path.Relay.CountAsync();
        var each = new WireTraffic(Count, Count * (long)(20 + 8 + MessageSize));
        Assert.Equal(
            (each, Count - toServer, toServer, each, Count - toClient, toClient),
            (counts.ToServer.Wire, counts.ToServer.Dropped, counts.ToServer.Forwarded,
                counts.ToClients.Wire, counts.ToClients.Dropped, counts.ToClients.Forwarded));
        return counts;
    }

    private static Task<NamespacePath> OpenAsync(double loss) => OpenAsync(new ImpairmentPlan { Loss = loss, Delay = s_delay });

    private static async Task<NamespacePath> OpenAsync(ImpairmentPlan impairment)
    {
        Require();
        NamespacePath path = await NamespacePath.OpenAsync(impairment, Token);
        await path.Relay.BeginAsync();
        return path;
    }

    private static void Require()
    {
        string? missing = NamespacePath.FindMissing();
        Assert.SkipWhen(missing is not null, $"A lossy path is not possible here: {missing}.");
    }

    private static Socket Datagrams(HostNamespace host, string address)
    {
        Socket socket = NamespaceThread.Run(host, () => new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp));
        return Bind(socket, new IPEndPoint(IPAddress.Parse(address), Port));
    }

    private static Socket LocalDatagrams() =>
        Bind(new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp), new IPEndPoint(IPAddress.Loopback, 0));

    private static Socket Bind(Socket socket, IPEndPoint endPoint)
    {
        socket.ReceiveBufferSize = 4_000_000;
        socket.ReceiveTimeout = (int)LibraryUnderTest.Deadline.TotalMilliseconds;
        socket.Bind(endPoint);
        return socket;
    }

    // One message at a time, so that none is dropped.
    private static void SendAndReturn(Socket client, IPEndPoint target, Socket server, int size)
    {
        const int Messages = 20;
        byte[] buffer = new byte[size];
        for (int message = 0; message < Messages; message++)
        {
            client.SendTo(buffer, target);
            EndPoint sender = new IPEndPoint(IPAddress.Any, 0);
            server.ReceiveFrom(buffer, ref sender);
            server.SendTo(buffer, sender);
            client.Receive(buffer);
        }
    }

    private static void Echo(Socket server, int count)
    {
        byte[] buffer = new byte[32];
        for (int message = 0; message < count; message++)
        {
            EndPoint sender = new IPEndPoint(IPAddress.Any, 0);
            int length = server.ReceiveFrom(buffer, ref sender);
            server.SendTo(buffer.AsSpan(0, length), sender);
        }
    }

    private static async Task<int> CountArrivedAsync(Socket sender, Socket receiver, IPEndPoint target, int count)
    {
        const int AtOnce = 50;
        byte[] message = new byte[MessageSize];
        int arrived = 0;
        for (int sent = 0; sent < count; sent++)
        {
            sender.SendTo(message, target);
            if (sent % AtOnce == AtOnce - 1)
            {
                // No faster than the path and the receiver's buffer.
                await Task.Delay(1, Token);
                arrived += Drain(receiver, message);
            }
        }

        await Task.Delay(TimeSpan.FromMilliseconds(500), Token);
        return arrived + Drain(receiver, message);
    }

    private static int Drain(Socket receiver, byte[] message)
    {
        int arrived = 0;
        for (; receiver.Available > 0; arrived++)
        {
            receiver.Receive(message);
        }

        return arrived;
    }

    private static async Task SendAsync(Socket client, byte[] bytes)
    {
        for (int sent = 0; sent < bytes.Length;)
        {
            sent += await client.SendAsync(bytes.AsMemory(sent), Token);
        }
    }

    // The server's end of the connection.
    private static async Task<Socket> ConnectAsync(NamespacePath path, Socket client)
    {
        using Socket listener = NamespaceThread.Run(path.Server, () => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
        listener.Bind(s_server);
        listener.Listen();
        Task<Socket> accepting = listener.AcceptAsync(Token).AsTask();
        await client.ConnectAsync(s_server, Token).AsTask().WaitAsync(LibraryUnderTest.Deadline, Token);
        return await accepting.WaitAsync(LibraryUnderTest.Deadline, Token);
    }

    private static async Task SendUntilAsync(Socket client, CancellationToken stop)
    {
        byte[] bytes = new byte[64 * 1024];
        try
        {
            while (!stop.IsCancellationRequested)
            {
                await client.SendAsync(bytes, stop);
            }
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            // The test has ended.
        }
    }

    private static bool IsNamespace(string target) => target.StartsWith("net:", StringComparison.Ordinal);

    private static bool IsDevice(string target) => target == TunDevice.Driver;

    private static string[] Devices() => [.. NetworkInterface.GetAllNetworkInterfaces().Select(device => device.Name).Order(StringComparer.Ordinal)];
}

/// <summary>Makes sockets in a network namespace. A socket stays in the namespace of the thread that made it, whatever thread uses it.</summary>
internal static class NamespaceThread
{
    public static T Run<T>(HostNamespace host, Func<T> make)
    {
        T result = default!;
        ExceptionDispatchInfo? failure = null;
        var thread = new Thread(() =>
        {
            try
            {
                host.Enter();
                result = make();
            }
            catch (Exception exception)
            {
                failure = ExceptionDispatchInfo.Capture(exception);
            }
        });
        thread.Start();
        thread.Join();
        failure?.Throw();
        return result;
    }
}
