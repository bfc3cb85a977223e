using NetCoreNetworkBenchmark.Certificates;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>
/// Validates the input of a connection that anyone can make: a bounded number of frames and bytes, every number within its range, and every
/// text fit to be printed. Docs/protocol.md lists the limits. Each connection has its own instance.
/// </summary>
internal sealed class RemoteFrames
{
    /// <summary>The longest line, in bytes. A plan takes some 2 KiB, the figures of a server some 10 KiB.</summary>
    public const int LongestLine = 256 * 1024;

    /// <summary>The most frames of a connection, acknowledgements among them. A run takes some ten.</summary>
    public const int MostFrames = 1_000;

    /// <summary>The most bytes of a connection.</summary>
    public const int MostBytes = 4 * 1024 * 1024;

    // More than a machine counts in a day, and few enough that sums of them do not overflow.
    private const double MostCounted = 1e15;
    private const int MostEntries = 1_000;

    private int _frames;
    private long _bytes;

    /// <summary>Validates a frame.</summary>
    /// <param name="frame">The frame as it was read.</param>
    /// <param name="length">The length of its line in bytes.</param>
    /// <returns>The frame without the parts that are not for this connection, with its texts cleaned.</returns>
    /// <exception cref="InvalidDataException">The frame is not valid. The message contains the reason, without a full stop.</exception>
    public Frame Admit(Frame frame, int length)
    {
        Check("the number of frames", ++_frames, 0, MostFrames);
        Check("the number of bytes", _bytes += length, 0, MostBytes);
        switch (frame)
        {
            case AckFrame or StopFrame or ByeFrame:
                return frame;
            case HelloFrame hello when hello.Version != ResultBuilder.HarnessVersion:
                // The frame is refused for its version, and the contents of its plan may have another meaning.
                return hello with { Version = RemoteText.Clean(hello.Version) };
            case HelloFrame { Role: AgentRole.Client } hello:
                CheckPlan(hello.Plan);
                return hello with { Version = RemoteText.Clean(hello.Version), Plan = Clean(hello.Plan), Target = null, Credentials = null };
            case ReadyFrame ready:
                // Nobody's key is used that came over a connection which is neither encrypted nor authenticated.
                return ready with { EndPoint = null, Credentials = AuthorityOf(ready.Credentials) };
            case PhaseFrame { Phase: RunPhase.Measure or RunPhase.Drain }:
                return frame;
            case ResultFrame { Server: { } report }:
                CheckReport(report);
                return new ResultFrame { Id = frame.Id, Server = Clean(report) };
            case FailureFrame failure:
                return failure with { Reason = RemoteText.Clean(failure.Reason), IsBadInput = false };
            default:
                throw new InvalidDataException("a frame that is not for this connection");
        }
    }

    private static TlsCredentials? AuthorityOf(TlsCredentials? credentials) =>
        credentials is null ? null
        : CredentialCheck.IsAuthority(credentials.Authority) ? new TlsCredentials { Authority = credentials.Authority }
        : throw new InvalidDataException("a certificate that cannot be read");

    private static void CheckPlan(RunPlan plan)
    {
        Check("clients", plan.Clients, 1, PlanLimits.MostClients);
        Check("parallelMessages", plan.ParallelMessages, 1, PlanLimits.MostMessages);
        Check("messageSize", plan.MessageSize, 1, RunPlan.LargestStreamMessage);
        Check("iterations", plan.Iterations, 1, PlanLimits.MostIterations);
        Check("port", plan.Port, 0, ushort.MaxValue);
        Check("serverThreads", plan.ServerThreads, 1, PlanLimits.MostThreads);
        Check("clientThreads", plan.ClientThreads, 1, PlanLimits.MostThreads);
        Check("rate", plan.Rate ?? PlanLimits.LeastRate, PlanLimits.LeastRate, PlanLimits.MostRate);
        CheckTime("warmUp", plan.WarmUp);
        CheckTime("duration", plan.Duration);
        CheckTime("lossDeadline", plan.LossDeadline);
        CheckTime("connectDeadline", plan.ConnectDeadline);
        CheckTime("stopDeadline", plan.StopDeadline);
        CheckEntries("settings", Present(plan.Settings).Count + Present(plan.ClientSettings).Count);
        CheckEntries("workloadOptions", Present(plan.WorkloadOptions).Count);
        CheckCores(Present(plan.Pinning).ServerCores);
        CheckCores(plan.Pinning.ClientCores);
        _ = (Present(plan.Test), Present(plan.Library), Present(plan.Tls));
        Check("heartbeatMisses", Present(plan.Liveness).HeartbeatMisses, 1, LivenessPlan.MostMisses);
        CheckTime("heartbeat", plan.Liveness.Heartbeat ?? TimeSpan.Zero);
        CheckTime("reconnect", plan.Liveness.Reconnect ?? TimeSpan.Zero);
        if (!Present(plan.Impairment).IsNone)
        {
            // A relay belongs to a coordinator, and a side that is started by hand has none.
            throw new InvalidDataException("an impairment");
        }
    }

    private static void CheckReport(ServerReport report)
    {
        _ = (Present(report.Remarks), Present(report.Handshakes), Present(report.Errors), Present(report.Foreign), Present(report.Disconnects));
        CheckCount("threads", report.Threads);
        CheckCount("received", report.Received);
        CheckCount("sent", report.Sent);
        CheckCount("sentLate", report.SentLate);
        CheckCount("heartbeatsSent", report.HeartbeatsSent);
        CheckCount("heartbeatsReceived", report.HeartbeatsReceived);
        CheckEntries("errors", report.Errors.Count);
        CheckEntries("disconnects", report.Disconnects.Count);
        CheckEntries("remarks", report.Remarks.Count);
        CheckEntries("handshakes", report.Handshakes.Count);
        CheckCores(report.Pinning?.Asked);
        CheckCores(report.Pinning?.Cores);
        foreach (long count in report.Errors.Values.Concat(report.Handshakes.Select(handshakes => Present(handshakes).Count)))
        {
            CheckCount("a count", count);
        }

        CheckCost(report.Cost);
    }

    private static void CheckCost(ProcessCost cost)
    {
        CheckCount("messages", cost.Messages);
        CheckCount("seconds", cost.Seconds);
        CheckCount("userCpuSeconds", cost.UserCpuSeconds);
        CheckCount("systemCpuSeconds", cost.SystemCpuSeconds);
        CheckCount("allocatedBytes", cost.AllocatedBytes);
        CheckCount("pauseSeconds", cost.PauseSeconds);
        CheckCount("lockContentions", cost.LockContentions);
        CheckCount("peakThreads", cost.PeakThreads);
        CheckCount("peakResidentBytes", cost.PeakResidentBytes);
        CheckCount("voluntaryContextSwitches", cost.VoluntaryContextSwitches);
        CheckCount("involuntaryContextSwitches", cost.InvoluntaryContextSwitches);
        CheckCount("stoppedSeconds", cost.StoppedSeconds);
        CheckCount("clientThreadsCpuSeconds", cost.ClientThreadsCpuSeconds);
        CheckCount("quotaPeriods", cost.QuotaPeriods);
        CheckCount("throttledPeriods", cost.ThrottledPeriods);
        CheckEntries("collections", cost.Collections.Count);
        foreach (int collections in cost.Collections)
        {
            CheckCount("collections", collections);
        }
    }

    private static RunPlan Clean(RunPlan plan) => plan with
    {
        Test = RemoteText.Clean(plan.Test),
        Library = RemoteText.Clean(plan.Library),
        Settings = Clean(plan.Settings),
        WorkloadOptions = Clean(plan.WorkloadOptions),
        Tls = plan.Tls with { Version = Cleaned(plan.Tls.Version), Group = Cleaned(plan.Tls.Group), Resumption = Cleaned(plan.Tls.Resumption) },
    };

    private static string? Cleaned(string? text) => text is null ? null : RemoteText.Clean(text);

    private static Dictionary<string, string> Clean(IReadOnlyDictionary<string, string> texts) => texts
        .Select(text => KeyValuePair.Create(RemoteText.Clean(text.Key), RemoteText.Clean(Present(text.Value))))
        .DistinctBy(text => text.Key)
        .ToDictionary();

    private static ServerReport Clean(ServerReport report) => report with
    {
        LibraryVersion = RemoteText.Clean(report.LibraryVersion),
        Remarks = [.. report.Remarks.Select(remark => RemoteText.Clean(Present(remark)))],
        Errors = new SortedDictionary<string, long>(
            report.Errors.GroupBy(error => RemoteText.Clean(error.Key)).ToDictionary(errors => errors.Key, errors => errors.Sum(error => error.Value)),
            StringComparer.Ordinal),
        Key = Cleaned(report.Key),
        GarbageCollector = Cleaned(report.GarbageCollector),
        Idle = null,
        Handshakes =
        [
            .. report.Handshakes.Select(handshakes => handshakes with
            {
                Version = RemoteText.Clean(handshakes.Version),
                Cipher = RemoteText.Clean(handshakes.Cipher),
                Group = Cleaned(handshakes.Group),
            }),
        ],
    };

    // The entries of a list are not checked when JSON is read, and a property that is not there is null instead of its default.
    private static T Present<T>(T? entry)
        where T : class => entry ?? throw new InvalidDataException("a null where a value belongs");

    private static void CheckTime(string name, TimeSpan time) => Check($"{name} in seconds", time.TotalSeconds, 0, PlanLimits.MostSeconds);

    private static void CheckCount(string name, double? count) => Check(name, count ?? 0, 0, MostCounted);

    private static void CheckEntries(string name, int entries) => Check($"the number of {name}", entries, 0, MostEntries);

    private static void CheckCores(IReadOnlyList<int>? cores)
    {
        Check("the number of cores", cores?.Count ?? 0, 0, PlanLimits.MostCores);
        foreach (int core in cores ?? [])
        {
            Check("a core", core, 0, PlanLimits.MostCores - 1);
        }
    }

    private static void Check(string name, double value, double least, double most)
    {
        // This form also covers values that are not a number.
        if (!(value >= least && value <= most))
        {
            throw new InvalidDataException(FormattableString.Invariant($"{name} is {value}, and {least} to {most} is valid"));
        }
    }
}
