using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>One socket of the server. Its clients are identified by their addresses.</summary>
internal sealed unsafe class EpollServer : EpollSocket, IPolledServerSocket
{
    private readonly ServerSetup _setup;
    private readonly Dictionary<SocketName, Peer> _peers = [];
    private readonly DatagramRoom _room;
    private readonly RoundRobinDueWork _turns;

    public EpollServer(ServerSetup setup, PollLoop loop, Socket socket, BatchMode mode)
        : base(socket, ThreadMemory.OfServer(setup, loop, mode))
    {
        _setup = setup;
        EndPoint = (IPEndPoint)socket.LocalEndPoint!;
        _room = new DatagramRoom(setup);
        _turns = new RoundRobinDueWork(loop, setup.Handler, Flush);
        if (setup.Group is { } group)
        {
            var name = new SocketName(new IPEndPoint(group, EndPoint.Port).Serialize().Buffer.Span);
            loop.Post(() => setup.Handler.OnConnected(new Peer(this, in name, isGroup: true), Worker));
        }
    }

    public IPEndPoint EndPoint { get; }

    public override void OnTick()
    {
        // A datagram socket has no timeouts.
    }

    protected override void OnElement(ref readonly SocketName sender, ReadOnlySpan<byte> bytes, int segmentSize)
    {
        _peers.TryGetValue(sender, out Peer? peer);
        int start = 0;
        do
        {
            ReadOnlySpan<byte> datagram = bytes.Slice(start, Math.Min(segmentSize, bytes.Length - start));
            if (DatagramGreeting.Read(datagram) is var greeting and not GreetingKind.None)
            {
                peer = OnGreeting(greeting, in sender, peer);
            }
            else if (peer is not null)
            {
                _setup.Handler.OnMessage(peer, datagram, Worker);
            }
            else
            {
                _setup.Recorder.CountForeign(ForeignTraffic.Datagrams);
            }

            start += segmentSize;
        }
        while (start < bytes.Length);
    }

    protected override void SayGoodbye()
    {
        foreach (Peer peer in _peers.Values.ToArray())
        {
            peer.Close();
        }
    }

    private Peer? OnGreeting(GreetingKind greeting, ref readonly SocketName sender, Peer? peer)
    {
        if (greeting == GreetingKind.Hello)
        {
            if (peer is null)
            {
                if (!_room.IsFor(_peers.Values, Forget))
                {
                    _setup.Recorder.CountForeign(ForeignTraffic.Datagrams);
                    return null;
                }

                peer = new Peer(this, in sender);
                _peers.Add(sender, peer);
                _setup.Handler.OnConnected(peer, Worker);
            }

            peer.Send(DatagramGreeting.Welcome);
        }
        else if (greeting == GreetingKind.Bye && peer is not null)
        {
            Forget(peer);
            return null;
        }
        else if (peer is null)
        {
            _setup.Recorder.CountForeign(ForeignTraffic.Datagrams);
        }

        return peer;
    }

    private void Forget(Peer peer)
    {
        if (_peers.Remove(peer.Name))
        {
            peer.EndTurns();
            _setup.Handler.OnClosed(peer, Worker);
        }
    }

    private sealed class Peer(EpollServer server, ref readonly SocketName name, bool isGroup = false) : DatagramPeer(server._turns.Turns)
    {
        private readonly SocketName _name = name;

        public SocketName Name => _name;

        public override bool IsGroup => isGroup;

        public override bool Send(ReadOnlySpan<byte> message)
        {
            CountSend();
            fixed (SocketName* receiver = &_name)
            {
                return server.Send(receiver, message);
            }
        }

        public override void Close()
        {
            Send(DatagramGreeting.Bye);
            server.Forget(this);
        }
    }
}
