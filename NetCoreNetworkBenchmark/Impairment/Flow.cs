namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>The chunks of one client in one direction. They leave in the order in which they arrived.</summary>
internal abstract class Flow(Direction direction)
{
    public Direction Direction => direction;

    public long LastLeave { get; set; }

    /// <summary>Bytes that are in flight, or that the target has not accepted yet.</summary>
    public long Kept { get; set; }

    /// <summary>The chunk that waits for the next one to overtake it.</summary>
    public Chunk? Held { get; set; }

    /// <summary>The time at which the held chunk leaves although none has overtaken it.</summary>
    public long HeldUntil { get; set; }

    public void Arrive(ReadOnlySpan<byte> bytes, long now) => direction.Arrive(this, bytes, now);

    // The flow releases the chunk when the target has accepted or refused it.
    public abstract void Leave(Chunk chunk);
}
