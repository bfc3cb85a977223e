using System.Collections.ObjectModel;
using NetCoreNetworkBenchmark.Options;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Recording;

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

    /// <summary>The layout of the test's figures in a report.</summary>
    FigureLayout Layout => FigureLayout.Original;

    /// <summary>The options that only this test has. Their values are in <see cref="RunPlan.WorkloadOptions"/>.</summary>
    IReadOnlyList<PlanOption> Options => [];

    /// <summary>What ordinary options mean to this test, for their help text: a remark by the option's name.</summary>
    IReadOnlyDictionary<string, string> OptionRemarks => ReadOnlyDictionary<string, string>.Empty;

    /// <summary>The ordinary options that have no meaning for this test: the reason, as the end of a sentence, by the option's name.</summary>
    IReadOnlyDictionary<string, string> ExcludedOptions => ReadOnlyDictionary<string, string>.Empty;

    /// <summary>
    /// Whether the test is repeated with more and more clients, to find the largest number that are all served in time. Its clients report the number that
    /// was served as the figure <see cref="WorkloadFigure.ClientsServed"/>.
    /// </summary>
    bool FindsMostClients => false;

    /// <summary>Whether the test runs if the user selects none. One workload of a build is the default.</summary>
    bool IsDefault => false;

    /// <summary>
    /// The place of the test in the predefined benchmark, for each transport with 1 and 100 clients, from 1; null if it is not a part of it. The first
    /// one is also run with each library's own clients.
    /// </summary>
    int? BenchmarkOrder => null;

    /// <summary>
    /// Whether the processes of both sides may be suspended while messages are in flight. Such messages are then counted, and not timed
    /// (<see cref="WorkerStatistics.RanSince"/>). A load that may not be suspended in this way is drained before each pause.
    /// </summary>
    /// <param name="plan">The plan.</param>
    bool MayBeSuspendedInFlight(RunPlan plan) => false;

    /// <summary>
    /// Determines whether the load of a plan ends when all clients are done (<see cref="IClientHandler.IsDone"/>); otherwise, it lasts for the plan's
    /// duration. A load that ends by itself has no warm-up, and the plan's duration is its deadline.
    /// </summary>
    /// <param name="plan">The plan.</param>
    bool EndsWhenDone(RunPlan plan) => false;

    /// <summary>
    /// Completes a plan in which each client sends all its parallel messages at once, and the load ends when all of them are answered. Such a load can be
    /// started again when it has ended (<see cref="IClientHandler.OnStarting"/>).
    /// </summary>
    /// <param name="plan">The plan of a load that lasts.</param>
    /// <returns>The plan that is run; null if the test has no such load.</returns>
    RunPlan? CompleteOneBurst(RunPlan plan) => null;

    /// <summary>
    /// Whether the memory of the server's process is read before the clients connect and again when they are connected and idle, so that the cost of
    /// an idle client is known. The server then needs a process of its own.
    /// </summary>
    bool MeasuresIdleClients => false;

    /// <summary>
    /// Whether each client opens one connection after the other, and an operation is a whole connection. The clients' side is then an
    /// <see cref="IConnectionHandler"/>.
    /// </summary>
    bool OpensConnections => false;

    /// <summary>Completes the plan of a run with the values that the workload itself determines.</summary>
    /// <param name="plan">The plan as the user requested it.</param>
    /// <returns>The plan that is run.</returns>
    RunPlan Complete(RunPlan plan) => plan;

    /// <summary>Finds the faults by which a run of this workload is not valid, in addition to those that void any run.</summary>
    /// <param name="plan">The plan.</param>
    /// <param name="outcome">The load as the clients saw it.</param>
    /// <returns>A sentence for each fault.</returns>
    IEnumerable<string> FindFaults(RunPlan plan, LoadOutcome outcome) => [];

    /// <summary>Finds what a reader of the result has to know, although the result may be valid.</summary>
    /// <param name="plan">The plan.</param>
    /// <param name="outcome">The load as the clients saw it.</param>
    /// <returns>A sentence for each remark.</returns>
    IEnumerable<string> FindRemarks(RunPlan plan, LoadOutcome outcome) => [];

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
