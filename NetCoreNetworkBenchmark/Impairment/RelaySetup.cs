namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>The setup of a relay.</summary>
public sealed record RelaySetup
{
    public required IPEndPoint EndPoint { get; init; }

    public required IPEndPoint Server { get; init; }

    public required ImpairmentPlan Impairment { get; init; }

    // Defines the sizes of the sockets' buffers, the number of clients that share the memory, and the deadline for the end.
    public required RunPlan Plan { get; init; }

    public required RunRecorder Recorder { get; init; }
}
