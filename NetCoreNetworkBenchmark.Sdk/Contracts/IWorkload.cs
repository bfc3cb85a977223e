using System.Collections.ObjectModel;
using NetCoreNetworkBenchmark.Options;

namespace NetCoreNetworkBenchmark.Contracts;

/// <summary>
/// One test (<c>-t</c>): an <see cref="IMessageWorkload"/> or an <see cref="IConnectionWorkload"/>. A public class with a parameterless constructor that
/// implements one of them is found automatically, and its name appears among the valid choices.
/// </summary>
public interface IWorkload
{
    /// <summary>The name by which the user selects the test, compared without regard to case.</summary>
    string Name { get; }

    /// <summary>The kind of message that the result counts: one that came back, or one that the server pushed.</summary>
    LatencyKind LatencyKind => LatencyKind.RoundTrip;

    /// <summary>Whether the server sends the same messages to all clients, so that a multicast group can receive them.</summary>
    bool SendsToAll => LatencyKind == LatencyKind.OneWay;

    /// <summary>The names of the first figures of a report, in the words and the order of another program; null for those of the original harness.</summary>
    IReadOnlyList<string>? FirstFigures => null;

    /// <summary>The options that only this test has. Their values are in <see cref="RunPlan.WorkloadOptions"/>.</summary>
    IReadOnlyList<WorkloadOption> Options => [];

    /// <summary>The meaning of ordinary options to this test, for their help text: a remark by the option's name.</summary>
    IReadOnlyDictionary<string, string> OptionRemarks => ReadOnlyDictionary<string, string>.Empty;

    /// <summary>The ordinary options that are not applicable to this test: the reason, as the end of a sentence, by the option's name.</summary>
    IReadOnlyDictionary<string, string> ExcludedOptions => ReadOnlyDictionary<string, string>.Empty;

    /// <summary>Whether the test runs if the user selects none. One test does.</summary>
    bool IsDefault => false;

    /// <summary>
    /// Whether the result of the test is a number of clients: the runner repeats the test with more and more clients until not all of them are served. The
    /// figure <see cref="WorkloadFigure.ClientsServed"/> of a run is the number that was. The runner also measures the server's memory for each idle client.
    /// Options of a load that lasts for a time, and impairments, are then not applicable.
    /// </summary>
    bool FindsMostClients => false;

    /// <summary>
    /// Determines whether the processes of both sides may be suspended while messages are in flight. Such messages are then counted, and not timed
    /// (<see cref="WorkerStatistics.RanSince"/>). Any other load is drained before each pause.
    /// </summary>
    bool MayBeSuspendedInFlight(RunPlan plan) => false;

    /// <summary>
    /// Determines whether the load of a plan ends when all clients are done (<see cref="IClientLoad.IsDone"/>); otherwise, it lasts for the plan's
    /// duration. A load that ends by itself has no warm-up, the plan's duration is its deadline, and it can be started again
    /// (<see cref="IClientLoad.OnStarting"/>).
    /// </summary>
    bool EndsWhenDone(RunPlan plan) => false;

    /// <summary>Determines whether a plan requires one call of the library for all clients (<see cref="LibraryInfo.BroadcastTransports"/>).</summary>
    bool UsesCallToAll(RunPlan plan) => false;

    /// <summary>Determines whether the load of a plan has messages that are sent by <see cref="IPeer.SendReliable(ReadOnlySpan{byte})"/>.</summary>
    bool NeedsReliableDelivery(RunPlan plan) => false;

    /// <summary>Gets the smallest number of clients with which the load of a plan is possible, such as two for clients that see each other.</summary>
    int MinClients(RunPlan plan) => 1;

    /// <summary>Completes the plan that the user requested with the values that the workload itself determines.</summary>
    RunPlan Complete(RunPlan plan) => plan;

    /// <summary>
    /// The schedule by which clients send to a server that pushes by the plan's rate (<see cref="LatencyKind.OneWay"/>); null if they only listen.
    /// </summary>
    SendSchedule? InputSchedule(RunPlan plan) => null;

    /// <summary>Finds the faults by which a run is not valid, in addition to those that void any run: a sentence for each.</summary>
    IEnumerable<string> FindFaults(RunPlan plan, LoadOutcome outcome) => [];

    /// <summary>Finds what a reader of the result has to know, although the result may be valid: a sentence for each remark.</summary>
    IEnumerable<string> FindRemarks(RunPlan plan, LoadOutcome outcome) => [];

    /// <summary>Creates the server side of one run: the handler of all client connections at the server.</summary>
    IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder);

    /// <summary>Creates the clients' side of one run.</summary>
    IClientLoad CreateLoad(RunPlan plan, RunRecorder recorder);
}

/// <summary>A test whose clients exchange messages on connections that stay.</summary>
public interface IMessageWorkload : IWorkload
{
    /// <summary>Creates the clients' side of one run: the handler of the clients' own connections.</summary>
    IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder);

    IClientLoad IWorkload.CreateLoad(RunPlan plan, RunRecorder recorder) => CreateClientHandler(plan, recorder);
}

/// <summary>A test whose clients each open one connection after the other, so that an operation is a whole connection.</summary>
public interface IConnectionWorkload : IWorkload
{
    /// <summary>Creates the clients' side of one run.</summary>
    IConnectionHandler CreateConnectionHandler(RunPlan plan, RunRecorder recorder);

    IClientLoad IWorkload.CreateLoad(RunPlan plan, RunRecorder recorder) => CreateConnectionHandler(plan, recorder);
}

/// <summary>The kind of message that is counted and timed in a run.</summary>
public enum LatencyKind
{
    /// <summary>Messages of clients that came back, timed from when they were sent or due.</summary>
    RoundTrip,

    /// <summary>
    /// Messages of the server, timed from when it sent them, or they were due, until a client received them. Both ends must read one clock.
    /// </summary>
    OneWay,
}

/// <summary>The load of a run as the clients saw it, from which a workload finds faults and remarks.</summary>
public sealed record LoadOutcome
{
    /// <summary>The server by name, such as <c>the server of Kestrel</c>.</summary>
    public required string Server { get; init; }

    /// <summary>Whether the user ended the run early.</summary>
    public bool Aborted { get; init; }

    /// <summary>The number of times that the load ran from its start to its end; 1 for a load that lasts.</summary>
    public int Repetitions { get; init; } = 1;

    /// <summary>Messages of the measurement that were answered, each counted once, correct in size and content.</summary>
    public long Answered { get; init; }

    /// <summary>Messages that were lost from the start of the measurement to the end of the drain.</summary>
    public long Lost { get; init; }

    /// <summary>The TLS handshakes that the clients read from their connections; empty without TLS.</summary>
    public IReadOnlyList<NegotiatedTls> Handshakes { get; init; } = [];

    /// <summary>How often each of the workload's own times was recorded, by its name; empty if the workload has none.</summary>
    public IReadOnlyDictionary<string, long> TimesRecorded { get; init; } = new Dictionary<string, long>();
}
