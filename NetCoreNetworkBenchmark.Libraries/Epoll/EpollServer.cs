namespace NetCoreNetworkBenchmark.Libraries.Epoll;

internal sealed unsafe class EpollServer : EpollSocket, IPolledServerSocket
{
    private readonly DatagramPeers<SocketName> _peers;
    private readonly RoundRobinDueWork _turns;

    public EpollServer(ServerSetup setup, PollLoop loop, Socket socket, BatchMode mode)
        : base(socket, new ThreadMemory(loop, setup.Plan, setup.Recorder, mode, isServer: true))
    {
        EndPoint = (IPEndPoint)socket.LocalEndPoint!;
        _peers = new DatagramPeers<SocketName>(setup, () => Worker, name => new Peer(this, in name));
        _turns = new RoundRobinDueWork(loop, setup.Handler, Flush);
        if (setup.Group is { } group)
        {
            var name = new SocketName(new IPEndPoint(group, EndPoint.Port).Serialize().Buffer.Span);
            loop.Post(() => setup.Handler.OnConnected(new Peer(this, in name, isGroup: true), Worker));
        }
    }

    public IPEndPoint EndPoint { get; }

    public override void Dispose()
    {
        if (!IsClosed)
        {
            _peers.CloseAll();
        }

        base.Dispose();
    }

    protected override void OnElement(ref readonly SocketName sender, ReadOnlySpan<byte> bytes, int segmentSize)
    {
        DatagramPeer? peer = _peers.Find(in sender);
        int start = 0;
        do
        {
            peer = _peers.OnDatagram(in sender, peer, bytes.Slice(start, Math.Min(segmentSize, bytes.Length - start)), Worker);
            start += segmentSize;
        }
        while (start < bytes.Length);
    }

    private sealed class Peer(EpollServer server, ref readonly SocketName name, bool isGroup = false) : DatagramPeer(server._turns.Turns)
    {
        private readonly SocketName _name = name;

        public override bool IsGroup => isGroup;

        public override bool Send(ReadOnlySpan<byte> message)
        {
            CountSend();
            fixed (SocketName* receiver = &_name)
            {
                return server.Send(receiver, message);
            }
        }
    }
}
