using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Contracts;

/// <summary>
/// One test (<c>-t</c>). A public class with a parameterless constructor that implements this interface is found automatically, and its name appears
/// among the valid choices.
/// </summary>
public interface IWorkload
{
    /// <summary>The name by which the user selects the test, compared without regard to case.</summary>
    string Name { get; }

    /// <summary>A description of the test in one sentence, for the help text.</summary>
    string Summary { get; }

    /// <summary>The kind of message that the result counts: one that came back, or one that the server sent unasked.</summary>
    LatencyKind LatencyKind => LatencyKind.RoundTrip;

    /// <summary>Creates the server side of one run.</summary>
    /// <param name="plan">The validated plan.</param>
    /// <param name="recorder">The recorder that counts errors.</param>
    /// <returns>The handler of all client connections at the server.</returns>
    IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder);

    /// <summary>Creates the client side of one run.</summary>
    /// <param name="plan">The validated plan.</param>
    /// <param name="recorder">The recorder that counts errors.</param>
    /// <returns>The handler of the clients' own connections.</returns>
    IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder);
}
