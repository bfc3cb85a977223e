using LiteNetLib;
#if LITENETLIB_1
// Version 2 moved the sockets to a base class.
using LiteNetManager = LiteNetLib.NetManager;
#endif

namespace NetCoreNetworkBenchmark.Libraries.LiteNetLib;

internal abstract class PolledManager : IPollable, INetEventListener
{
    protected const string ConnectionKey = "NetCoreNetworkBenchmark";

    // The limit ensures that a flood of empty datagrams leaves time for others.
    private const int MaxEmptyPerTurn = 64;

    // Logged when the library cannot read a datagram, whoever sent it (LiteNetManager.HandleMessageReceived). The workload misses a damaged one of a client.
    private const string UnreadableDatagram = "[NM] DataReceived: bad!";

    // The port that the system chose for the library's IPv4 socket can be in use over IPv6.
    private const int MaxBindAttempts = 5;

    private readonly RunRecorder _recorder;
    private readonly string _side;
    private readonly DeliveryMethod _delivery;
    private long _lastUpdate = Stopwatch.GetTimestamp();
    private long _datagrams;
    private bool _mustUpdate;
    private bool _hasMessages;
    private bool _disposed;

    protected PolledManager(PollLoop loop, RunPlan plan, RunRecorder recorder, string side)
    {
        Loop = loop;
        _recorder = recorder;
        _side = side;
        _delivery = plan.Transmission == Transmission.Reliable ? DeliveryMethod.ReliableOrdered : DeliveryMethod.Unreliable;
        Manager = new ManagerWithSocket(this)
        {
            AutoRecycle = true,
            ChannelsCount = (byte)plan.Channels,
            DisconnectTimeout = PeerTimeout.LongestMilliseconds,
            UseNativeSockets = LiteNetLibBenchmark.UsesNativeSockets(plan),
            AllowPeerAddressChange = LiteNetLibBenchmark.Roams(plan),
        };

        // The library has one logger for the process, which by default writes to standard output.
        NetDebug.Logger = new CountingLogger(recorder);
    }

    public nint SocketHandle { get; private set; }

    protected PollLoop Loop { get; }

    protected ManagerWithSocket Manager { get; }

    public void OnReadable()
    {
        if (!_disposed)
        {
            _hasMessages = false;
            Manager.PollEvents();
            if (!_hasMessages)
            {
                SkipEmptyDatagrams();
            }

            // An update visits every peer. The library's own answers (handshakes, pings) need none: a server of thousands of idle clients would do little else.
            UpdateIfNeeded();
        }
    }

    public virtual void OnTick()
    {
        // The loop itself detects readable sockets.
        if (!_disposed)
        {
            Update();
        }
    }

    public void Dispose()
    {
        if (!_disposed)
        {
            _disposed = true;
            CloseConnections();
            Manager.Stop(sendDisconnectMessages: true);
        }
    }

    public abstract void OnPeerConnected(NetPeer peer);

    public abstract void OnPeerDisconnected(NetPeer peer, DisconnectInfo disconnectInfo);

    public abstract void OnConnectionRequest(ConnectionRequest request);

    public void OnNetworkError(IPEndPoint endPoint, SocketError socketError) => _recorder.CountError($"{_side} {socketError}");

    public void OnNetworkReceive(NetPeer peer, NetPacketReader reader, byte channelNumber, DeliveryMethod deliveryMethod)
    {
        // For the acknowledgement, if the delivery has one.
        _mustUpdate = true;
        _hasMessages = true;
        ReadClock();
        try
        {
            OnMessage(peer, reader.RawData.AsSpan(reader.UserDataOffset, reader.UserDataSize));
        }
        catch (Exception exception)
        {
            // The library would log the exception and continue.
            _recorder.ReportFault(exception);
        }
    }

    public void OnNetworkReceiveUnconnected(IPEndPoint remoteEndPoint, NetPacketReader reader, UnconnectedMessageType messageType)
    {
        // Such messages are off by default (UnconnectedMessagesEnabled).
    }

    public void OnNetworkLatencyUpdate(NetPeer peer, int latency)
    {
        // The workload measures each message itself.
    }

    protected abstract void OnMessage(NetPeer peer, ReadOnlySpan<byte> message);

    protected abstract void CloseConnections();

    // Returns the endpoint that could not be bound; null on success.
    protected IPEndPoint? Start(IPEndPoint endPoint, int receiveBuffer)
    {
        Manager.IPv6Enabled = endPoint.AddressFamily == AddressFamily.InterNetworkV6;
        IPEndPoint? refused = Manager.IPv6Enabled ? StartIPv6(endPoint)
            : Manager.StartInManualMode(endPoint.Address, IPAddress.IPv6None, endPoint.Port) ? null
            : endPoint;
        if (refused is null)
        {
            SocketBuffers.Reserve(Manager.Socket, receiveBuffer);
            SocketHandle = Manager.Socket.Handle;
        }

        return refused;
    }

    protected bool IsReliable => _delivery == DeliveryMethod.ReliableOrdered;

    protected void UpdateIfNeeded()
    {
        if (_mustUpdate && !_disposed)
        {
            Update();
        }
    }

    protected void Update()
    {
        long now = Stopwatch.GetTimestamp();
        Manager.ManualUpdate((float)Stopwatch.GetElapsedTime(_lastUpdate, now).TotalMilliseconds);
        _lastUpdate = now;
        _mustUpdate = false;
    }

    protected bool Send(NetPeer peer, ReadOnlySpan<byte> message) => Send(peer, message, _delivery);

    protected bool SendReliable(NetPeer peer, ReadOnlySpan<byte> message, int channel = 0) =>
        Send(peer, message, DeliveryMethod.ReliableOrdered, channel);

    protected void SendToAll(ReadOnlySpan<byte> message)
    {
        Manager.SendToAll(message, _delivery);
        _mustUpdate = true;
    }

    private bool Send(NetPeer peer, ReadOnlySpan<byte> message, DeliveryMethod delivery, int channel = 0)
    {
        if (peer.ConnectionState != ConnectionState.Connected)
        {
            _recorder.CountError($"{_side} send without connection");
            return false;
        }

        peer.Send(message, (byte)channel, delivery);
        _mustUpdate = true;
        return true;
    }

    // In manual mode, LiteNetLib up to 2.1.3 receives while the socket has bytes (Socket.Available, FIONREAD; LiteNetManager.ManualReceive). An empty
    // datagram at the head hides those behind it. Only the head is visible, so it is empty if the socket is readable and then has no bytes.
    private void SkipEmptyDatagrams()
    {
        Span<byte> none = stackalloc byte[1];
        for (int number = 0; number < MaxEmptyPerTurn && Manager.Socket.Poll(0, SelectMode.SelectRead) && Manager.Socket.Available == 0; number++)
        {
            _ = Manager.Socket.Receive(none, SocketFlags.None, out _);
        }
    }

    // One call of PollEvents receives many datagrams. The library's own count of them, which only clients keep (EnableStatistics), shows whether a message
    // arrived by another receive call than the one before it.
    private void ReadClock()
    {
        long datagrams = Manager.Statistics.PacketsReceived;
        if (_datagrams != datagrams)
        {
            _datagrams = datagrams;
            Loop.Worker.ReadClock();
        }
    }

    // The library always opens an IPv4 socket first, and passes its port to the IPv6 socket. If that cannot be bound, there is simply no such socket.
    private IPEndPoint? StartIPv6(IPEndPoint endPoint)
    {
        IPAddress ofIPv4 = LoopbackAddress.Find().AddressFamily == AddressFamily.InterNetwork ? IPAddress.Loopback : IPAddress.Any;
        for (int attempt = 1; ; attempt++)
        {
            if (!Manager.StartInManualMode(ofIPv4, endPoint.Address, endPoint.Port))
            {
                return new IPEndPoint(ofIPv4, endPoint.Port);
            }

            if (Manager.TryCloseIPv4())
            {
                return null;
            }

            Manager.Stop(sendDisconnectMessages: false);
            if (endPoint.Port != 0 || attempt == MaxBindAttempts)
            {
                return endPoint;
            }
        }
    }

    protected sealed class ManagerWithSocket(INetEventListener listener) : NetManager(listener)
    {
        public Socket Socket => SocketOfIPv4(this) ?? SocketOfIPv6(this)!;

        // A run over IPv6 does not use the IPv4 socket, and the library works without it: a client has one socket, as over IPv4.
        public bool TryCloseIPv4()
        {
            if (SocketOfIPv6(this) is null)
            {
                return false;
            }

            SocketOfIPv4(this)!.Dispose();
            SocketOfIPv4(this) = null;
            return true;
        }

        [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_udpSocketv4")]
        private static extern ref Socket? SocketOfIPv4(LiteNetManager manager);

        [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_udpSocketv6")]
        private static extern ref Socket? SocketOfIPv6(LiteNetManager manager);
    }

    private sealed class CountingLogger(RunRecorder recorder) : INetLogger
    {
        public void WriteNet(NetLogLevel level, string str, params object[] args)
        {
            if (level == NetLogLevel.Error && str != UnreadableDatagram)
            {
                recorder.CountError("LiteNetLib error log");
            }
        }
    }
}
