namespace NetCoreNetworkBenchmark.Plans;

/// <summary>
/// The schedule of an open loop. By default, messages are evenly spread in time over all clients, which send in turn: message number n (from 0) is due
/// n / rate after the start and belongs to client n modulo the number of clients. The due time of a message does not depend on the fate of any earlier
/// message; this property makes the loop open.
/// </summary>
public sealed class SendSchedule
{
    private readonly double _ticksPerMessage;

    /// <summary>Creates a schedule.</summary>
    /// <param name="messagesPerSecond">The rate over all clients; above 0.</param>
    /// <param name="clients">The number of clients that share the rate; at least 1.</param>
    public SendSchedule(double messagesPerSecond, int clients)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(messagesPerSecond);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(clients);
        _ticksPerMessage = Stopwatch.Frequency / messagesPerSecond;
        (MessagesPerSecond, Clients) = (messagesPerSecond, clients);
    }

    /// <summary>Gets the schedule of a plan; null for a closed loop.</summary>
    /// <param name="plan">The plan.</param>
    public static SendSchedule? From(RunPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return plan.Rate is not { } rate ? null : new SendSchedule(rate, plan.Clients)
        {
            Arrivals = plan.Arrivals,
            Seed = plan.Seed,
            Phase = plan.Hosts.ClientHosts.Count > 1 ? (uint)plan.Seed / (uint.MaxValue + 1.0) : 0,
            LastRate = plan.LastRate,
            Parts = plan.Iterations,
            LateBound = plan.Impairment.LateBound,
        };
    }

    /// <summary>The number of clients that share the rate.</summary>
    public int Clients { get; }

    /// <summary>When messages are due. Only <see cref="Plans.Arrivals.Even"/> ones have rounds.</summary>
    public Arrivals Arrivals { get; init; }

    /// <summary>The seed of random arrivals.</summary>
    public int Seed { get; init; }

    /// <summary>The delay of even arrivals, as a fraction of the distance between two messages, so that several hosts do not send at the same times.</summary>
    internal double Phase { get; init; }

    /// <summary>The rate of the last part of the measurement, if it rises from part to part; null for one rate.</summary>
    public double? LastRate { get; init; }

    /// <summary>The number of parts of the measurement.</summary>
    public int Parts { get; init; } = 1;

    /// <summary>Whether the messages of all clients are due at the same time, at the tick of a server. A tick that was missed is not made up for.</summary>
    public bool IsTick { get; init; }

    internal double MessagesPerSecond { get; }

    /// <inheritdoc cref="ImpairmentPlan.LateBound"/>
    public TimeSpan LateBound { get; init; } = new ImpairmentPlan().LateBound;

    /// <summary>Gets the messages per second in a part of the measurement. Before it, the rate is that of the first.</summary>
    /// <param name="part">The number of the part, from 0.</param>
    public double RateOf(int part) => LastRate is { } last && Parts > 1
        ? MessagesPerSecond + ((last - MessagesPerSecond) * part / (Parts - 1))
        : MessagesPerSecond;

    /// <summary>Gets the time at which a message of even arrivals, or of a tick, is due.</summary>
    /// <param name="start">The start of the load, by the run's clock.</param>
    /// <param name="round">The number of messages that the client has sent before this one.</param>
    /// <param name="client">The client's number, from 0.</param>
    /// <returns>A reading of the same clock.</returns>
    public long DueAt(long start, long round, int client) => start + (long)(((round * Clients) + (IsTick ? 0 : client)) * _ticksPerMessage);

    /// <summary>Gets the last round that has begun, from 0: the inverse of <see cref="DueAt"/> for the first client.</summary>
    /// <param name="start">The start of the load, by the run's clock.</param>
    /// <param name="time">A later reading of the same clock.</param>
    public long RoundAt(long start, long time) => (long)((time - start) / (Clients * _ticksPerMessage));
}

/// <summary>When the messages of an open loop are due.</summary>
public enum Arrivals
{
    /// <summary>Evenly spread in time, client by client.</summary>
    Even,

    /// <summary>
    /// At random: the messages of each client, and so those of all clients, are a Poisson process, as those of many independent users are.
    /// </summary>
    Poisson,
}
