using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Workloads.RoundTrips;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Epoll.Streams;

/// <summary>A fault of one connection ends that connection with one error, and nothing else.</summary>
public sealed class StreamFaultTests
{
    private const string PartOfMessage = "server got part of a message";

    public static TheoryData<Protocol> Streams => [Protocol.Tcp, Protocol.Ssl];

    [Theory]
    [InlineData(new byte[] { 0xff, 0xff, 0xff, 0xff, 1, 2, 3 })]
    [InlineData(new byte[] { 0, 0, 0, 0 })]
    [InlineData(new byte[] { 0, 0, 0, 33, 1 })]
    [InlineData(new byte[] { (byte)'G', (byte)'E', (byte)'T', (byte)' ' })]
    public async Task A_length_that_cannot_be_ends_its_connection(byte[] garbage)
    {
        await using var server = new StreamServer(Protocol.Tcp, plan => plan with { Framing = Framing.Length });
        using Socket socket = server.Connect();
        socket.Send(garbage);
        StreamServer.AssertEnds(socket);
        await server.AssertErrorAsync("server got a message of a length that cannot be");
        await server.Handler.Closed.ReachesAsync(1, "closes seen by the server");
        server.AssertServes();
    }

    [Fact]
    public async Task What_came_before_a_length_that_cannot_be_is_answered()
    {
        await using var server = new StreamServer(Protocol.Tcp, plan => plan with { Framing = Framing.Length });
        using Socket socket = server.Connect();
        socket.Send([0, 0, 0, 2, 7, 8, 0xff, 0xff, 0xff, 0xff]);
        byte[] answer = new byte[6];
        using var stream = new NetworkStream(socket);
        await stream.ReadExactlyAsync(answer, TestContext.Current.CancellationToken);
        Assert.Equal([0, 0, 0, 2, 7, 8], answer);
    }

    [Theory]
    [MemberData(nameof(Streams))]
    public async Task A_message_that_is_cut_by_the_close_is_an_error(Protocol protocol)
    {
        await using var server = new StreamServer(protocol);
        using (Stream stream = server.ConnectStream())
        {
            stream.Write([1, 2, 3]);
        }

        await server.AssertErrorAsync(PartOfMessage);
        await server.Handler.Closed.ReachesAsync(1, "closes seen by the server");
        server.AssertServes();
    }

    [Theory]
    [MemberData(nameof(Streams))]
    public async Task A_close_between_messages_is_none(Protocol protocol)
    {
        await using var server = new StreamServer(protocol);
        server.AssertServes();
        await server.Handler.Closed.ReachesAsync(1, "closes seen by the server");
        Assert.Empty(server.Recorder.Errors());
    }

    [Fact]
    public async Task A_plain_client_at_a_TLS_server_is_turned_away()
    {
        await using var server = new StreamServer(Protocol.Ssl);
        using Socket socket = server.Connect();
        socket.Send("nothing that TLS would begin with"u8);
        StreamServer.AssertEnds(socket);
        await server.AssertErrorAsync("server TLS handshake failed: the client does not speak TLS");
        server.AssertServes();
        Assert.Equal(1, server.Handler.Connected.Count);
    }

    [Fact]
    public async Task A_client_that_closes_within_the_handshake_is_an_error()
    {
        await using var server = new StreamServer(Protocol.Ssl);
        server.Connect().Dispose();
        await server.AssertErrorAsync("server TLS handshake failed: the client closed the connection");
        server.AssertServes();
    }

    [Fact]
    public async Task A_client_that_never_begins_the_handshake_is_given_up()
    {
        await using var server = new StreamServer(Protocol.Ssl, plan => plan with { ConnectDeadline = TimeSpan.FromMilliseconds(200) });
        using Socket socket = server.Connect();
        StreamServer.AssertEnds(socket);
        await server.AssertErrorAsync("server TLS handshake failed: the client did not complete it within 0.2 s");
    }

    // The server echoes each byte. TLS data starts with a length, so after a partial echo the client would wait for the rest until its deadline.
    [Fact]
    public async Task A_TLS_client_at_a_plain_server_is_told()
    {
        await using var tls = new StreamServer(Protocol.Ssl);
        await using var server = new StreamServer(Protocol.Tcp, plan => plan with { MessageSize = 1 });
        var exception = await Assert.ThrowsAsync<BenchmarkException>(
            () => server.ConnectAsync(plan => plan with { Protocol = Protocol.Ssl }, tls.Credentials!.ForClients()));
        Assert.Equal("A client could not connect: the TLS handshake failed: unexpected message.", exception.Message);
        server.AssertServes();
    }

    [Theory]
    [MemberData(nameof(Streams))]
    public async Task A_client_that_does_not_read_its_answers_is_read_no_more(Protocol protocol)
    {
        await using var server = new StreamServer(protocol);
        using Stream stream = server.ConnectStream();
        stream.WriteTimeout = 500;
        byte[] messages = new byte[64 * 1024];
        Random.Shared.NextBytes(messages);
        long sent = SendUntilRefused(stream, messages, most: 256 * 1024 * 1024);

        // The bytes that fit into the buffers of both sockets, and some that the server holds.
        Assert.InRange(sent, 1, 64L * 1024 * 1024);
        server.AssertServes();
        Assert.Empty(server.Recorder.Errors());
    }

    [Fact]
    public async Task A_client_that_reads_late_gets_all_its_answers()
    {
        const int Portions = 300;
        await using var server = new StreamServer(Protocol.Tcp);
        using Socket socket = server.Connect();
        byte[] portion = new byte[64 * 1024];
        Random.Shared.NextBytes(portion);
        Task sending = Task.Run(() =>
        {
            for (int number = 0; number < Portions; number++)
            {
                socket.Send(portion);
            }
        }, TestContext.Current.CancellationToken);
        await Task.Delay(TimeSpan.FromMilliseconds(300), TestContext.Current.CancellationToken);
        Assert.False(sending.IsCompleted);
        byte[] answer = new byte[portion.Length];
        using var stream = new NetworkStream(socket);
        for (int number = 0; number < Portions; number++)
        {
            await stream.ReadExactlyAsync(answer, TestContext.Current.CancellationToken);
            Assert.True(answer.AsSpan().SequenceEqual(portion));
        }

        await sending;
        Assert.Empty(server.Recorder.Errors());
    }

    [Fact]
    public async Task A_client_that_ends_its_half_gets_its_answer_and_the_end()
    {
        await using var server = new StreamServer(Protocol.Tcp);
        using Socket socket = server.Connect();
        socket.Send(new byte[StreamServer.MessageSize]);
        socket.Shutdown(SocketShutdown.Send);
        Assert.Equal(StreamServer.MessageSize, socket.Receive(new byte[100]));
        Assert.Equal(0, socket.Receive(new byte[100]));
        await server.Handler.Closed.ReachesAsync(1, "closes seen by the server");
        Assert.Empty(server.Recorder.Errors());
    }

    [Theory]
    [MemberData(nameof(Streams))]
    public async Task A_connection_that_is_reset_is_an_error(Protocol protocol)
    {
        await using var server = new StreamServer(protocol);
        Stream stream = server.ConnectStream();
        stream.Write(new byte[StreamServer.MessageSize]);
        await server.Handler.Connected.ReachesAsync(1, "clients seen by the server");
        using Socket reset = server.Connect();
        if (protocol == Protocol.Tcp)
        {
            await server.Handler.Connected.ReachesAsync(1, "clients seen by the server");
        }

        reset.LingerState = new LingerOption(enable: true, seconds: 0);
        reset.Dispose();
        await server.AssertErrorAsync(protocol == Protocol.Tcp ? "server ConnectionReset" : "server TLS handshake failed: ConnectionReset");
        server.AssertServes();
        stream.Dispose();
    }

    [Theory]
    [MemberData(nameof(Streams))]
    public async Task Clients_whose_server_is_gone_count_it(Protocol protocol)
    {
        const int Clients = 3;
        var server = new StreamServer(protocol, plan => plan with { Clients = Clients });
        using var recorder = new RunRecorder();
        await using IClientGroup clients = await server.ConnectAsync(
            handler: new PingPong().CreateClientHandler(server.Plan, recorder), recorder: recorder);
        recorder.Enter(RunPhase.Measure);
        await server.DisposeAsync();
        long start = System.Diagnostics.Stopwatch.GetTimestamp();
        while (recorder.Errors().GetValueOrDefault("client lost its server") < Clients
            && System.Diagnostics.Stopwatch.GetElapsedTime(start) < LibraryUnderTest.Deadline)
        {
            await Task.Delay(TimeSpan.FromMilliseconds(5), TestContext.Current.CancellationToken);
        }

        Assert.Equal(KeyValuePair.Create("client lost its server", (long)Clients), Assert.Single(recorder.Errors()));
    }

    [Fact]
    public async Task A_server_that_sends_garbage_loses_its_client()
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        using var recorder = new RunRecorder();
        var handler = new TestClientHandler();
        Task<IClientGroup> connecting = LibraryUnderTest.Create("Epoll").ConnectAsync(
            new ClientSetup
            {
                EndPoint = (IPEndPoint)listener.LocalEndPoint!,
                Plan = new RunPlan
                {
                    Library = "Epoll",
                    Protocol = Protocol.Tcp,
                    Framing = Framing.Length,
                    Clients = 1,
                    ConnectDeadline = LibraryUnderTest.Deadline,
                },
                Handler = handler,
                Recorder = recorder,
            },
            TestContext.Current.CancellationToken);
        using Socket server = await listener.AcceptAsync(TestContext.Current.CancellationToken);
        await using IClientGroup clients = await connecting;
        server.Send([0x80, 0, 0, 0]);
        await handler.Closed.ReachesAsync(1, "closes seen by the client");
        Assert.Equal(KeyValuePair.Create("client got a message of a length that cannot be", 1L), Assert.Single(recorder.Errors()));
    }

    [Fact]
    public async Task A_client_whose_server_does_not_listen_is_told_so()
    {
        using var closed = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        closed.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        await using var server = new StreamServer(Protocol.Tcp);
        using var recorder = new RunRecorder();
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => LibraryUnderTest.Create("Epoll").ConnectAsync(
            new ClientSetup { EndPoint = (IPEndPoint)closed.LocalEndPoint!, Plan = server.Plan, Handler = new TestClientHandler(), Recorder = recorder },
            TestContext.Current.CancellationToken));
        Assert.Equal($"A client could not connect: no server listens at {closed.LocalEndPoint}.", exception.Message);
    }

    // signal(7): without this, a write to a connection that the peer has closed would end the process.
    [Fact]
    public void The_runtime_ignores_SIGPIPE()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Signals are read in Linux's /proc.");
        const int SIGPIPE = 13;
        string ignored = File.ReadLines("/proc/self/status").Single(line => line.StartsWith("SigIgn:", StringComparison.Ordinal)).Split('\t')[1];
        Assert.NotEqual(0UL, Convert.ToUInt64(ignored, 16) & (1UL << (SIGPIPE - 1)));
    }

    private static long SendUntilRefused(Stream stream, byte[] messages, long most)
    {
        long sent = 0;
        try
        {
            while (sent < most)
            {
                stream.Write(messages);
                sent += messages.Length;
            }
        }
        catch (IOException)
        {
            // The server has stopped reading.
            return sent;
        }

        return sent;
    }
}
