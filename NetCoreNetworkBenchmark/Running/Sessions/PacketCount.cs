using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Paths;

namespace NetCoreNetworkBenchmark.Running.Sessions;

/// <summary>Counts in a launch after the timed one: datagrams by a relay in this process, and TCP and QUIC on a path between two network namespaces.</summary>
/// <param name="budget">Of all counts together, with the starts of processes; null without a bound.</param>
internal sealed class PacketCount(TimeSpan length, TimeSpan? budget = null)
{
    public static readonly TimeSpan Length = TimeSpan.FromSeconds(1);

    private const string TooLong = "Counting took too long.";

    // Of the datagrams. The loads of libraries that retransmit are no longer those of a path without loss.
    private const double MaxMissed = 0.01;

    // One slow count must not use up the time of the others.
    private const double MaxOfBudget = 0.25;

    private const int MinRoundTrips = 4;

    // Processes start and clients connect besides.
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(20);
    private TimeSpan _taken;
    private string? _missingPath = NamespacePath.FindMissing();

    /// <returns>A sentence; null if the packets can be counted.</returns>
    /// <param name="missingPath">A clause about why packets cannot be counted on a path between namespaces; null if they can.</param>
    public static string? FindReason(RunPlan plan, IWorkload workload, string? missingPath) =>
        !plan.Hosts.IsNone ? "A relay cannot count between several hosts."
        : plan.MulticastGroup is not null ? "A multicast group has no relay."
        : workload is IConnectionWorkload || workload.FindsMostClients || workload.EndsWhenDone(plan) ? "The load has no fixed duration."
        : plan.Protocol.IsOverTcp() && missingPath is not null
            ? $"A relay sees the bytes of TCP, but not its packets. A pair of TUN devices would count them, but {missingPath}."
        : null;

    public static string? FindReason(RunPlan plan, IWorkload workload) =>
        FindReason(plan, workload, MissingPathOf(plan, NamespacePath.FindMissing()));

    public async Task<LaunchResult> AddToAsync(LaunchResult launch, SuiteCase suiteCase, AgentPool? pool, CancellationToken cancellationToken)
    {
        CountedPackets counted = await CountAsync(suiteCase, pool, cancellationToken);
        return cancellationToken.IsCancellationRequested ? launch : launch with { Wire = counted.Wire, Uncounted = counted.Reason };
    }

    /// <param name="pool">The idle processes of earlier runs; null for fresh ones.</param>
    /// <param name="cancellationToken">Ends it early, without figures.</param>
    public async Task<CountedPackets> CountAsync(SuiteCase suiteCase, AgentPool? pool, CancellationToken cancellationToken)
    {
        if (FindReason(suiteCase) is { } reason)
        {
            return new CountedPackets(null, reason);
        }

        TimeSpan left = budget is { } all
            ? TimeSpan.FromTicks(Math.Min((all - _taken).Ticks, (all * MaxOfBudget).Ticks))
            : s_deadline;
        TimeSpan deadline = left < s_deadline ? left : s_deadline;
        if (deadline <= TimeSpan.Zero)
        {
            return new CountedPackets(null, "The time for counting was over.");
        }

        RunPlan plan = PlanOf(suiteCase.Plan);
        long start = Stopwatch.GetTimestamp();
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        over.CancelAfter(deadline);
        try
        {
            if (await OpenPathAsync(suiteCase, over.Token) is { } path)
            {
                await using NamespacePath opened = path;
                return await CountAsync(suiteCase, path.PlanOf(plan), pool, new PathRelay(path, plan.Clients, waitsForQuiet: true), over.Token);
            }

            return FindReason(suiteCase) is { } missing
                ? new CountedPackets(null, missing)
                : await CountAsync(suiteCase, plan, pool, new LocalRelay(plan), over.Token);
        }
        catch (Exception exception) when (exception is not OperationCanceledException || over.IsCancellationRequested)
        {
            // It is a fault of this count alone, and the timed launch is kept.
            return new CountedPackets(null, over.IsCancellationRequested ? TooLong : exception.Message);
        }
        finally
        {
            _taken += Stopwatch.GetElapsedTime(start);
        }
    }

    public static CountedPackets From(RunResult run)
    {
        if (run is not { Relay.Counts: { ToServer.Wire: { } toServer, ToClients.Wire: { } toClients } counts })
        {
            return new CountedPackets(null, "No relay has counted.");
        }

        long received = counts.ToServer.Received + counts.ToClients.Received;
        long missed = (counts.ToServer.Missed ?? 0) + (counts.ToClients.Missed ?? 0);
        return run.Clients.Aborted ? new CountedPackets(null, TooLong)
            : run.Totals.Received == 0 ? new CountedPackets(null, "The clients received no message while packets were counted.")
            : run.Errors > 0 ? new CountedPackets(null, string.Join(' ', run.InvalidReasons))
            : missed > MaxMissed * received ? new CountedPackets(null, Invariant($"The relay missed {missed:N0} of {missed + received:N0} datagrams."))
            : new CountedPackets(
                new WireFigures(
                    run.Plan.Hosts.IsNone ? WireCounter.Relay : WireCounter.TunPair,
                    new WireDirection(run.Clients.Whole.ClientSent, toServer.Packets, toServer.Bytes),
                    new WireDirection(run.Totals.Received, toClients.Packets, toClients.Bytes)),
                null);
    }

    private string? FindReason(SuiteCase suiteCase) => FindReason(suiteCase.Plan, suiteCase.Workload, MissingPathOf(suiteCase));

    private string? MissingPathOf(SuiteCase suiteCase) => MissingPathOf(suiteCase.Plan, _missingPath);

    private static string? MissingPathOf(RunPlan plan, string? missing) =>
        !plan.Impairment.IsNone ? "it has no impairment"
        : HostNames.IsIPv6(plan.Address) ? "it has addresses of IPv4 alone"
        : missing;

    // Null where a relay counts instead, if it can.
    private async Task<NamespacePath?> OpenPathAsync(SuiteCase suiteCase, CancellationToken cancellationToken)
    {
        if (suiteCase.Plan.Protocol == Protocol.Udp || MissingPathOf(suiteCase) is not null)
        {
            return null;
        }

        try
        {
            return await NamespacePath.OpenAsync(new ImpairmentPlan(), cancellationToken);
        }
        catch (BenchmarkException exception)
        {
            // Such as a container, whose root may not make a namespace.
            _missingPath = exception.Message.TrimEnd('.');
            return null;
        }
    }

    private static async Task<CountedPackets> CountAsync(
        SuiteCase suiteCase, RunPlan plan, AgentPool? pool, IRelayHost counter, CancellationToken cancellationToken)
    {
        ParticipantGroup participants = Placement.InFreshProcesses(suiteCase.WithAdapter(plan), pool: pool, relay: counter);
        return From(await new Run(plan, suiteCase.Library, suiteCase.Workload, participants).RunAsync(cancellationToken));
    }

    // A disturbance of the machine changes the rate, and not what a message takes. Answers take a round trip.
    internal RunPlan PlanOf(RunPlan plan) => plan with
    {
        Port = 0,
        AnyMachine = true,
        WarmUp = TimeSpan.Zero,
        Duration = TimeSpan.FromTicks(Math.Max(Math.Min(length.Ticks, plan.Duration.Ticks), MinRoundTrips * plan.Impairment.LongestRoundTrip.Ticks)),
        Limits = null,
    };
}

/// <param name="Reason">A sentence; null if the packets were counted.</param>
internal sealed record CountedPackets(WireFigures? Wire, string? Reason);
