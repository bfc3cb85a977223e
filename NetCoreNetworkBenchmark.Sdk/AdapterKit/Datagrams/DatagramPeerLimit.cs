using NetCoreNetworkBenchmark.Contracts;

namespace NetCoreNetworkBenchmark.AdapterKit.Datagrams;

/// <summary>
/// Limits the peers of a datagram server to the number of the plan's clients, because a hello can come from any number of addresses. A silent
/// peer, such as a client whose last datagram was lost, loses its place when another client needs it.
/// </summary>
/// <param name="setup">The setup that was passed to the adapter.</param>
/// <param name="time">The clock; null for the system's clock.</param>
public sealed class DatagramPeerLimit(ServerSetup setup, TimeProvider? time = null)
{
    /// <summary>
    /// The time for which a peer keeps its place without sending or being sent a message while another client needs the place. The actual time is at
    /// most twice as long.
    /// </summary>
    public static readonly TimeSpan LongestSilence = TimeSpan.FromSeconds(10);

    private readonly TimeProvider _time = time ?? TimeProvider.System;
    private long? _lookedAt;

    /// <summary>Determines whether a server may accept one more peer. Called for each hello from an unknown address.</summary>
    /// <returns>True if it may; false if the hello is to be ignored.</returns>
    public bool IsFor(IReadOnlyCollection<DatagramPeer> peers)
    {
        if (peers.Count >= setup.Plan.Clients)
        {
            MakeRoom(peers);
        }

        return peers.Count < setup.Plan.Clients;
    }

    private void MakeRoom(IReadOnlyCollection<DatagramPeer> peers)
    {
        long now = _time.GetTimestamp();
        if (setup.Group is not null)
        {
            // Messages that are sent to the group are no evidence that an individual member still listens.
            return;
        }

        if (_lookedAt is { } before && _time.GetElapsedTime(before, now) < LongestSilence)
        {
            return;
        }

        // Each check clears the marks, and the next check finds the peers that have been silent since. The first check has no marks to rely on.
        bool isFirst = _lookedAt is null;
        _lookedAt = now;
        foreach (DatagramPeer peer in peers.ToArray())
        {
            if (!peer.TakeSign() && !isFirst)
            {
                peer.Forget();
            }
        }
    }
}
