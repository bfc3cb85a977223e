using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.AdapterKit.Datagrams;

/// <summary>
/// The server's side of the handshake (<see cref="DatagramHandshake"/>). It registers clients that send a hello, up to the limit
/// (<see cref="DatagramPeerLimit"/>), answers them, passes on their messages, and counts unsolicited datagrams. The calls must be serial.
/// </summary>
/// <typeparam name="TAddress">The library's kind of address.</typeparam>
/// <param name="setup">The setup that was passed to the adapter.</param>
/// <param name="worker">Gets the statistics of the current thread. Not called for a message.</param>
/// <param name="create">Creates a peer.</param>
/// <param name="copy">Copies an address that is changed by the next receive call; null for addresses that stay as they are.</param>
public sealed class DatagramPeers<TAddress>(
    ServerSetup setup, Func<WorkerStatistics> worker, Func<TAddress, DatagramPeer> create, Func<TAddress, TAddress>? copy = null)
    where TAddress : notnull
{
    private readonly Dictionary<TAddress, DatagramPeer> _peers = [];
    private readonly DatagramPeerLimit _room = new(setup);
    private readonly IServerHandler _handler = setup.Handler;

    /// <summary>Finds a registered client.</summary>
    /// <param name="address">The client's address.</param>
    /// <returns>The peer; null for a stranger.</returns>
    public DatagramPeer? Find(in TAddress address) => _peers.TryGetValue(address, out DatagramPeer? peer) ? peer : null;

    /// <summary>Handles a datagram that has been received.</summary>
    /// <param name="sender">The sender's address.</param>
    /// <param name="peer">The sender, as <see cref="Find"/> returned it.</param>
    /// <param name="datagram">The datagram.</param>
    /// <param name="current">The statistics of the current thread.</param>
    /// <returns>The sender from now on, for another datagram of the same sender; null for a stranger.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public DatagramPeer? OnDatagram(in TAddress sender, DatagramPeer? peer, ReadOnlySpan<byte> datagram, WorkerStatistics current)
    {
        if (DatagramHandshake.Read(datagram) is var kind and not DatagramHandshakeKind.None)
        {
            return OnHandshake(kind, in sender, peer);
        }

        if (peer is not null)
        {
            _handler.OnMessage(peer, datagram, current);
        }
        else
        {
            CountStranger();
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

    private DatagramPeer? OnHandshake(DatagramHandshakeKind kind, in TAddress sender, DatagramPeer? peer)
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
            CountStranger();
        }

        return peer;
    }

    private DatagramPeer? TryRegister(in TAddress sender)
    {
        if (!_room.IsFor(_peers.Values))
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

    private void CountStranger() => setup.Recorder.CountForeign(UnsolicitedTraffic.Datagrams);
}
