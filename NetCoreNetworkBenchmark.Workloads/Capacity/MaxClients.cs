using NetCoreNetworkBenchmark.Workloads.InFlight;

namespace NetCoreNetworkBenchmark.Workloads.Capacity;

/// <summary>One round trip of every client, all at once, with increasing numbers of clients: shows whether all are served within a deadline.</summary>
public sealed class MaxClients : IMessageWorkload
{
    private const string Test = "MaxClients";
    private const string DeadlineName = "--deadline";

    public string Name => Test;

    public IReadOnlyList<WorkloadOption> Options { get; } =
    [
        new(DeadlineName, "deadline of the answer to each client's message", WithDeadline) { Default = "1s", ValueName = "TIME" },
    ];

    public IReadOnlyDictionary<string, string> OptionRemarks { get; } = new Dictionary<string, string>
    {
        ["--clients"] = $"with -t {Test} the most to try [default there: all that the machine allows]",
    };

    public bool FindsMostClients => true;

    public bool EndsWhenDone(RunPlan plan) => true;

    // The last client sends later than the first, and its round trip has the whole deadline.
    public RunPlan Complete(RunPlan plan) => plan with { Iterations = 1, Duration = plan.LossDeadline + plan.StopDeadline };

    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => new PingPongServer(recorder);

    public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) => new SingleRoundTripClients(plan, recorder);

    // A client gives its message up when the deadline has passed.
    private static RunPlan WithDeadline(RunPlan plan, string text)
    {
        TimeSpan deadline = OptionValues.Duration(DeadlineName, text);
        return deadline > TimeSpan.Zero
            ? plan.WithWorkloadOption(DeadlineName, FormattableString.Invariant($"{(decimal)deadline.TotalSeconds}s")) with { LossDeadline = deadline }
            : throw OptionValues.Invalid(DeadlineName, text, "a time above 0, such as 1s");
    }
}

// A client is served if its message was answered within the loss deadline from the start of the load. A late answer is received, as in every workload.
internal sealed class SingleRoundTripClients(RunPlan plan, RunRecorder recorder) : CountedClients(plan, recorder, WorkloadFigure.ClientsServed, count: 1)
{
    private readonly long _deadline = RunRecorder.ToTicks(plan.LossDeadline);

    public override IReadOnlyList<WorkloadFigure> ComputeFigures() =>
    [
        new WorkloadFigure(
            WorkloadFigure.ClientsServed,
            Ended().Count(window => window.EndedAt - window.StartedAt <= _deadline),
            string.Empty,
            FigureMerge.Sum),
    ];
}
