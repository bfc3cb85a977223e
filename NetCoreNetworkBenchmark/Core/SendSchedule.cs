using System.Diagnostics;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// When the messages of an open loop are due. They are evenly spread in time over all clients, which send in turn: message number n
/// (from 0) is due n / rate after the start and belongs to client n modulo the number of clients. Nothing that happens to a message
/// changes when the next one is due; that is what makes the loop open.
/// </summary>
public sealed class SendSchedule
{
    /// <summary>A message that leaves later than this after it was due counts as sent late.</summary>
    public static readonly TimeSpan LateBound = TimeSpan.FromMilliseconds(2);

    private readonly double _ticksPerMessage;

    /// <summary>Creates a schedule.</summary>
    /// <param name="messagesPerSecond">The rate over all clients; above 0.</param>
    /// <param name="clients">How many clients share it; at least 1.</param>
    public SendSchedule(double messagesPerSecond, int clients)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(messagesPerSecond);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(clients);
        _ticksPerMessage = Stopwatch.Frequency / messagesPerSecond;
        Clients = clients;
    }

    /// <summary>How many clients share the rate.</summary>
    public int Clients { get; }

    /// <summary>When a message is due.</summary>
    /// <param name="start">When the load began (<see cref="RunRecorder.Clock"/>).</param>
    /// <param name="round">How many messages the client has sent before it.</param>
    /// <param name="client">The client's number, from 0.</param>
    /// <returns>A reading of the same clock.</returns>
    public long DueAt(long start, long round, int client) => start + (long)(((round * Clients) + client) * _ticksPerMessage);
}
