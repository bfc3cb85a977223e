using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.AdapterKit.ENet;

/// <summary>One ENet host on its thread, which it destroys at the end: draining, flushing, service while idle, and close.</summary>
internal abstract class PolledENetHost<THost, TPeer>(PollLoop loop, THost host, RunRecorder recorder, string side) : IPollable
    where THost : struct, IENetHost<TPeer>
{
    // A host that receives nothing must still be serviced: it retransmits, acknowledges and pings (every 500 ms by default).
    private static readonly long s_longestRest = Stopwatch.Frequency / 10;
    private THost _host = host;
    private long _lastService;
    private bool _hasQueued;
    private bool _closed;

    public nint SocketHandle { get; } = host.SocketHandle;

    /// <summary>The native host.</summary>
    protected ref THost Host => ref _host;

    /// <summary>The thread's loop.</summary>
    protected PollLoop Loop => loop;

    public void OnReadable()
    {
        if (!_closed)
        {
            Drain();
        }
    }

    public virtual void OnTick()
    {
        if (loop.Worker.Now - _lastService > s_longestRest)
        {
            OnReadable();
        }
    }

    public void Dispose()
    {
        GC.SuppressFinalize(this);
        if (!_closed)
        {
            _closed = true;
            CloseConnections();
            _host.Destroy();
        }
    }

    /// <summary>Queues a message, which the next flush sends; false if it was not queued, which is an error.</summary>
    protected bool Send(TPeer peer, ReadOnlySpan<byte> message, byte channel) => OnQueued(_host.Send(peer, message, channel));

    /// <summary>Queues a message for all connected peers, which the next flush sends; false if it was not queued, which is an error.</summary>
    protected bool Broadcast(ReadOnlySpan<byte> message, byte channel) => OnQueued(_host.Broadcast(message, channel));

    /// <summary>Records whether a message was queued, which is what this returns.</summary>
    protected bool OnQueued(bool isQueued)
    {
        if (isQueued)
        {
            _hasQueued = true;
        }
        else
        {
            recorder.CountError($"{side} enet_peer_send");
        }

        return isQueued;
    }

    /// <summary>Sends queued messages. A flush of nothing would still visit every peer.</summary>
    protected void FlushQueued()
    {
        if (_hasQueued)
        {
            _hasQueued = false;
            _host.Flush();
        }
    }

    /// <summary>Called when a peer has connected.</summary>
    protected abstract void OnConnect(TPeer peer);

    /// <summary>Called when a peer has disconnected, or does not answer any more.</summary>
    protected abstract void OnDisconnect(TPeer peer);

    /// <summary>Called for each message, which is valid during the call.</summary>
    protected abstract void OnReceive(TPeer peer, ReadOnlySpan<byte> message);

    /// <summary>Notifies every connected peer that this host closes.</summary>
    protected abstract void CloseConnections();

    private void Drain()
    {
        // This call receives from the socket; CheckEvents only returns the events that were received.
        ENetEventKind kind = _host.Service();
        loop.Worker.ReadClock();
        _lastService = loop.Worker.Now;
        if (kind <= ENetEventKind.None)
        {
            if (kind == ENetEventKind.Failed)
            {
                // The system refused to send or to receive.
                recorder.CountError($"{side} enet_host_service");
            }

            // The service call has sent pending packets, such as the answer to a ping. A flush would visit every peer once more.
            return;
        }

        for (; kind > ENetEventKind.None; kind = _host.CheckEvents())
        {
            Dispatch(kind);
        }

        // Also if the workload queued nothing: received packets are acknowledged.
        _hasQueued = true;
        FlushQueued();
    }

    private void Dispatch(ENetEventKind kind)
    {
        switch (kind)
        {
            case ENetEventKind.Received:
                OnReceive(_host.Peer, _host.Read());
                _host.Release();
                break;
            case ENetEventKind.Connected:
                OnConnect(_host.Peer);
                break;
            default:
                OnDisconnect(_host.Peer);
                break;
        }
    }
}

/// <summary>The kinds of event of an ENet host, with the values of <c>enet.h</c>.</summary>
public enum ENetEventKind
{
    /// <summary>The call failed: the result of <c>enet_host_service</c> for an error of the socket.</summary>
    Failed = -1,

    /// <summary>There is no event.</summary>
    None,

    /// <summary>A peer has connected.</summary>
    Connected,

    /// <summary>A peer has disconnected, or does not answer any more.</summary>
    Disconnected,

    /// <summary>A message has arrived.</summary>
    Received,
}

/// <summary>
/// The calls that differ between ENet and its forks. A struct implements it, so that the generic code that uses it is compiled for each library and calls it
/// directly. All calls come on one thread.
/// </summary>
public interface IENetHost<TPeer>
{
    /// <summary>The descriptor or handle of the host's socket.</summary>
    nint SocketHandle { get; }

    /// <summary>The peer of the current event.</summary>
    TPeer Peer { get; }

    /// <summary>Receives from the socket, sends what is pending, and makes the first event the current one.</summary>
    ENetEventKind Service();

    /// <summary>Makes the next event the current one. Only returns events that <see cref="Service"/> has received.</summary>
    ENetEventKind CheckEvents();

    /// <summary>Gets the message of the current event, which is valid until <see cref="Release"/>.</summary>
    ReadOnlySpan<byte> Read();

    /// <summary>Frees the message of the current event.</summary>
    void Release();

    /// <summary>Queues a message, with the delivery of its channel (<see cref="ENetChannel"/>); false if it was not queued.</summary>
    bool Send(TPeer peer, ReadOnlySpan<byte> message, byte channel);

    /// <summary>Queues a message for all connected peers; false if it was not queued.</summary>
    bool Broadcast(ReadOnlySpan<byte> message, byte channel);

    /// <summary>Sends what is queued.</summary>
    void Flush();

    /// <summary>Gets the position of a peer in the host's own array of peers, from 0.</summary>
    int IndexOf(TPeer peer);

    /// <summary>Notifies a peer of the end of its connection, and ends it without waiting. There is no event for it.</summary>
    void Disconnect(TPeer peer);

    /// <summary>Destroys the host and closes its socket.</summary>
    void Destroy();
}
