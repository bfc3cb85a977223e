using System.Net;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>The setup of a relay.</summary>
public sealed record RelaySetup
{
    /// <summary>The address that clients connect to. With port 0, the system chooses the port.</summary>
    public required IPEndPoint EndPoint { get; init; }

    /// <summary>The address that the server listens on.</summary>
    public required IPEndPoint Server { get; init; }

    /// <summary>The impairment of the traffic.</summary>
    public required ImpairmentPlan Impairment { get; init; }

    /// <summary>
    /// The plan of the run. It defines the sizes of the sockets' buffers, the number of clients that share the memory, and the deadline for the end.
    /// </summary>
    public required RunPlan Plan { get; init; }

    /// <summary>The recorder of faults of the relay's thread and of deviations from the plan.</summary>
    public required RunRecorder Recorder { get; init; }
}
