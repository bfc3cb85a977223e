using System.Net;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>What a relay needs.</summary>
public sealed record RelaySetup
{
    /// <summary>Where clients connect to; port 0 lets the system choose.</summary>
    public required IPEndPoint EndPoint { get; init; }

    /// <summary>Where the server listens.</summary>
    public required IPEndPoint Server { get; init; }

    /// <summary>What is done to the traffic.</summary>
    public required ImpairmentPlan Impairment { get; init; }

    /// <summary>The plan of the run; it says how large the sockets' buffers have to be, among how many clients memory is divided, and the deadline for the end.</summary>
    public required RunPlan Plan { get; init; }

    /// <summary>Where a fault of the relay's thread goes, and what it did otherwise than it was asked to.</summary>
    public required RunRecorder Recorder { get; init; }
}
