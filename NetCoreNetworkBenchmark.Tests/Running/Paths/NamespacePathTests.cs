using System.Net.NetworkInformation;
using System.Runtime.ExceptionServices;
using Microsoft.Win32.SafeHandles;
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
    [Fact]
    [Trait("Category", "Timing")]
    public async Task A_round_trip_takes_twice_the_delay() => Assert.InRange(await ShortestRoundTripAsync(), 20.0, 20.6);

    [Theory, InlineData(0.05), InlineData(0)]
    public async Task Both_ends_see_what_the_path_counts(double loss) => await SendBothWaysAsync(loss);

    [Theory, InlineData(0.01), InlineData(0.05), InlineData(0)]
    [Trait("Category", "Timing")]
    public async Task Path_loses_the_requested_share_each_way(double loss)
    {
        PathCounts counts = await SendBothWaysAsync(loss);
        BinomialCount.AssertNear(loss, Count, counts.LostToServer);
        BinomialCount.AssertNear(loss, Count, counts.LostToClients);
    }

    // Above 1,472 bytes the kernel fragments what the relay divides by arithmetic.
    [Theory, InlineData(1), InlineData(32), InlineData(1_472), InlineData(1_473), InlineData(4_000), InlineData(65_507)]
    public async Task Relay_and_path_count_the_same_packets_of_datagrams(int size)
    {
        await using NamespacePath path = await OpenAsync(loss: 0, TimeSpan.Zero);
        PathCounts before = await path.CountAsync(Token);
        using Socket server = Datagrams(path.Server, NamespacePath.ServerAddress);
        using Socket client = Datagrams(path.Client, NamespacePath.ClientAddress);
        SendAndReturn(client, s_server, server, size);
        RelayCounts onPath = (await path.CountAsync(Token)).Since(before, clients: 1);
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
        using Socket listener = NamespaceThread.Run(path.Server, () => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
        listener.Bind(s_server);
        listener.Listen();
        using Socket client = NamespaceThread.Run(path.Client, () => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
        Task<Socket> accepting = listener.AcceptAsync(Token).AsTask();
        await client.ConnectAsync(s_server, Token).AsTask().WaitAsync(LibraryUnderTest.Deadline, Token);
        using Socket accepted = await accepting.WaitAsync(LibraryUnderTest.Deadline, Token);
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
        Assert.InRange((await path.CountAsync(Token)).LostToServer, 1, Size);
    }

    [Fact]
    [Trait("Category", "Leak")]
    public async Task Nothing_of_a_path_is_left_after_its_end()
    {
        string[] devices = Devices();
        NamespacePath path = await OpenAsync(loss: 0.01);
        string[] files = [path.Server.File, path.Client.File];
        Assert.All(files, file => Assert.True(File.Exists(file)));
        await path.DisposeAsync();
        Assert.All(files, file => Assert.False(File.Exists(file)));
        Assert.Equal(devices, Devices());
    }

    [Fact]
    [Trait("Category", "Leak")]
    public async Task A_path_that_is_cancelled_on_its_way_leaves_nothing()
    {
        Require();
        using var cancelled = new CancellationTokenSource();
        Task<NamespacePath> opening = NamespacePath.OpenAsync("test", 0, s_delay, cancelled.Token);
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => opening);
        Assert.All((string[])["test-server", "test-client"], host => Assert.False(File.Exists(HostNamespace.For(host).File)));
    }

    [Fact]
    public async Task The_namespaces_of_a_killed_run_are_removed_and_those_of_another_run_stay()
    {
        Require();
        var ended = new HostNamespace(Regex.Replace(HostNamespace.For("path-server").Name, "-[0-9]+-path", "-1-path"));
        await ended.AddAsync(Token);
        Assert.Contains(ended, HostNamespace.Abandoned());
        await using NamespacePath path = await OpenAsync(loss: 0);
        Assert.False(File.Exists(ended.File));
        Assert.DoesNotContain(path.Server, HostNamespace.Abandoned());
        Assert.DoesNotContain(path.Client, HostNamespace.Abandoned());
        await ended.RemoveAsync();
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
    private static async Task<PathCounts> SendBothWaysAsync(double loss)
    {
        await using NamespacePath path = await OpenAsync(loss);
        using Socket server = Datagrams(path.Server, NamespacePath.ServerAddress);
        using Socket client = Datagrams(path.Client, NamespacePath.ClientAddress);
        int toServer = await CountArrivedAsync(client, server, s_server, Count);
        int toClient = await CountArrivedAsync(server, client, (IPEndPoint)client.LocalEndPoint!, Count);
        PathCounts counts = await path.CountAsync(Token);
        var each = new WireTraffic(Count, Count * (long)(20 + 8 + MessageSize));
        Assert.Equal(new PathCounts(each, Count - toServer, each, Count - toClient), counts);
        return counts;
    }

    private static Task<NamespacePath> OpenAsync(double loss) => OpenAsync(loss, s_delay);

    private static Task<NamespacePath> OpenAsync(double loss, TimeSpan delay)
    {
        Require();
        return NamespacePath.OpenAsync("test", loss, delay, Token);
    }

    private static void Require()
    {
        string? missing = NamespacePath.FindMissing(loses: true);
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
                using SafeFileHandle space = File.OpenHandle(host.File);
                SystemCall.ThrowIfFailed(SysSched.setns(space, SysSched.CLONE_NEWNET), "setns");
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
