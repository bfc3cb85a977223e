namespace NetCoreNetworkBenchmark.AdapterKit.Datagrams;

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
