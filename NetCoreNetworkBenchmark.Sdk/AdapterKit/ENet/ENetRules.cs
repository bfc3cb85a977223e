namespace NetCoreNetworkBenchmark.AdapterKit.ENet;

/// <summary>The rules that ENet and its forks share (<see cref="LibraryInfo.FindFault"/>).</summary>
public static class ENetRules
{
    // Of ENetProtocolHeader (with its time for reliable messages) and ENetProtocolSendUnreliable or ENetProtocolSendReliable.
    private const int Overhead = 10;

    /// <summary>The setting of the packet throttle, by which ENet drops unreliable packets at the sender when round trips become longer.</summary>
    public static LibrarySetting Throttle { get; } = new(
        "throttle", ["off", "on"], Default: "off", "ENet's packet throttle, which drops unreliable messages at the sender when round trips become longer");

    /// <summary>The deliveries of a library with ENet's protocol.</summary>
    /// <param name="largestMessage">The largest message in bytes.</param>
    /// <param name="header">The file in which the structs of the protocol are declared.</param>
    public static IReadOnlyList<TransmissionInfo> Transmissions(int largestMessage, string header) =>
    [
        new TransmissionInfo(Transmission.Unreliable, Overhead, largestMessage)
        {
            OverheadParts = $"2 of ENetProtocolHeader and 8 of ENetProtocolSendUnreliable ({header})",
        },
        new TransmissionInfo(Transmission.Reliable, Overhead, largestMessage)
        {
            OverheadParts = $"4 of ENetProtocolHeader with its time and 6 of ENetProtocolSendReliable ({header})",
        },
    ];

    /// <summary>Returns whether the packet throttle stays as it is by default in the library.</summary>
    public static bool IsThrottled(RunPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return plan.SettingOf(Throttle) == "on";
    }

    /// <summary>
    /// Returns the fault of a plan in which the server sends reliable messages as fast as the clients receive them: ENet queues them without a limit.
    /// </summary>
    public static BenchmarkException? FindFault(RunPlan plan, IWorkload workload)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(workload);
        return workload.LatencyKind == LatencyKind.OneWay && plan is { Rate: null, Transmission: Transmission.Reliable }
            ? BenchmarkException.BadInput($"--rate: {plan.Library} queues reliable messages of {plan.Test} without a limit. Set a rate, such as --rate 10000.")
            : null;
    }
}
