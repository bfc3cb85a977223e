using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using LiteNetLib;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Libraries.LiteNetLib;

/// <summary>One manager on its thread: received from when its socket can be read, updated after that and at every tick.</summary>
internal abstract class PolledManager : IPollable, INetEventListener
{
    /// <summary>What client and server must agree on to connect.</summary>
    protected const string ConnectionKey = "NetCoreNetworkBenchmark";

    private readonly RunRecorder _recorder;
    private readonly string _side;
    private long _lastUpdate = Stopwatch.GetTimestamp();
    private bool _mustUpdate;
    private bool _disposed;

    protected PolledManager(PollLoop loop, RunPlan plan, RunRecorder recorder, string side)
    {
        Loop = loop;
        _recorder = recorder;
        _side = side;
        Delivery = plan.Transmission == Transmission.Reliable ? DeliveryMethod.ReliableOrdered : DeliveryMethod.Unreliable;
        Manager = new ManagerWithSocket(this) { AutoRecycle = true, IPv6Enabled = false, UseNativeSockets = LiteNetLibBenchmark.UsesNativeSockets(plan) };

        // The library has one logger for the process, which by default writes to standard output.
        NetDebug.Logger = new CountingLogger(recorder);
    }

    public nint SocketHandle { get; private set; }

    protected PollLoop Loop { get; }

    protected DeliveryMethod Delivery { get; }

    protected ManagerWithSocket Manager { get; }

    public void OnReadable()
    {
        if (!_disposed)
        {
            Manager.PollEvents();

            // An update looks at every peer. What the library answers at once by itself (greetings, pings) does not need one, or a
            // server of thousands of idle clients would do little else.
            if (_mustUpdate)
            {
                Update();
            }
        }
    }

    public virtual void OnTick()
    {
        // The loop sees by itself what can be read.
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
        // For the acknowledgement, where the delivery has one.
        _mustUpdate = true;
        try
        {
            OnMessage(peer, reader.RawData.AsSpan(reader.UserDataOffset, reader.UserDataSize));
        }
        catch (Exception exception)
        {
            // The library would log it and go on.
            _recorder.ReportFault(exception);
        }
    }

    public void OnNetworkReceiveUnconnected(IPEndPoint remoteEndPoint, NetPacketReader reader, UnconnectedMessageType messageType) =>
        _recorder.CountError("message from a stranger");

    public void OnNetworkLatencyUpdate(NetPeer peer, int latency)
    {
        // The workload measures each message itself.
    }

    protected abstract void OnMessage(NetPeer peer, ReadOnlySpan<byte> message);

    /// <summary>Tells the workload that the connections which are still open now end. The manager tells the other side.</summary>
    protected abstract void CloseConnections();

    protected bool Start(IPAddress address, int port, int receiveBuffer)
    {
        if (!Manager.StartInManualMode(address, IPAddress.IPv6None, port))
        {
            return false;
        }

        SocketBuffers.Reserve(Manager.Socket, receiveBuffer);
        SocketHandle = Manager.Socket.Handle;
        return true;
    }

    /// <summary>Lets the library send what was queued; it is told how much time has passed.</summary>
    protected void Update()
    {
        long now = Stopwatch.GetTimestamp();
        Manager.ManualUpdate((float)Stopwatch.GetElapsedTime(_lastUpdate, now).TotalMilliseconds);
        _lastUpdate = now;
        _mustUpdate = false;
    }

    protected bool Send(NetPeer peer, ReadOnlySpan<byte> message)
    {
        if (peer.ConnectionState != ConnectionState.Connected)
        {
            _recorder.CountError($"{_side} send without connection");
            return false;
        }

        peer.Send(message, Delivery);
        _mustUpdate = true;
        return true;
    }

    /// <summary>Shows the socket that the library keeps from others, so that it can be waited for.</summary>
    protected sealed class ManagerWithSocket(INetEventListener listener) : NetManager(listener)
    {
        public Socket Socket => _udpSocketv4;
    }

    private sealed class CountingLogger(RunRecorder recorder) : INetLogger
    {
        public void WriteNet(NetLogLevel level, string str, params object[] args)
        {
            if (level == NetLogLevel.Error)
            {
                recorder.CountError("LiteNetLib error log");
            }
        }
    }
}
