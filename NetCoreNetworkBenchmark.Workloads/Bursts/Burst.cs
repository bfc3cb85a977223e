using NetCoreNetworkBenchmark.Workloads.InFlight;

namespace NetCoreNetworkBenchmark.Workloads.Bursts;

/// <summary>
/// Each client sends all its messages at once, waits until all are answered, and begins the next burst. A message is given up when no answer has reached its
/// client for the loss deadline, which is longer for large bursts. A burst with such a message is counted, but its time is not recorded, because it would be
/// that of the deadline.
/// </summary>
public sealed class Burst : IMessageWorkload
{
    private const string Test = "Burst";
    private const string BurstsName = "--bursts";
    private const string SendsWhenAnswered = "a burst is sent when all messages of the last one are answered";
    private const int MaxBursts = 10_000_000;

    // A round trip over TLS takes less on two shared cores of 2.5 GHz, when many are in flight.
    private static readonly TimeSpan s_slowMessage = TimeSpan.FromMicroseconds(40);
    private static readonly TimeSpan s_slowByte = TimeSpan.FromMicroseconds(0.1);

    public string Name => Test;

    public IReadOnlyList<WorkloadOption> Options { get; } =
    [
        WorkloadOption.Number(BurstsName, "bursts of each client, after which the run ends", 1, MaxBursts) with
        {
            Details = "there is no warm-up then; without it, the run ends after --duration",
            Excludes =
            [
                ("--warmup", "a fixed number of bursts has no warm-up"),
                ("--iterations", "a fixed number of bursts has no equal parts"),
                ("--reconnect", "a client that reconnects would start its bursts again"),
            ],
        },
    ];

    public IReadOnlyDictionary<string, string> OptionRemarks { get; } = new Dictionary<string, string>
    {
        ["--messages"] = $"with -t {Test} the messages of a burst",
        ["--duration"] = $"with {BurstsName} the deadline of all bursts",
    };

    public IReadOnlyDictionary<string, string> ExcludedOptions { get; } = new Dictionary<string, string>
    {
        ["--think"] = SendsWhenAnswered,
        ["--rate"] = SendsWhenAnswered,
        ["--sweep"] = "the test has no rate",
    };

    public bool EndsWhenDone(RunPlan plan) => BurstsOf(plan) is not null;

    public RunPlan Complete(RunPlan plan)
    {
        TimeSpan deadline = TimeToAnswer(plan);
        RunPlan patient = plan.LossDeadline < deadline ? plan with { LossDeadline = deadline } : plan;
        return EndsWhenDone(plan) ? patient with { Iterations = 1, WarmUp = TimeSpan.Zero } : patient;
    }

    public IEnumerable<string> FindFaults(RunPlan plan, LoadOutcome outcome) =>
        EndingClients.FindMissing(plan, outcome, (BurstsOf(plan) ?? 0L) * plan.ParallelMessages * plan.Clients * outcome.Repetitions);

    public IEnumerable<string> FindRemarks(RunPlan plan, LoadOutcome outcome)
    {
        if (outcome.TimesRecorded is { Count: > 0 } times && times.Values.All(count => count == 0))
        {
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"No whole burst of {plan.ParallelMessages:N0} messages ended within the measurement, so no burst time is reported. ") +
                "Use a longer --duration or fewer --messages.";
        }
    }

    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => new PingPongServer(recorder);

    public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) => new BurstClients(plan, recorder, BurstsOf(plan));

    // A server may answer one client after the other, so that one waits for its first answer until all others have theirs.
    private static TimeSpan TimeToAnswer(RunPlan plan) => plan.Clients * (double)plan.ParallelMessages * (s_slowMessage + (plan.MessageSize * s_slowByte));

    private static int? BurstsOf(RunPlan plan) => plan.WorkloadOptions.GetValueOrDefault(BurstsName) is { } text
        ? int.Parse(text, CultureInfo.InvariantCulture)
        : null;
}

internal sealed class BurstClients(RunPlan plan, RunRecorder recorder, int? bursts)
    : EndingClients(plan, recorder, "Clients that completed their bursts"), IClientHandler
{
    private readonly ThreadStates<BurstThread> _threads = new(() => new BurstThread(new MessageLayout(plan).CreateMessage()));

    public override bool IsDone => bursts is not null && base.IsDone;

    public override IReadOnlyList<WorkloadFigure> ComputeFigures()
    {
        long broken = _threads.All.Sum(thread => thread.Broken);
        WorkloadFigure[] lost = broken == 0
            ? []
            : [new WorkloadFigure("Bursts with lost messages, whose time is not recorded", broken, string.Empty, FigureMerge.Sum)];
        return bursts is null ? lost : [.. base.ComputeFigures(), .. lost];
    }

    public IReadOnlyList<(string Name, LatencyHistogram Histogram)> Distributions =>
        [("Burst", LatencyHistogram.Sum(_threads.All.Select(thread => thread.Times)))];

    public void OnDiscarded()
    {
        foreach (BurstThread thread in _threads.All)
        {
            thread.Times.Clear();
            thread.Broken = 0;
        }
    }

    // OnConnected is the first call for a peer. It sets the state, which no other class writes.
    public override void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) =>
        Unsafe.As<BurstWindow>(peer.State!).OnAnswer(message, worker);

    protected override InFlightWindow CreateEndingWindow(in WindowSetup setup) =>
        new BurstWindow(in setup, _threads, Plan.ParallelMessages, bursts ?? long.MaxValue);
}
