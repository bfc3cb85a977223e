using NetCoreNetworkBenchmark.Impairment;
using NetCoreNetworkBenchmark.Running.Machine.Limits;
using NetCoreNetworkBenchmark.Running.Paths;
using NetCoreNetworkBenchmark.Running.Sessions;

namespace NetCoreNetworkBenchmark.Cli.Checks;

internal static partial class PlanCheck
{
    // A slot of a message in flight: its tag, the time at which it was sent, and the time from which it is timed.
    private const int BytesOfSlot = 32;

    private const double GiB = 1L << 30;

    public static void RequireDescriptors(long? limit) => Rule.Check([new(limit <= DescriptorLimit.Reserved, () => BenchmarkException.BadInput(
        $"This process may have {limit} open descriptors and needs about {DescriptorLimit.Reserved} besides those of the clients. " +
            "Raise the limit with 'ulimit -n 4096'."))]);

    public static void RequireThreads(ThreadLimit? limit)
    {
        if (ShortageOfThreads(ThreadLimit.Reserved, "This process needs", limit) is { } shortage)
        {
            throw BenchmarkException.BadInput($"{shortage.Sentence}.");
        }
    }

    public static void CheckMachine(RunPlan plan, LibraryInfo library, IWorkload workload, bool hasSeparateProcesses)
    {
        long needed = ThreadLimit.Reserved + (hasSeparateProcesses ? ThreadsOfChildren(plan) : ThreadsOf(plan));
        Shortage? threads = plan.Hosts.IsNone ? ShortageOfThreads(needed, "This run needs", ThreadLimit.Find()) : null;
        Rule.Check(
        [
            new(threads?.OfPlan()),
            new(FaultOfPorts(plan, library, workload, LocalPorts.Count)?.OfPlan(LoadOptions.ClientsName)),
            new(FaultOfMemory(plan, workload, MemoryForMessages())?.OfPlan(LoadOptions.MessagesName)),
            new(FaultOfRate(plan, workload, MemoryForMessages())?.OfPlan(LoadOptions.RateName)),
        ]);
    }

    /// <param name="sets">The cases whose processes are alive together.</param>
    public static void CheckMachine(IEnumerable<IEnumerable<SuiteCase>> sets)
    {
        IEnumerable<Shortage?> shortages =
            from suiteCase in sets.SelectMany(cases => cases)
            orderby suiteCase.Plan.Clients descending
            select FaultOfDescriptors(suiteCase.Plan, suiteCase.Library, DescriptorLimit.Raise(), OperatingSystem.IsMacOS())
                ?? FaultOfPorts(suiteCase.Plan, suiteCase.Library, suiteCase.Workload, LocalPorts.Count)
                ?? FaultOfMemory(suiteCase.Plan, suiteCase.Workload, MemoryForMessages())
                ?? FaultOfRate(suiteCase.Plan, suiteCase.Workload, MemoryForMessages());

        long threads = ThreadLimit.Reserved + sets.Select(
            cases => cases.Where(suiteCase => suiteCase.Plan.Hosts.IsNone).Sum(suiteCase => ThreadsOfChildren(suiteCase.Plan))).DefaultIfEmpty().Max();
        Shortage? first = shortages.FirstOrDefault(shortage => shortage is not null) ?? ShortageOfThreads(threads, "it needs", ThreadLimit.Find());
        Rule.Check([new(first is not null, () => BenchmarkException.BadInput($"This benchmark cannot run here: {first!.Sentence}."))]);
    }

    /// <param name="workload">One that opens connections again and again has other addresses, or waits for a port.</param>
    internal static Shortage? FaultOfPorts(RunPlan plan, LibraryInfo library, IWorkload workload, int ports)
    {
        // A relay's sockets are clients of the server. Over TCP they may have the same ports again, because their connections have another server.
        int perClient = 1 + (plan.Protocol.IsOverTcp() ? 0 : SocketsOfRelay(plan));
        long needed = (long)plan.Clients * perClient;
        return !plan.Hosts.IsNone || workload is IConnectionWorkload || library.DescriptorsPerClient == 0 || needed <= ports
            ? null
            : new Shortage(
                $"{Plural.Format(plan.Clients, "client needs", "clients need")} {Plural.Format(needed, "local port")}, " +
                    Invariant($"and this system has {ports:N0} for clients of one address; ") +
                    (needed <= LocalPorts.Max ? LocalPorts.Remedy : "divide the clients among several hosts with --client-hosts"),
                $"use at most {Plural.Format(ports / perClient, "client")}");
    }

    /// <summary>The messages must fit into half of the memory: queues grow by doubling, and the other half is for the copies.</summary>
    /// <param name="workload">One that opens connections has one short message in flight.</param>
    internal static Shortage? FaultOfMemory(RunPlan plan, IWorkload workload, double memory)
    {
        double needed = (double)plan.Clients * plan.ParallelMessages * (plan.MessageSize + BytesOfSlot);
        return !plan.Hosts.IsNone || workload is IConnectionWorkload || needed <= memory
            ? null
            : new Shortage(
                $"{Plural.Format(plan.Clients, "client")} with {Plural.Format(plan.ParallelMessages, "message")} of " +
                    $"{Plural.Format(plan.MessageSize, "byte")} in flight " +
                    TooMuch(needed, memory),
                "fewer clients, messages or bytes");
    }

    internal static Shortage? FaultOfRate(RunPlan plan, IWorkload workload, double memory)
    {
        double needed = (plan.HighestRate ?? 0) * plan.LossDeadline.TotalSeconds * BytesOfSlot;
        return !plan.Hosts.IsNone || workload is IConnectionWorkload || workload.LatencyKind == LatencyKind.OneWay || needed <= memory
            ? null
            : new Shortage(
                Invariant($"{plan.HighestRate:N0} messages per second, of which each may wait {plan.LossDeadline.TotalSeconds:0.#} s for its answer, ") +
                    TooMuch(needed, memory),
                "a lower rate");
    }

    private static string TooMuch(double needed, double memory) => Invariant($"need at least {needed / GiB:N1} GiB of memory, and half of the memory of ") +
        Invariant($"this machine or control group is {memory / GiB:N1} GiB; use a larger one");

    internal static Shortage? ShortageOfThreads(long needed, string subject, ThreadLimit? limit) => limit is null || limit.Allows(needed)
        ? null
        : new Shortage(
            Invariant($"{subject} about {needed:N0} threads in all its processes, and {limit.Text}; {limit.Remedy}"),
            "use fewer with --server-threads and --client-threads");

    private static int SocketsOfRelay(RunPlan plan) =>
        plan.Impairment.IsNone || NamespacePath.IsRequired(plan) ? 0 : RelaySetup.SocketsPerClient(plan.Protocol, plan.Impairment);

    private static long ThreadsOf(RunPlan plan) => plan.ServerThreads + plan.UsedClientThreads;

    private static long ThreadsOfChildren(RunPlan plan) => ((plan.Impairment.IsNone ? 2 : 3) * (ThreadLimit.Reserved + ThreadLimit.OfChild)) + ThreadsOf(plan);

    private static double MemoryForMessages() => GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 2.0;

    internal static Shortage? FaultOfDescriptors(RunPlan plan, LibraryInfo library, long? max, bool isMacOs)
    {
        int ofRelay = SocketsOfRelay(plan);
        int perClient = Math.Max(library.DescriptorsPerClient + (plan.MulticastGroup is null ? 0 : 1), ofRelay);
        long needed = ((long)plan.Clients * perClient) + DescriptorLimit.Reserved;
        return plan.Hosts.IsNone && max is { } limit && needed > limit
            ? new Shortage(
                $"{Plural.Format(plan.Clients, "client needs", "clients need")} about " +
                    Invariant($"{needed:N0} open descriptors, and this process may have {limit:N0}; ") +
                    DescriptorLimit.RemedyFor(needed, isMacOs),
                $"use at most {Plural.Format(Math.Max(0, limit - DescriptorLimit.Reserved) / Math.Max(1, perClient), "client")}")
            : null;
    }

    /// <param name="Sentence">The need, the limit and how to raise it, without a full stop.</param>
    /// <param name="Remedy">For a load that the user chooses.</param>
    internal sealed record Shortage(string Sentence, string Remedy)
    {
        /// <param name="option">The option that determines the need; null if there are several.</param>
        public BenchmarkException OfPlan(string? option = null) =>
            BenchmarkException.BadInput($"{(option is null ? string.Empty : $"{option}: ")}{Sentence} or {Remedy}.");
    }
}
