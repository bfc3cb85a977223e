namespace NetCoreNetworkBenchmark.AdapterKit.ENet;

/// <summary>
/// The channels of an ENet connection. Each kind of delivery has channels of its own: on one channel, ENet holds an unreliable message back until the reliable
/// ones before it have arrived.
/// </summary>
public static class ENetChannel
{
    /// <summary>The channel of unreliable messages.</summary>
    public const byte Unreliable = 0;

    /// <summary>The first channel of reliable messages.</summary>
    public const byte Reliable = 1;

    /// <summary>The channels that are opened for a plan.</summary>
    public static int CountFor(RunPlan plan) => Reliable + (plan ?? throw new ArgumentNullException(nameof(plan))).Channels;

    /// <summary>The channel of the messages of a plan that name none.</summary>
    public static byte For(Transmission transmission) => transmission == Transmission.Reliable ? Reliable : Unreliable;
}
