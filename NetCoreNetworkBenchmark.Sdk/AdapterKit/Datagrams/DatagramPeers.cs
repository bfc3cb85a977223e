namespace NetCoreNetworkBenchmark.AdapterKit.Datagrams;

/// <summary>
/// The server's side of the handshake (<see cref="DatagramHandshake"/>). It registers clients up to the limit (<see cref="DatagramPeerLimit"/>), answers them,
/// passes on their messages, and counts unsolicited datagrams. The calls must be serial. An address that the next receive call changes needs a copy.
/// </summary>
public sealed class DatagramPeers<TAddress>(
    ServerSetup setup, Func<WorkerStatistics> worker, Func<TAddress, DatagramPeer> create, Func<TAddress, TAddress>? copy = null)
    where TAddress : notnull
{
    private readonly Dictionary<TAddress, DatagramPeer> _peers = [];
    private readonly DatagramPeerLimit _limit = new(setup);
    private readonly IServerHandler _handler = setup.Handler;

    /// <summary>Finds a registered client; null for an unknown address.</summary>
    public DatagramPeer? Find(in TAddress address) => _peers.TryGetValue(address, out DatagramPeer? peer) ? peer : null;

    /// <summary>
    /// Handles a datagram of a sender that <see cref="Find"/> returned. Returns the sender from now on, for its next datagram; null if it is not registered.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public DatagramPeer? OnDatagram(in TAddress sender, DatagramPeer? peer, ReadOnlySpan<byte> datagram, WorkerStatistics current)
    {
        if (DatagramHandshake.Read(datagram) is var kind and not DatagramHandshakeKind.None)
        {
            return OnHandshake(kind, in sender, peer, current);
        }

        if (peer is not null)
        {
            _handler.OnMessage(peer, datagram, current);
        }
        else
        {
            current.CountUnsolicitedDatagram();
        }

        return peer;
    }

    /// <summary>Closes all connections.</summary>
    public void CloseAll()
    {
        foreach (DatagramPeer peer in _peers.Values.ToArray())
        {
            peer.Close();
        }
    }

    private DatagramPeer? OnHandshake(DatagramHandshakeKind kind, in TAddress sender, DatagramPeer? peer, WorkerStatistics current)
    {
        if (kind == DatagramHandshakeKind.Hello)
        {
            peer ??= TryRegister(in sender);
            peer?.Send(DatagramHandshake.Welcome);
        }
        else if (kind == DatagramHandshakeKind.Bye && peer is not null)
        {
            peer.Forget();
            return null;
        }

        if (peer is null)
        {
            current.CountUnsolicitedDatagram();
        }

        return peer;
    }

    private DatagramPeer? TryRegister(in TAddress sender)
    {
        if (!_limit.IsFor(_peers.Values))
        {
            return null;
        }

        TAddress address = copy is null ? sender : copy(sender);
        DatagramPeer peer = create(address);
        _peers.Add(address, peer);
        peer.Forgotten = () =>
        {
            _peers.Remove(address);
            _handler.OnClosed(peer, worker());
        };
        _handler.OnConnected(peer, worker());
        return peer;
    }
}

/// <summary>
/// Limits the peers of a datagram server to the plan's clients, because a hello can come from any number of addresses. A silent peer, such as a client whose
/// last datagram was lost, loses its slot when another client needs it.
/// </summary>
public sealed class DatagramPeerLimit(ServerSetup setup, TimeProvider? time = null)
{
    /// <summary>The time after which a silent peer loses its slot to a client that needs it. The actual time is at most twice as long.</summary>
    public static readonly TimeSpan LongestSilence = TimeSpan.FromSeconds(10);

    private readonly TimeProvider _time = time ?? TimeProvider.System;
    private long? _checkedAt;

    /// <summary>Determines whether a server may register one more peer. Called for each hello from an unknown address.</summary>
    public bool IsFor(IReadOnlyCollection<DatagramPeer> peers)
    {
        if (peers.Count >= setup.Plan.Clients)
        {
            FreeSlots(peers);
        }

        return peers.Count < setup.Plan.Clients;
    }

    private void FreeSlots(IReadOnlyCollection<DatagramPeer> peers)
    {
        long now = _time.GetTimestamp();
        if (setup.Group is not null)
        {
            // Messages that are sent to the group are no evidence that an individual member still listens.
            return;
        }

        if (_checkedAt is { } before && _time.GetElapsedTime(before, now) < LongestSilence)
        {
            return;
        }

        // Each check clears the marks, and the next check finds the peers that have been silent since. The first check has no marks to rely on.
        bool isFirst = _checkedAt is null;
        _checkedAt = now;
        foreach (DatagramPeer peer in peers.ToArray())
        {
            if (!peer.TakeActivity() && !isFirst)
            {
                peer.Forget();
            }
        }
    }
}
