using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// One test (<c>-t</c>). A public class with a parameterless constructor that implements this is found by itself, and its name appears
/// among the valid choices.
/// </summary>
public interface IWorkload
{
    /// <summary>The name by which the user asks for it, compared without regard to case.</summary>
    string Name { get; }

    /// <summary>What it does, in one sentence, for the help text.</summary>
    string Summary { get; }

    /// <summary>What a message of the result is: one that came back, or one that the server sent unasked.</summary>
    LatencyKind LatencyKind => LatencyKind.RoundTrip;

    /// <summary>Makes the server's side of one run.</summary>
    /// <param name="plan">The validated plan.</param>
    /// <param name="recorder">Where errors are counted.</param>
    /// <returns>The handler of every client's connection at the server.</returns>
    IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder);

    /// <summary>Makes the clients' side of one run.</summary>
    /// <param name="plan">The validated plan.</param>
    /// <param name="recorder">Where errors are counted.</param>
    /// <returns>The handler of every client's own connection.</returns>
    IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder);
}
