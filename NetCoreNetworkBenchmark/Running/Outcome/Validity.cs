using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Meters;

namespace NetCoreNetworkBenchmark.Running.Outcome;

/// <summary>Docs/methodology.md lists the rules. <c>--any-machine</c> excuses no stopped process.</summary>
internal static class Validity
{
    public const double MaxSteal = 0.10;
    public const double MaxOtherShare = BackgroundLoad.MaxShare;

    /// <summary>Per second of CPU time, if other programs ran (<see cref="OtherThatPreempts"/>). At 2 to 3 µs each, they take a quarter of the time.</summary>
    public const double MaxInvoluntarySwitches = 100_000;

    /// <summary>A share of CPU time. Below it, threads of the run woke each other, which is a cost of the library and not a disturbance.</summary>
    public const double OtherThatPreempts = 0.05;
    public const double MaxLate = RateKnee.MaxShare;

    /// <summary>Unsolicited datagrams per message of the server. Above it, the server's CPU time is not that of its clients.</summary>
    public const double MaxUnsolicited = 0.01;

    private const double MinSecondsOfAborted = 0.1;

    // A process of this program that is idle uses less than 1 % of a core for its heartbeats.
    private const double MaxIdleCores = 0.02;

    /// <summary>In nanoseconds: one tick. The shortest measured difference depends on the load, and would make correct short latencies faults.</summary>
    public static readonly long ClockResolution = Math.Max(1, RunRecorder.ToNanoseconds(1));

    /// <summary>Every reason for which a run is invalid, and every remark, in the order of the report.</summary>
    public static RunVerdict Judge(RunMeasurements measurements, RunResult result)
    {
        (RunPlan plan, IWorkload workload, HostsResult? hosts) = (result.Plan, measurements.Workload, result.Hosts);
        LoadOutcome outcome = OutcomeOf(result);
        double? gap = CountGap.Find(workload, result);
        IEnumerable<string?> faults =
        [
            measurements.Fault,
            .. FindFaults(result),
            CountGap.FaultOfTotals(workload, result, measurements.Server?.TotalReceived),
            .. FindTlsFaults(result),
            .. hosts is null ? [] : HostFigures.FindFaults(hosts, measurements.Fault),
            .. workload.FindFaults(plan, outcome),
        ];
        IEnumerable<string?> disturbances = [.. FindDisturbances(result), CountGap.FaultOf(gap, result)];
        IEnumerable<string?> remarks =
        [
            measurements.ServerRemark,
            IdleRemark("server", result.Server?.Idle),
            IdleRemark("clients", result.Clients.Idle),
            CountGap.RemarkOf(gap, result),
            RemarkOnRelay(result.Relay?.Counts, plan.Impairment),
            .. hosts is null ? [] : HostFigures.FindRemarks(hosts, result.ClientLibrary is null || result.ClientLibrary == result.Library),
            .. ClientLimit.FindRemarks(result),
            UpdateRemark(plan),
            .. workload.FindRemarks(plan, outcome),
        ];
        return new RunVerdict([.. faults.OfType<string>()], [.. disturbances.OfType<string>()], [.. remarks.OfType<string>()]);
    }

    public static IReadOnlyList<string> FindFaults(RunResult result)
    {
        RunPlan plan = result.Plan;
        bool isOneWay = result.IsOneWay;

        // A rate rises until the sides do not keep pace. If the first step does not show them at their ease, nothing does.
        RateStep? first = result.Clients.Iterations is [{ Step: { } step }, ..] ? step : null;
        long lost = first?.Lost ?? result.Lost;
        bool isLossExpected = RelayLost(result.Relay?.Counts) || result.Reconnections is { Lost: > 0 };

        // A relay may repeat and reorder. A client that connects again may have the answers of two connections.
        bool isOrdered = plan.Transmission == Transmission.Reliable && result is { Relay: null, Reconnections: null };
        long unsolicited = result.Server?.Unsolicited.GetValueOrDefault(UnsolicitedTraffic.Datagrams) ?? 0;
        string unexpected = Plural.Format(unsolicited, "unsolicited datagram");
        long served = Math.Max(result.Messages.ServerReceived ?? 0, result.Messages.ServerSent ?? 0);
        long unreal = BelowResolution(result.Clients.Latency.Histogram);
        long missed = SumOf(result.Relay?.Counts, direction => direction.Missed ?? 0);
        const string NotRead = "the clock was not read between a send call and the receive call of its answer, so the latencies of this run are too short";
        string?[] faults =
        [
            If(result.Clients.Aborted, $"The run was aborted after {result.DurationSeconds:0.0} s."),
            If(result.Messages.ClientReceived == 0 && !WasAbortedAtOnce(result), $"{NothingReceived(result)}"),
            isLossExpected || lost == 0 ? null
                : !isOneWay && plan.Rate is null
                ? $"{Plural.Format(lost, "message was", "messages were")} lost in a closed loop, so fewer were in flight than requested.{BufferRemedy(plan)}"
                : If(plan.Transmission == Transmission.Reliable, $"{Plural.Format(lost, "message was", "messages were")} lost despite reliable delivery."),
            If(
                result.Corrupted > 0 && SumOf(result.Relay?.Counts, direction => direction.Corrupted) == 0,
                $"{Plural.Format(result.Corrupted, "message")} {(isOneWay ? "reached the clients" : "came back")} damaged."),
            If(isOrdered && result.Duplicated > 0, $"{Plural.Format(result.Duplicated, "message")} arrived twice despite reliable delivery."),
            If(isOrdered && result.Reordered > 0, $"{Plural.Format(result.Reordered, "message")} arrived after a later one despite reliable delivery."),
            If(result.Errors > 0, $"{Plural.Format(result.Errors, "error")} occurred ({Names(result.ErrorsByName)})."),
            If(
                unsolicited > MaxUnsolicited * served && result.Relay is not { Counts.Roams: > 0 },
                $"The server received {unexpected} beside {Plural.Format(served, "message")} of its clients (limit: {MaxUnsolicited:P0})."),
            If(unreal > 0, $"{Plural.Format(unreal, "latency is", "latencies are")} below the resolution of the clock ({ClockResolution:N0} ns): {NotRead}."),
            If(missed > 0, $"The relay could not keep up: it missed {Plural.Format(missed, "datagram")}, in addition to those of --loss."),
            If(
                result.LateInputs > MaxLate && !MostSlicesArePunctual(result),
                $"The clients could not hold the rate of their inputs: {result.LateInputs:P1} were sent too late (limit: {MaxLate:P0})."),
            LateOf(result) is not { } late ? null
                : isOneWay ? $"The server could not hold the rate: {late}."
                : $"The clients could not hold the rate: {late}, so the clients were measured and not the server. " +
                    "Use a lower rate, more --client-threads, or a machine that does nothing else.",
        ];
        return [.. faults.OfType<string>()];
    }

    /// <summary>Clients sent too late, or messages were lost in a closed loop: a server that stands still for a tenth of a second drops what arrives.</summary>
    public static bool IsOnlyLateOrLossy(RunResult result) => result is { Verdict.Faults: [_], IsOneWay: false }
        && (LateOf(result) is not null
            || result is { Lost: > 0, Relay: null, Reconnections: null, Plan: { Rate: null, Transmission: Transmission.Unreliable } });

    public static IReadOnlyList<string> FindDisturbances(RunResult result)
    {
        (string Name, ProcessCost Cost)[] processes =
            [.. Processes(result).Where(process => process.Cost is not null).Select(process => (process.Name, process.Cost!))];
        Fitness machine = result.Fitness;
        string?[] stops = [.. processes.Select(process => StopOf(process.Name, process.Cost))];
        string?[] others = result.Plan.AnyMachine ? [] :
        [
            If(machine.StealShare > MaxSteal, $"The hypervisor took {machine.StealShare:P0} of the CPU time (limit: {MaxSteal:P0})."),
            If(machine.OtherShare > MaxOtherShare, $"Other programs took {machine.OtherShare:P0} of the CPU time (limit: {MaxOtherShare:P0})."),
            .. processes.SelectMany(process => (string?[])[ThrottlingOf(process.Name, process.Cost), PreemptionOf(process.Name, process.Cost, machine)]),
        ];
        return [.. stops.Concat(others).OfType<string>()];
    }

    public static IEnumerable<string> FindTlsFaults(RunResult result)
    {
        RunPlan plan = result.Plan;
        foreach (NegotiatedTls made in result.Tls?.Clients ?? [])
        {
            string count = made.Count.ToString("N0", CultureInfo.InvariantCulture);
            if (plan.Tls.Version is { } version && made.Version != version)
            {
                yield return $"{count} handshakes used TLS {made.Version} instead of {version}.";
            }

            if (plan.Tls.Group is { } group && made.Resumed != true && !group.Equals(made.Group, StringComparison.OrdinalIgnoreCase))
            {
                yield return made.Group is { } other
                    ? $"{count} handshakes used the group {other} instead of {group}."
                    : $"The clients of {result.ClientLibrary} cannot choose or report the group of a handshake, and --group {group} requires it.";
            }

            if (plan.Tls.Key is { } asked && made.Key is { } key && key != $"{asked}")
            {
                yield return $"{count} handshakes used a certificate with the key {key} instead of {asked}.";
            }
        }
    }

    private static LoadOutcome OutcomeOf(RunResult result) => new()
    {
        Server = result.ServerKind == ServerKind.Own
            ? $"the server of {result.Library}"
            : Invariant($"the server at {result.Address}, port {result.Port},"),
        Aborted = result.Clients.Aborted,
        Repetitions = result.Clients.Iterations.Count,
        Answered = result.Messages.ClientReceived,
        Lost = result.Lost,
        Handshakes = result.Tls?.Clients ?? [],
        TimesRecorded = result.Clients.Distributions.ToDictionary(distribution => distribution.Name, distribution => distribution.Latency.Count),
    };

    // No update knows when a message was sent, so it waits for half the interval on average.
    private static string? UpdateRemark(RunPlan plan)
    {
        double wait = new[] { plan.ServerUpdateRate, plan.ClientUpdateRate }.Sum(rate => rate is { } updates ? 500.0 / updates : 0);
        const string Rest = "What the mean is above this, the library and the machine add.";
        return If(
            wait > 0, $"On average, {wait:0.###} ms of a round trip are waits for updates: half an interval of each loop that has them. {Rest}");
    }

    // A library with timers takes CPU time from the other cases of the set while its load is paused. The work of the JIT compiler is not the library's.
    private static string? IdleRemark(string side, ProcessCost? idle) => If(
        idle is { Seconds: > 0 } && (idle.CpuSeconds - (idle.CompilationSeconds ?? 0)) / idle.Seconds > MaxIdleCores,
        $"The {side} used more than {MaxIdleCores * 100:0} % of a core while the load was paused: the library is not idle between slices.");

    private static string? If(bool condition, FormattableString sentence) => condition ? sentence.ToString(CultureInfo.InvariantCulture) : null;

    private static string? StopOf(string name, ProcessCost cost) => If(
        cost.StoppedSeconds > 0,
        $"{name} did not run for {cost.StoppedSeconds:0.00} s of the measurement: it was stopped or frozen, or its machine was suspended.");

    private static string? ThrottlingOf(string name, ProcessCost cost)
    {
        const string Quota = "the CPU quota of its control group, such as a container. Raise the quota, or use fewer threads.";
        return If(
            cost.ThrottledPeriods > 0,
            $"{name} was throttled in {cost.ThrottledPeriods:N0} of {cost.QuotaPeriods:N0} periods ({cost.ThrottledShare:P0}) of {Quota}");
    }

    private static string? PreemptionOf(string name, ProcessCost cost, Fitness machine)
    {
        double switches = cost.CpuSeconds <= 0 ? 0 : (cost.InvoluntaryContextSwitches ?? 0) / cost.CpuSeconds;
        const string Unit = "involuntary context switches per second of its CPU time";
        string others = Invariant($"while other programs took {machine.OtherShare:P0} of the CPU time");
        return If(
            switches > MaxInvoluntarySwitches && machine.OtherShare > OtherThatPreempts,
            $"{name} was preempted too often: {switches:N0} {Unit} (limit: {MaxInvoluntarySwitches:N0}), {others}.");
    }

    public static string? RemarkOnRelay(RelayCounts? relay, ImpairmentPlan impairment) =>
        SumOf(relay, direction => direction.Late) is var late && SumOf(relay, direction => direction.Forwarded) is var all && late > MaxLate * all
            ? Invariant($"The relay passed {(double)late / all:P1} of the packets more than {impairment.LateBound.TotalMilliseconds:0.#} ms late ") +
                Invariant($"(limit: {MaxLate:P0}), so its load was near its limit.")
            : null;

    private static bool RelayLost(RelayCounts? relay) =>
        relay is { Cuts: > 0 } or { ResetConnections: > 0 } or { Roams: > 0 } or { DroppedOnPurpose: > 0 }
        || SumOf(relay, direction => direction.Overflowed) > 0;

    private static long SumOf(RelayCounts? relay, Func<RelayDirectionCounts, long> count) => relay is null ? 0 : count(relay.ToServer) + count(relay.ToClients);

    // Whoever ends a run in its warm-up knows why nothing was measured.
    private static bool WasAbortedAtOnce(RunResult result) => result.Clients.Aborted && result.DurationSeconds < MinSecondsOfAborted;

    private static string NothingReceived(RunResult result)
    {
        RunPlan plan = result.Plan;
        bool isOneWay = result.IsOneWay;
        bool nothingSent = (isOneWay ? result.Messages.ServerSent ?? 0 : result.Messages.ClientSent) == 0;
        if (nothingSent && plan.Rate is { } rate && rate * plan.Duration.TotalSeconds < 1)
        {
            return Invariant($"No message was due in the measurement of {plan.Duration.TotalSeconds:0.###} s: at {rate:0.######} messages per second ") +
                Invariant($"one is due every {1 / rate:0.###} s. Use a longer --duration or a higher --rate.");
        }

        if (nothingSent && !isOneWay && plan.Rate is null && result.Errors == 0 && result.Totals.Lost + result.Totals.Unanswered > 0)
        {
            return Invariant($"No message was sent in the measurement: all {(long)plan.Clients * plan.ParallelMessages:N0} messages in flight waited for ") +
                Invariant($"answers that did not arrive, and count as lost after {plan.LossDeadline.TotalSeconds:0.#} s.");
        }

        return isOneWay ? "No message reached a client." : "No message came back.";
    }

    private static long BelowResolution(string? histogram) => histogram is null
        ? 0
        : HistogramCodec.Decode(histogram).RecordedBuckets().TakeWhile(bucket => bucket.Highest < ClockResolution).Sum(bucket => bucket.Count);

    // With several hosts, the hosts are named.
    private static (string Name, ProcessCost? Cost)[] Processes(RunResult result) => result.Hosts is { Clients.Count: > 0 } hosts
        ?
        [
            hosts.Server is { } server ? ($"The server's process on {server.Host}", server.Cost) : ("The server's process", result.Costs.Server),
            .. hosts.Clients.Select(host => ($"The clients' process on {host.Host}", host.Cost)),
        ]
        : [("The server's process", result.Costs.Server), ("The clients' process", result.Costs.Clients), ("The process", result.Costs.Combined)];

    private static string Names(IReadOnlyDictionary<string, long> errors) =>
        string.Join(", ", errors.Select(error => Invariant($"{error.Key}: {error.Value:N0}")));

    // A late slice is left out of the comparison, like one in which the compiler ran. Only a measurement in slices has pauses.
    private static bool MostSlicesArePunctual(RunResult result) =>
        result is { Clients: { Idle: not null, Iterations: { Count: > 0 } slices } }
        && !SliceSeries.AreMost(slices.Count(slice => slice.IsLate), slices.Count);

    // Returns the part of the sentence about messages that were sent too late; null if they were not too many. Of a rate that rises, the first step is judged.
    private static string? LateOf(RunResult result)
    {
        double max = Math.Max(MaxLate, result.Plan.BoundOf(LimitKind.LateTicks) ?? 0);
        double? share = result.Clients.Iterations is [{ Step: { } first }, ..] ? first.LateShare : result.Schedule?.LateShare;
        return result.Schedule is { } sent && share > max && (result.IsOneWay || !MostSlicesArePunctual(result))
            ? Invariant($"{share:P1} of the messages were sent more than {sent.LateBoundMilliseconds:0.#} ms after they were due (limit: {max:P0})")
            : null;
    }

    // The usual reason of loss on one machine: the server's socket cannot hold the messages that the clients have in flight.
    private static string BufferRemedy(RunPlan plan)
    {
        int needed = SocketBuffers.NeededByServer(plan);
        return FitnessInspector.SocketBufferIsTooSmall(plan)
            ? $" This user's sockets hold at most {MachineInspector.SocketReceiveBufferLimit()} bytes, and this load may need {needed}. " +
                $"Use 'sysctl -w net.core.rmem_max={needed}', or run as root."
            : string.Empty;
    }
}

/// <summary>For a closed loop. An open loop is judged by the messages that it sent late.</summary>
internal static class ClientLimit
{
    public const double Saturation = 0.9;

    public static IEnumerable<string> FindRemarks(RunResult result)
    {
        RunPlan plan = result.Plan;
        bool isClosedLoop = plan.Rate is null && !result.IsOneWay;
        double? clients = isClosedLoop ? BusyShare(CpuOfClients(result.Costs), result.Clients.Threads, CoresOfClients(result)) : null;
        double? server = BusyShare(CpuOfServer(result.Costs), result.Server?.Threads, result.Server?.Pinning?.Cores.Count ?? CoresOf(result.Environment));
        if (clients > Saturation && server is not > Saturation)
        {
            string threads = result.Clients.Threads is { } count
                ? $"their {Plural.Format(count, "thread")}"
                : "their cores";
            string other = server is null ? string.Empty : ", and the server used less of its own";

            // No figures here, since a page merges the identical remarks of all launches.
            yield return "The clients were the bottleneck: they used more than " +
                Invariant($"{Saturation:P0} of the time of {threads}{other}. ") +
                "A faster server may not show a higher rate, but its CPU time per message still counts. " +
                (result.Clients.Threads is null ? "Give the clients more cores." : "Give the clients more threads with --client-threads.");
        }
    }

    public static double CoresOf(EnvironmentInfo environment) => Math.Min(environment.Cores, environment.CpuQuota ?? int.MaxValue);

    // If the library's threads are its own, the cores are the limit.
    private static double? BusyShare(double? busyCores, int? threads, double cores) => busyCores / Math.Min(threads ?? int.MaxValue, cores);

    private static double? BusyCores(ProcessCost? cost, double? cpuSeconds) => cost is { Seconds: > 0 } ? cpuSeconds / cost.Seconds : null;

    // In a process that has both sides, threads that serve clients alone are the clients'.
    private static double? CpuOfClients(RunCosts costs) => costs.Clients is { } clients
        ? BusyCores(clients, clients.ClientThreadsCpuSeconds ?? clients.CpuSeconds)
        : BusyCores(costs.Combined, costs.Combined?.ClientThreadsCpuSeconds);

    private static double? CpuOfServer(RunCosts costs) => costs.Server is { } server
        ? server.BusyCores
        : BusyCores(costs.Combined, costs.Combined?.CpuSeconds - costs.Combined?.ClientThreadsCpuSeconds);

    // The clients of several hosts have the cores of all of them.
    private static double CoresOfClients(RunResult result)
    {
        EnvironmentInfo[] machines = result.Hosts is { Clients: { Count: > 0 } hosts } ? [.. hosts.Select(host => host.Environment)] : [result.Environment];
        return machines.Sum(machine => result.Clients.Pinning?.Cores.Count ?? CoresOf(machine));
    }
}

/// <summary>The intervals of the sides differ a little, so the clients' messages are taken at their rate over the server's interval.</summary>
internal static class CountGap
{
    public const double Remarkable = 0.02;
    public const double Max = 0.10;

    /// <returns>Negative if the server counted fewer; null if not comparable: in an open loop, the clients count messages when they are due.</returns>
    public static double? Find(IWorkload workload, RunResult result)
    {
        RunPlan plan = result.Plan;
        bool isComparable = plan.Rate is null && !result.IsOneWay && !workload.EndsWhenDone(plan)
            && result is { Clients: { Aborted: false, Reconnections: null }, Lost: 0, Duplicated: 0, Relay: null, Hosts: null or { Missing: null } };
        if (!isComparable || result is not { DurationSeconds: > 0, Messages: { ClientReceived: > 0, ServerReceived: { } served and > 0 } messages }
            || result.Server is not { Idle: null, Cost.Seconds: var seconds and > 0 })
        {
            return null;
        }

        double expected = messages.ClientReceived / result.DurationSeconds * seconds;
        double difference = served - expected;
        return Math.Sign(difference) * Math.Max(0, Math.Abs(difference) - ((double)plan.Clients * plan.ParallelMessages)) / expected;
    }

    /// <summary>Both sides lose the same messages, so a large gap comes from a rate that has changed. Null if there is none.</summary>
    public static string? FaultOf(double? gap, RunResult result) =>
        !result.Plan.AnyMachine && gap is { } found && Math.Abs(found) > Max ? Sentence(found, result, Max) : null;

    public static string? RemarkOf(double? gap, RunResult result) =>
        gap is { } found && Math.Abs(found) > Remarkable && FaultOf(gap, result) is null ? Sentence(found, result, Remarkable) : null;

    /// <summary>The exact counts of the whole run depend on no interval, so nothing excuses the fault. Null if there is none.</summary>
    /// <param name="received">The messages that the server counted over its whole life; null if it counts none.</param>
    public static string? FaultOfTotals(IWorkload workload, RunResult result, long? received)
    {
        if (received is not { } served || result.IsOneWay || workload is IConnectionWorkload)
        {
            return null;
        }

        RunTotals totals = result.Totals;
        if (served < totals.Received)
        {
            return Invariant($"The clients counted {totals.Received:N0} answers, but only {served:N0} messages reached the handler of the server: ") +
                "the others were answered without it, and cost it nothing.";
        }

        bool isComplete = result is { Relay: null, Clients: { Aborted: false, Reconnections: null }, Hosts: null or { Missing: null } };
        return isComplete && served > (1 + Remarkable) * totals.Sent
            ? Invariant($"The handler of the server was called for {served:N0} messages, but the clients sent {totals.Sent:N0} (limit: +{Remarkable:P0}), ") +
                "so its CPU time per message is too low."
            : null;
    }

    private static string Sentence(double gap, RunResult result, double bound) => Invariant(
        $"The server counted messages at a rate {Math.Abs(gap):P1} {(gap < 0 ? "lower" : "higher")} than the clients (limit: {bound:P0}): ") +
        $"{RateOf(result.Messages.ServerReceived, result.Server?.Cost?.Seconds)}, " +
        $"the clients {RateOf(result.Messages.ClientReceived, result.DurationSeconds)}.";

    private static string RateOf(long? messages, double? seconds) => Invariant($"{messages / seconds:N0} msg/s ({messages:N0} in {seconds:0.000} s)");
}
