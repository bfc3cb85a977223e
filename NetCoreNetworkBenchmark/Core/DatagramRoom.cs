namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// Bounds the peers of a datagram server by the plan's clients: a greeting can come from any number of addresses. A peer that fell silent, such
/// as a client whose last datagram was lost, gives its place up when another client needs it.
/// </summary>
/// <param name="setup">What the adapter was given.</param>
/// <param name="time">The clock; null for the system's.</param>
public sealed class DatagramRoom(ServerSetup setup, TimeProvider? time = null)
{
    /// <summary>How long a peer keeps its place without sending or being sent a message while another client needs the place; at most twice as long.</summary>
    public static readonly TimeSpan LongestSilence = TimeSpan.FromSeconds(10);

    private readonly TimeProvider _time = time ?? TimeProvider.System;
    private long? _lookedAt;

    /// <summary>Whether a server may take one more peer. Called for each greeting of an unknown address.</summary>
    /// <typeparam name="TPeer">The adapter's peers.</typeparam>
    /// <param name="peers">The peers that it has.</param>
    /// <param name="forget">Removes a peer and tells the workload.</param>
    /// <returns>False where the greeting is to be passed over.</returns>
    public bool IsFor<TPeer>(IReadOnlyCollection<TPeer> peers, Action<TPeer> forget)
        where TPeer : DatagramPeer
    {
        ArgumentNullException.ThrowIfNull(peers);
        ArgumentNullException.ThrowIfNull(forget);
        if (peers.Count >= setup.Plan.Clients)
        {
            MakeRoom(peers, forget);
        }

        return peers.Count < setup.Plan.Clients;
    }

    private void MakeRoom<TPeer>(IReadOnlyCollection<TPeer> peers, Action<TPeer> forget)
        where TPeer : DatagramPeer
    {
        long now = _time.GetTimestamp();
        if (setup.Group is not null)
        {
            // What is sent to the group is no sign of any of those who listen there.
            return;
        }

        if (_lookedAt is { } before && _time.GetElapsedTime(before, now) < LongestSilence)
        {
            return;
        }

        // A look clears the marks, and the next one finds who has been silent since. The first cannot know.
        bool isFirst = _lookedAt is null;
        _lookedAt = now;
        foreach (TPeer peer in peers.ToArray())
        {
            if (!peer.TakeSign() && !isFirst)
            {
                forget(peer);
            }
        }
    }
}
