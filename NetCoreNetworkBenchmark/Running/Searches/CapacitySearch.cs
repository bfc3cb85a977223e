using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Limits;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Sessions;

namespace NetCoreNetworkBenchmark.Running.Searches;

/// <summary>First tries 10, 100, 1,000 and 10,000 clients, so that the figures of several searches can be compared.</summary>
internal sealed class CapacitySearch(SuiteCase template, CapacityBound bound) : Search(template)
{
    private static readonly int[] s_decades = [10, 100, 1_000, 10_000];
    private readonly SuiteCase _template = template;
    private readonly RunPlan _plan = template.Plan;

    public required Fitness Fitness { get; init; }

    public static string CommandOf(SuiteCase template, CapacityBound bound) => PlanArguments.CommandOfCapacitySearch(
        template.Plan, template.Library, template.Workload, bound.Kind == ClientBoundKind.Requested ? bound.Clients : null);

    public CapacityResult ResultOf(bool isAborted)
    {
        SearchOutcome outcome = OutcomeOf(isAborted);
        return new CapacityResult
        {
            HarnessVersion = ResultBuilder.HarnessVersion,
            Plan = _plan,
            LibraryVersion = outcome.LibraryVersion ?? _template.Library.Version,
            StartedAt = StartedAt ?? DateTimeOffset.UtcNow,
            Bound = bound.Clients,
            BoundBy = bound.Kind,
            Steps = outcome.Steps,
            HighestClients = (int?)outcome.Highest,
            Conclusion = outcome.Conclude(
                clients => Invariant($"{clients:N0}"),
                outcome.Highest == bound.Clients ? bound.Sentence : $"The search ended after {Plural.Format(outcome.Steps.Count, "step")}."),
            Aborted = outcome.Aborted,
            Fitness = Fitness,
            Environment = MachineInspector.Inspect(),
            Command = CommandOf(_template, bound),
        };
    }

    // A late answer is received too, but its client was not served.
    private static long ServedIn(RunResult result) =>
        (long)(result.Clients.Figures.FirstOrDefault(figure => figure.Name == WorkloadFigure.ClientsServed)?.Value ?? 0);

    protected override RunPlan PlanOf(double value) => _plan with { Clients = (int)value };

    protected override string Describe(double value) => Plural.Format((long)value, "client");

    protected override double? ValueAfter(double highest, double? lowestFailing)
    {
        if (lowestFailing is { } failing)
        {
            return failing - highest <= Math.Max(1, Precision * failing) ? null : highest + (((int)failing - (int)highest) / 2);
        }

        if (highest >= bound.Clients)
        {
            return null;
        }

        int next = s_decades.FirstOrDefault(decade => decade > highest && decade <= bound.Clients);
        return next > 0 ? next : Double((int)highest);
    }

    // A last step that is smaller than the precision would be an unnecessary one.
    private int Double(int highest) => highest == 0 || highest * 2 * (1 + Precision) >= bound.Clients ? bound.Clients : highest * 2;

    protected override string? FindFault(RunResult result)
    {
        long unserved = result.Plan.Clients - ServedIn(result);
        return unserved == 0
            ? null
            : Invariant($"{unserved:N0} of {result.Plan.Clients:N0} clients had no answer within {_plan.LossDeadline.TotalSeconds:0.#######} s");
    }
}

internal sealed record CapacityBound(int Clients, ClientBoundKind Kind, string Sentence)
{
    // Wake-ups, the server if its port is left to the system, and ports that other programs have open.
    private const int OtherPorts = 64;

    public static CapacityBound Find(int? requested, LibraryInfo library) => Lowest(requested, library, DescriptorLimit.Raise(), LocalPorts.Count);

    public static CapacityBound Lowest(int? requested, LibraryInfo library, long? descriptors, int ports)
    {
        CapacityBound?[] bounds =
        [
            requested is { } number
                ? new CapacityBound(number, ClientBoundKind.Requested, Invariant($"The search stops at the {number:N0} clients of --clients."))
                : null,
            library.MaxClients is { } max
                ? new CapacityBound(max, ClientBoundKind.Protocol, Invariant($"The protocol of {library.Name} allows no more than {max:N0}."))
                : null,
            OfDescriptors(library, descriptors),
            new CapacityBound(
                Math.Max(1, ports - OtherPorts),
                ClientBoundKind.Ports,
                Invariant($"The system has {ports:N0} ports for clients of one address, of which {OtherPorts} are reserved for other programs.")),
        ];
        return bounds.OfType<CapacityBound>().MinBy(bound => bound.Clients)!;
    }

    private static CapacityBound? OfDescriptors(LibraryInfo library, long? descriptors) => descriptors is { } limit && library.DescriptorsPerClient > 0
        ? new CapacityBound(
            (int)Math.Clamp((limit - DescriptorLimit.Reserved) / library.DescriptorsPerClient, 1, int.MaxValue),
            ClientBoundKind.Descriptors,
            Invariant($"A process may have {limit:N0} open descriptors here, of which {DescriptorLimit.Reserved} are reserved for the process itself. ") +
                "'ulimit -n' raises the limit.")
        : null;
}
