using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Plans;

namespace NetCoreNetworkBenchmark.Tests.Libraries;

/// <summary>The requirements for every library in the build. A new library is tested without any change here.</summary>
public sealed class LibraryContractTests
{
    private const int SmallSize = 32;
    private const int MostUses = 3;

    public static IEnumerable<TheoryDataRow<string>> Names() => LibraryUnderTest.Names();

    public static IEnumerable<TheoryDataRow<string, Protocol>> Transports() => LibraryUnderTest.Transports();

    public static IEnumerable<TheoryDataRow<string, Protocol>> WithServerThreads() => LibraryUnderTest.WithServerThreads();

    public static IEnumerable<TheoryDataRow<string, Protocol>> WithClientThreads() => LibraryUnderTest.WithClientThreads();

    public static IEnumerable<TheoryDataRow<string, Protocol>> SendingUnasked() => LibraryUnderTest.SendingUnasked();

    public static IEnumerable<TheoryDataRow<string, Protocol, string?>> SendingUnaskedInEveryWay() => LibraryUnderTest.SendingUnaskedInEveryWay();

    public static IEnumerable<TheoryDataRow<string, Protocol, string, Framing, int>> StreamSizes() => LibraryUnderTest.StreamSizes();

    public static IEnumerable<TheoryDataRow<string, Protocol, string, string>> Settings() => LibraryUnderTest.Settings();

    public static IEnumerable<TheoryDataRow<string, Protocol, Transmission>> Transmissions() => LibraryUnderTest.Transmissions();

    public static IEnumerable<TheoryDataRow<string, Protocol, Transmission, int>> Sizes() => LibraryUnderTest.Sizes();

    [Theory]
    [MemberData(nameof(Names))]
    public void Info_says_what_the_library_is(string name)
    {
        LibraryInfo info = LibraryUnderTest.Create(name).Info;
        Assert.Equal(name, info.Name);
        Assert.Matches("^[0-9]+[.][0-9]+", info.Version);
        Assert.NotEmpty(info.Protocols);
        Assert.Equal(!info.ServesHttpOnly, info.Transmissions.Count > 0);
        Assert.All(info.Transmissions, offered => Assert.InRange(offered.OverheadBytes, 0, 100));
        Assert.All(info.Transmissions, offered => Assert.InRange(offered.LargestMessage, SmallSize, int.MaxValue));
        Assert.InRange(info.MostServerThreads ?? 1, 1, int.MaxValue);
        Assert.Distinct(info.Settings.Select(setting => setting.Name), StringComparer.OrdinalIgnoreCase);
        Assert.All(info.Settings, setting => Assert.Matches("^[A-Za-z][A-Za-z0-9-]*$", setting.Name));
        Assert.All(info.Settings, setting => Assert.Contains(setting.Default, setting.Values));
        Assert.All(info.Settings, setting => Assert.Distinct(setting.Values, StringComparer.OrdinalIgnoreCase));
        Assert.All(info.Settings, setting => Assert.Matches("[^ .]$", setting.Summary));
    }

    // With so many clients, the kernel's hash assigns all of them to one of two sockets in one of 2^99 runs.
    [Theory]
    [MemberData(nameof(WithServerThreads))]
    public async Task Two_server_threads_serve_the_clients_of_one_port_together(string name, Protocol protocol)
    {
        const int Clients = 100;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, SmallSize, serverThreads: 2);
        var threads = new ConcurrentDictionary<int, bool>();
        var answers = new Tally();
        session.Server.Message = (peer, message) =>
        {
            threads[Environment.CurrentManagedThreadId] = true;
            peer.Send(message);
        };
        session.Client.Started = peer => peer.Send(new byte[SmallSize]);
        session.Client.Message = (_, _) => answers.Add();
        await session.LoadAsync();
        await answers.ReachesAsync(Clients, "answers of two threads");
        Assert.Equal(2, threads.Count);
        Assert.Equal((Clients, Clients), (session.Server.Connected.Count, answers.Count));
        Assert.Empty(session.Recorder.Errors());
        await session.CloseClientsAsync();
        await session.Server.Closed.ReachesAsync(Clients, "closes seen by the server");
    }

    [Theory]
    [MemberData(nameof(WithServerThreads))]
    public async Task Two_server_threads_name_a_port_that_is_in_use_also_by_two_others(string name, Protocol protocol)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        await using var first = new Session(library, protocol, clients: 1, SmallSize, serverThreads: 2);
        await using var second = new Session(library, protocol, clients: 1, SmallSize, serverThreads: 2);
        first.StartServer();
        var exception = Assert.Throws<BenchmarkException>(() => second.StartServer(first.EndPoint.Port));
        Assert.Contains($"Port {first.EndPoint.Port} of 127.0.0.1 is in use", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(WithClientThreads))]
    public async Task The_clients_have_as_many_threads_as_asked_for_and_never_more_than_clients(string name, Protocol protocol)
    {
        Assert.Equal(2, await ClientThreadsAsync(name, protocol, clients: 5, clientThreads: 2));
        Assert.Equal(3, await ClientThreadsAsync(name, protocol, clients: 3, clientThreads: 4));
    }

    [Theory]
    [MemberData(nameof(Transmissions))]
    public async Task ConnectAsync_connects_all_clients_and_both_sides_see_each_once(string name, Protocol protocol, Transmission transmission)
    {
        const int Clients = 50;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, SmallSize, transmission: transmission);
        await session.StartAsync();
        await session.Server.Connected.ReachesAsync(Clients, "clients seen by the server");
        Assert.Equal((Clients, Clients), (session.Server.Connected.Count, session.Client.Connected.Count));
        Assert.Equal((0, 0), (session.Server.Closed.Count, session.Client.Closed.Count));
        Assert.Empty(session.Recorder.Errors());
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public async Task Send_delivers_exact_bytes_there_and_back(string name, Protocol protocol, Transmission transmission, int size)
    {
        const int Clients = 4;
        const int RoundTrips = 10;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, size, transmission: transmission);
        byte[] message = new byte[size];
        new Random(size).NextBytes(message);
        var (right, wrong) = (new Tally(), new Tally());
        session.Client.Started = peer =>
        {
            peer.State = 0;
            Assert.True(peer.Send(message));
        };
        session.Client.Message = (peer, answer) =>
        {
            (answer.AsSpan().SequenceEqual(message) ? right : wrong).Add();
            peer.State = (int)peer.State! + 1;
            if ((int)peer.State < RoundTrips)
            {
                peer.Send(message);
            }
        };
        await session.LoadAsync();
        await right.ReachesAsync(Clients * RoundTrips, "messages came back as they were sent");
        Assert.Equal(0, wrong.Count);
        Assert.Empty(session.Recorder.Errors());
    }

    [Theory]
    [MemberData(nameof(StreamSizes))]
    public async Task Every_way_to_send_delivers_exact_bytes_of_a_whole_window(string name, Protocol protocol, string send, Framing framing, int size)
    {
        const int Clients = 2;
        const int Window = 20;
        const int RoundTrips = 100;
        await using var session = new Session(
            LibraryUnderTest.Create(name), protocol, Clients, size, Window, setting: (StreamSendSetting.Setting.Name, send), framing: framing);
        byte[] message = new byte[size];
        new Random(size).NextBytes(message);
        var (right, wrong) = (new Tally(), new Tally());
        session.Client.Started = peer =>
        {
            peer.State = Window;
            for (int number = 0; number < Window; number++)
            {
                Assert.True(peer.Send(message));
            }
        };
        session.Client.Message = (peer, answer) =>
        {
            (answer.AsSpan().SequenceEqual(message) ? right : wrong).Add();
            peer.State = (int)peer.State! + 1;
            if ((int)peer.State <= RoundTrips)
            {
                peer.Send(message);
            }
        };
        await session.LoadAsync();
        await right.ReachesAsync(Clients * RoundTrips, "messages came back as they were sent");
        Assert.Equal(0, wrong.Count);
        Assert.Empty(session.Recorder.Errors());
    }

    [Theory]
    [MemberData(nameof(Settings))]
    public async Task Every_value_of_a_setting_delivers_exact_bytes_there_and_back(string name, Protocol protocol, string setting, string value)
    {
        // Together the messages fit into the server's socket buffer, even if an ordinary user runs this and the server cannot read in time.
        const int Clients = 2;
        const int Window = 200;
        const int RoundTrips = 5;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, SmallSize, Window, setting: (setting, value));
        var (right, wrong) = (new Tally(), new Tally());
        session.Client.Started = peer =>
        {
            // The number of further answers that are expected for each number.
            var left = new Dictionary<int, int>();
            peer.State = left;
            for (int number = 0; number < Window; number++)
            {
                left[number] = RoundTrips;
                Assert.True(peer.Send(Message(number)));
            }
        };
        session.Client.Message = (peer, answer) =>
        {
            int number = BitConverter.ToInt32(answer);
            bool expected = answer.AsSpan().SequenceEqual(Message(number)) && ((Dictionary<int, int>)peer.State!)[number]-- > 0;
            (expected ? right : wrong).Add();
            if (((Dictionary<int, int>)peer.State!)[number] > 0)
            {
                peer.Send(answer);
            }
        };
        await session.LoadAsync();
        await right.ReachesAsync(Clients * Window * RoundTrips, "messages came back as they were sent");
        Assert.Equal(0, wrong.Count);
        Assert.Empty(session.Recorder.Errors());

        static byte[] Message(int number)
        {
            var message = new byte[SmallSize];
            message.AsSpan().Fill((byte)number);
            BitConverter.TryWriteBytes(message, number);
            return message;
        }
    }

    [Theory]
    [MemberData(nameof(Transmissions))]
    public async Task A_whole_window_can_be_in_flight(string name, Protocol protocol, Transmission transmission)
    {
        const int Clients = 3;
        const int Window = 100;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, SmallSize, Window, transmission: transmission);
        var answers = new Tally();

        // The server holds every message back until the whole window of its client has arrived.
        session.Server.Message = (peer, message) =>
        {
            var held = (List<byte[]>)(peer.State ??= new List<byte[]>());
            held.Add(message);
            if (held.Count == Window)
            {
                held.ForEach(one => peer.Send(one));
            }
        };
        session.Client.Started = peer =>
        {
            for (int number = 0; number < Window; number++)
            {
                peer.Send(Enumerable.Repeat((byte)number, SmallSize).ToArray());
            }
        };
        session.Client.Message = (_, _) => answers.Add();
        await session.LoadAsync();
        await answers.ReachesAsync(Clients * Window, "answers to messages that were in flight together");
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task OnTick_comes_without_any_message(string name, Protocol protocol)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, clients: 2, SmallSize);
        await session.StartAsync();
        await session.Client.Ticks.ReachesAsync(6, "ticks of two idle clients");
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task OnDue_comes_at_the_times_of_the_schedule_in_order_and_never_early(string name, Protocol protocol)
    {
        const int Clients = 7;
        const int Rounds = 40;
        const double Rate = 1_000;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, SmallSize, rate: Rate);
        var (calls, wrong, done) = (new ConcurrentDictionary<IPeer, List<long>>(), new Tally(), new Tally());
        session.Client.Due = (peer, due, worker) =>
        {
            if (worker.Now < due || worker.Now > Stopwatch.GetTimestamp())
            {
                wrong.Add();
            }

            List<long> ofPeer = calls.GetOrAdd(peer, _ => []);
            if (ofPeer.Count < Rounds)
            {
                ofPeer.Add(due);
                done.Add();
            }
        };
        await session.StartAsync();
        long before = Stopwatch.GetTimestamp();
        session.Load();
        await done.ReachesAsync(Clients * Rounds, "messages became due");
        Assert.Equal(0, wrong.Count);
        long[] dues = [.. calls.Values.SelectMany(ofPeer => ofPeer).Order()];
        var schedule = new SendSchedule(Rate, Clients);
        Assert.InRange(dues[0], before, Stopwatch.GetTimestamp());
        Assert.Equal(Enumerable.Range(0, Clients * Rounds).Select(message => schedule.DueAt(dues[0], message / Clients, message % Clients)), dues);
        Assert.All(calls.Values, ofPeer =>
        {
            int client = dues.IndexOf(ofPeer[0]);
            Assert.InRange(client, 0, Clients - 1);
            Assert.Equal(Enumerable.Range(0, Rounds).Select(round => schedule.DueAt(dues[0], round, client)), ofPeer);
        });
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task What_is_sent_when_it_is_due_reaches_the_server(string name, Protocol protocol)
    {
        const int Clients = 3;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, SmallSize, rate: 300);
        var answers = new Tally();
        session.Client.Due = (peer, _, _) => peer.Send(new byte[SmallSize]);
        session.Client.Message = (_, _) => answers.Add();
        await session.LoadAsync();
        await answers.ReachesAsync(50, "answers to messages that were due");
        Assert.Empty(session.Recorder.Errors());
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task The_server_sees_clients_close(string name, Protocol protocol)
    {
        const int Clients = 5;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, SmallSize);
        await session.StartAsync();
        await session.Server.Connected.ReachesAsync(Clients, "clients seen by the server");
        await session.CloseClientsAsync();
        await session.Server.Closed.ReachesAsync(Clients, "closes seen by the server");
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task The_clients_see_the_server_close(string name, Protocol protocol)
    {
        const int Clients = 5;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, SmallSize);
        await session.StartAsync();
        await session.Server.Connected.ReachesAsync(Clients, "clients seen by the server");
        await session.CloseServerAsync();
        await session.Client.Closed.ReachesAsync(Clients, "closes seen by the clients");
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Close_of_one_peer_is_seen_at_both_sides_and_leaves_the_others(string name, Protocol protocol)
    {
        const int Clients = 3;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, SmallSize);
        int started = 0;
        session.Client.Started = peer =>
        {
            if (Interlocked.Increment(ref started) == 1)
            {
                peer.Close();
            }
        };
        await session.LoadAsync();
        await session.Server.Closed.ReachesAsync(1, "close seen by the server");
        await session.Client.Closed.ReachesAsync(1, "close seen by the client");
        Assert.Equal((1, 1), (session.Server.Closed.Count, session.Client.Closed.Count));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task A_port_can_be_used_again_at_once(string name, Protocol protocol)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        int uses = 0;

        // Another test may be given the port in between, but not every time.
        for (int attempt = 0; attempt < 5 && uses < MostUses; attempt++)
        {
            uses = await UsePortAgainAsync(library, protocol);
        }

        Assert.Equal(MostUses, uses);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Clients_see_the_end_of_their_server_and_the_one_that_is_started_in_its_place_serves_others(string name, Protocol protocol)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        bool served = false;

        // Another test may be given the port in between, but not every time.
        for (int attempt = 0; attempt < 5 && !served; attempt++)
        {
            served = await RestartAsync(library, protocol);
        }

        Assert.True(served);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Stopping_twice_is_fine(string name, Protocol protocol)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, clients: 2, SmallSize);
        await session.StartAsync();
        await session.CloseClientsAsync();
        await session.CloseClientsAsync();
        await session.CloseServerAsync();
        await session.CloseServerAsync();
        Assert.False(session.Recorder.Fault.IsCompleted);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task StartServer_names_a_port_that_is_in_use(string name, Protocol protocol)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        await using var first = new Session(library, protocol, clients: 1, SmallSize);
        await using var second = new Session(library, protocol, clients: 1, SmallSize);
        first.StartServer();
        var exception = Assert.Throws<BenchmarkException>(() => second.StartServer(first.EndPoint.Port));
        Assert.Contains($"Port {first.EndPoint.Port} of 127.0.0.1 is in use", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task ConnectAsync_tells_how_many_connected_when_nobody_answers(string name, Protocol protocol)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        await using var session = new Session(library, protocol, clients: 3, SmallSize);
        using Socket silent = Silent(protocol);
        var exception = await Assert.ThrowsAsync<BenchmarkException>(
            () => session.ConnectAsync((IPEndPoint)silent.LocalEndPoint!, TimeSpan.FromMilliseconds(300)));

        // A connection of TCP is accepted by the system itself. Then the answer to TLS is missing, for which client and group have the same deadline.
        string late = $"Only 0 of 3 clients connected to {silent.LocalEndPoint} within 0.3 s.";
        string[] expected = protocol switch
        {
            Protocol.Tcp => ["A client could not connect: "],
            Protocol.Quic => [late, $"A client could not connect: {silent.LocalEndPoint} cannot be reached: "],
            Protocol.Ssl => [late, "A client could not connect: the TLS handshake failed: the server did not complete it within 0.3 s"],
            _ => [late],
        };
        Assert.True(expected.Any(begin => exception.Message.StartsWith(begin, StringComparison.Ordinal)), exception.Message);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task An_exception_of_the_servers_handler_becomes_the_fault_of_the_run(string name, Protocol protocol)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, clients: 1, SmallSize);
        session.Server.Message = (_, _) => throw new InvalidOperationException("the server is broken");
        session.Client.Started = peer => peer.Send(new byte[SmallSize]);
        await session.LoadAsync();
        Exception fault = await session.Recorder.Fault.WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
        Assert.Equal("the server is broken", fault.Message);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task An_exception_of_a_clients_handler_becomes_the_fault_of_the_run(string name, Protocol protocol)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, clients: 1, SmallSize);
        session.Client.Message = (_, _) => throw new InvalidOperationException("the client is broken");
        session.Client.Started = peer => peer.Send(new byte[SmallSize]);
        await session.LoadAsync();
        Exception fault = await session.Recorder.Fault.WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
        Assert.Equal("the client is broken", fault.Message);
    }

    // Uses one port until it is taken; returns how often it was free.
    private static async Task<int> UsePortAgainAsync(INetworkBenchmark library, Protocol protocol)
    {
        int port = 0;
        for (int use = 0; use < MostUses; use++)
        {
            await using var session = new Session(library, protocol, clients: 4, SmallSize);
            if (!StartsAt(port, session))
            {
                return use;
            }

            await session.ConnectAsync();
            port = session.EndPoint.Port;
        }

        return MostUses;
    }

    // Starts a session's server, unless another program has taken the port.
    private static bool StartsAt(int port, Session session)
    {
        try
        {
            session.StartServer(port);
            return true;
        }
        catch (BenchmarkException exception) when (exception.Message.Contains("is in use. Use -p 0 for a free one.", StringComparison.Ordinal))
        {
            return false;
        }
    }

    // Ends a server while its clients are connected and starts another at its port; returns whether the port was free.
    private static async Task<bool> RestartAsync(INetworkBenchmark library, Protocol protocol)
    {
        const int Clients = 3;
        await using var first = new Session(library, protocol, Clients, SmallSize);
        await using var second = new Session(library, protocol, Clients, SmallSize);
        var answers = new Tally();
        second.Client.Started = peer => peer.Send(new byte[SmallSize]);
        second.Client.Message = (_, _) => answers.Add();
        first.StartServer();
        await first.ConnectAsync();
        first.Load();
        await first.EndServerAsync();
        await first.Client.Closed.ReachesAsync(Clients, "clients that see the end of their server");
        if (!StartsAt(first.EndPoint.Port, second))
        {
            return false;
        }

        await second.ConnectAsync();
        second.Load();
        await answers.ReachesAsync(Clients, "answers of the new server");
        Assert.Empty(second.Recorder.Errors());
        return true;
    }

    // Streams: unsolicited messages that are not read must not accumulate without bound, and all of them arrive once they are read.
    [Theory]
    [MemberData(nameof(SendingUnaskedInEveryWay))]
    public async Task A_server_sends_unasked_as_much_as_its_peers_take(string name, Protocol protocol, string? send)
    {
        const int Clients = 3;
        const int Asked = 20_000;
        await using var session = new Session(
            LibraryUnderTest.Create(name), protocol, Clients, SmallSize, setting: send is null ? null : (StreamSendSetting.Setting.Name, send));
        var (arrived, nested) = (new Tally(), new Tally());
        session.Server.Message = (peer, _) => SendOn(peer);
        session.Server.Writable = SendOn;
        session.Client.Started = peer => peer.Send(new byte[SmallSize]);
        session.Client.Message = (_, _) => arrived.Add();
        await session.LoadAsync();
        await arrived.ReachesAsync(protocol.IsStream() ? Clients * Asked : 1_000, "messages that nobody asked for");
        Assert.Equal(0, nested.Count);
        Assert.Empty(session.Recorder.Errors());

        void SendOn(IPeer peer)
        {
            var state = (Sender)(peer.State ??= new Sender());
            if (state.IsSending)
            {
                nested.Add();
            }

            state.IsSending = true;
            while (state.Sent < Asked && !peer.IsCongested)
            {
                state.Sent++;
                peer.Send(new byte[SmallSize]);
            }

            state.IsSending = false;
        }
    }

    [Theory]
    [MemberData(nameof(SendingUnasked))]
    public async Task Wake_from_another_thread_is_followed_by_OnWritable(string name, Protocol protocol)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, clients: 1, SmallSize);
        var (woken, arrived) = (new Tally(), new Tally());
        var connected = new TaskCompletionSource<IPeer>(TaskCreationOptions.RunContinuationsAsynchronously);
        session.Server.Message = (peer, _) => connected.TrySetResult(peer);
        session.Server.Writable = peer =>
        {
            woken.Add();
            peer.Send(new byte[SmallSize]);
        };
        session.Client.Started = peer => peer.Send(new byte[SmallSize]);
        session.Client.Message = (_, _) => arrived.Add();
        await session.LoadAsync();
        IPeer peer = await connected.Task.WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
        for (int wake = 1; wake <= 3; wake++)
        {
            await Task.Run(peer.Wake, TestContext.Current.CancellationToken);
            await woken.ReachesAsync(1, "calls after a wake");
            await arrived.ReachesAsync(1, "messages sent when woken");
        }

        await session.CloseClientsAsync();
        await session.Server.Closed.ReachesAsync(1, "close seen by the server");
        peer.Wake();
    }

    private static Socket Silent(Protocol protocol)
    {
        var socket = protocol.IsOverTcp()
            ? new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
            : new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        if (protocol == Protocol.Ssl)
        {
            socket.Listen();
        }

        return socket;
    }

    private sealed class Sender
    {
        public int Sent { get; set; }
        public bool IsSending { get; set; }
    }

    private static async Task<int> ClientThreadsAsync(string name, Protocol protocol, int clients, int clientThreads)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, clients, SmallSize, clientThreads: clientThreads);
        var threads = new ConcurrentDictionary<int, bool>();
        var answers = new Tally();
        session.Client.Started = peer => peer.Send(new byte[SmallSize]);
        session.Client.Message = (_, _) =>
        {
            threads[Environment.CurrentManagedThreadId] = true;
            answers.Add();
        };
        await session.LoadAsync();
        await answers.ReachesAsync(clients, "answers to clients on several threads");
        Assert.Empty(session.Recorder.Errors());
        return threads.Count;
    }
}
