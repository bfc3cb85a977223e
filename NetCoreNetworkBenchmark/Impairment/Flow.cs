namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>The pieces of one client in one direction. They leave in the order in which they arrived.</summary>
internal abstract class Flow(Direction direction)
{
    public Direction Direction => direction;

    /// <summary>The time at which the last piece leaves or left.</summary>
    public long LastLeave { get; set; }

    /// <summary>Bytes that are in flight, or that the target has not accepted yet.</summary>
    public long Kept { get; set; }

    /// <summary>The piece that waits for the next one to overtake it.</summary>
    public Chunk? Held { get; set; }

    /// <summary>The time at which the held piece leaves although none has overtaken it.</summary>
    public long HeldUntil { get; set; }

    /// <summary>Handles bytes that have just been read.</summary>
    public void Arrive(ReadOnlySpan<byte> bytes, long now) => direction.Arrive(this, bytes, now);

    /// <summary>Handles a piece whose time to leave has come. The flow releases it when the target has accepted or refused it.</summary>
    public abstract void Leave(Chunk piece);
}
