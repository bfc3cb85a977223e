using System.Collections.Concurrent;
using NetCoreNetworkBenchmark.AdapterKit.Datagrams;

namespace NetCoreNetworkBenchmark.Tests.Libraries;

/// <summary>Clients of the adapters that greet by datagrams use no socket after the server's goodbye. The server is the test's own.</summary>
public sealed class ClosedSocketTests
{
    private const int MessageSize = 32;

    [Theory, InlineData("Epoll"), InlineData("Sockets")]
    public async Task What_is_sent_before_a_goodbye_of_the_same_receive_call_goes_and_nothing_after_it(string name)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), Protocol.Udp, clients: 1, MessageSize, parallelMessages: 10);
        using Server server = await ConnectAsync(session, clients: 1);
        using var mayGoOn = new ManualResetEventSlim();
        session.Client.Started = peer => peer.Send(Message(1));
        session.Client.Message = (peer, answer) =>
        {
            if (answer[0] == 2)
            {
                // Datagrams that arrive in the meantime wait in the socket, for one receive call.
                Assert.True(mayGoOn.Wait(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken));
            }
            else
            {
                peer.Send(Message(4));
            }
        };
        session.Load();
        (byte first, EndPoint client) = await server.ReceiveAsync();
        Assert.Equal(1, first);
        server.Send(Message(2), client);
        server.Send(Message(3), client);
        server.Send(DatagramHandshake.Bye.ToArray(), client);
        mayGoOn.Set();
        await session.Client.Closed.ReachesAsync(1, "goodbye seen by the client");
        Assert.Equal(4, (await server.ReceiveAsync()).First);
        Assert.Empty(session.Recorder.Errors());
        Assert.False(session.Recorder.Fault.IsCompleted);
    }

    [Theory, InlineData("Epoll"), InlineData("Sockets")]
    public async Task Start_after_a_bye_reaches_only_the_remaining_clients(string name)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), Protocol.Udp, clients: 2, MessageSize);
        using Server server = await ConnectAsync(session, clients: 2);
        var started = new Tally();
        session.Client.Started = peer =>
        {
            peer.Send(Message(1));
            started.Add();
        };
        server.Send(DatagramHandshake.Bye.ToArray(), server.Clients[0]);
        await session.Client.Closed.ReachesAsync(1, "goodbye seen by the client");
        session.Load();
        await started.ReachesAsync(1, "start of the other client");
        Assert.Equal(server.Clients[1], (await server.ReceiveAsync()).Client);
        Assert.Equal(1, started.Count);
        Assert.Empty(session.Recorder.Errors());
        Assert.False(session.Recorder.Fault.IsCompleted);
    }

    [Theory, InlineData("Epoll"), InlineData("Sockets")]
    public async Task Due_message_is_not_sent_after_the_bye(string name)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), Protocol.Udp, clients: 2, MessageSize, rate: 1_000);
        using Server server = await ConnectAsync(session, clients: 2);
        var (due, peers) = (new Tally(), new ConcurrentDictionary<IPeer, bool>());
        session.Client.Due = (peer, _, _) =>
        {
            peers[peer] = true;
            peer.Send(Message(1));
            due.Add();
        };
        server.Send(DatagramHandshake.Bye.ToArray(), server.Clients[0]);
        await session.Client.Closed.ReachesAsync(1, "goodbye seen by the client");
        session.Load();
        await due.ReachesAsync(10, "messages of the other client that became due");
        Assert.Single(peers);
        Assert.Empty(session.Recorder.Errors());
        Assert.False(session.Recorder.Fault.IsCompleted);
    }

    [Theory, InlineData("Epoll"), InlineData("Sockets")]
    public async Task Send_fails_and_is_counted_after_the_bye(string name)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), Protocol.Udp, clients: 2, MessageSize);
        using Server server = await ConnectAsync(session, clients: 2);
        var (peers, sent) = (new ConcurrentQueue<IPeer>(), new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously));
        session.Client.Started = peer =>
        {
            peers.Enqueue(peer);
            peer.Send(Message(1));
        };
        session.Client.Message = (_, _) => sent.TrySetResult(peers.First().Send(Message(4)));
        session.Load();
        await server.ReceiveAsync();
        await server.ReceiveAsync();
        server.Send(DatagramHandshake.Bye.ToArray(), server.Clients[0]);
        await session.Client.Closed.ReachesAsync(1, "goodbye seen by the client");
        server.Send(Message(2), server.Clients[1]);
        Assert.False(await sent.Task.WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken));
        Assert.Equal([("client NotConnected", 1)], session.Recorder.Errors().Select(error => (error.Key, error.Value)));
        Assert.False(session.Recorder.Fault.IsCompleted);
    }

    private static byte[] Message(byte first)
    {
        var message = new byte[MessageSize];
        message[0] = first;
        return message;
    }

    private static async Task<Server> ConnectAsync(Session session, int clients)
    {
        var server = new Server();
        await Task.WhenAll(server.WelcomeAsync(clients), session.ConnectAsync(server.EndPoint));
        return server;
    }

    private sealed class Server : IDisposable
    {
        private static readonly IPEndPoint s_any = new(IPAddress.Loopback, 0);
        private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);

        public Server() => _socket.Bind(s_any);

        public IPEndPoint EndPoint => (IPEndPoint)_socket.LocalEndPoint!;

        /// <summary>The clients in the order of their creation, which is the order of their first greetings.</summary>
        public List<EndPoint> Clients { get; } = [];

        public async Task WelcomeAsync(int clients)
        {
            while (Clients.Count < clients)
            {
                (byte[] datagram, EndPoint client) = await ReceiveDatagramAsync();
                Assert.Equal(DatagramHandshakeKind.Hello, DatagramHandshake.Read(datagram));
                if (!Clients.Contains(client))
                {
                    Clients.Add(client);
                }
            }

            Clients.ForEach(client => Send(DatagramHandshake.Welcome.ToArray(), client));
        }

        public async Task<(byte First, EndPoint Client)> ReceiveAsync()
        {
            (byte[] datagram, EndPoint client) = await ReceiveDatagramAsync();
            while (DatagramHandshake.Read(datagram) != DatagramHandshakeKind.None)
            {
                (datagram, client) = await ReceiveDatagramAsync();
            }

            return (datagram[0], client);
        }

        public void Send(byte[] datagram, EndPoint client) => Assert.Equal(datagram.Length, _socket.SendTo(datagram, client));

        public void Dispose() => _socket.Dispose();

        private async Task<(byte[] Datagram, EndPoint Client)> ReceiveDatagramAsync()
        {
            var buffer = new byte[MessageSize + 1];
            SocketReceiveFromResult result = await _socket.ReceiveFromAsync(buffer, s_any, TestContext.Current.CancellationToken)
                .AsTask().WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
            return (buffer[..result.ReceivedBytes], result.RemoteEndPoint);
        }
    }
}
