using NetCoreNetworkBenchmark.Workloads.InFlight;

namespace NetCoreNetworkBenchmark.Workloads.FixedCounts;

/// <summary>Every client makes a fixed number of round trips without a warm-up: the figures show the time of the first messages of new processes.</summary>
public sealed class FixedCount : IMessageWorkload
{
    private const string Test = "FixedCount";
    private const string CountName = "--count";
    private const int MaxMessages = 10_000_000;

    public string Name => Test;

    public IReadOnlyList<WorkloadOption> Options { get; } =
    [
        WorkloadOption.Number(CountName, "round trips of each client", 1, MaxMessages) with { Default = "1000" },
    ];

    public IReadOnlyDictionary<string, string> OptionRemarks { get; } = new Dictionary<string, string>
    {
        ["--duration"] = $"with -t {Test} the deadline of all round trips",
    };

    public IReadOnlyDictionary<string, string> ExcludedOptions { get; } = new Dictionary<string, string>
    {
        ["--rate"] = "each answer triggers the next message",
        ["--sweep"] = "the test has no rate",
        ["--warmup"] = "counting starts with the first message",
        ["--iterations"] = "the test ends after a fixed count",
        ["--reconnect"] = "a client makes all round trips on one connection",
    };

    public bool EndsWhenDone(RunPlan plan) => true;

    public RunPlan Complete(RunPlan plan) => plan with { Iterations = 1, WarmUp = TimeSpan.Zero };

    public IEnumerable<string> FindFaults(RunPlan plan, LoadOutcome outcome) =>
        EndingClients.FindMissing(plan, outcome, (long)CountOf(plan) * plan.Clients * outcome.Repetitions);

    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => new PingPongServer(recorder);

    public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) =>
        new CountedClients(plan, recorder, "Clients that completed their messages", CountOf(plan));

    private static int CountOf(RunPlan plan) => int.Parse(plan.WorkloadOptions[CountName], CultureInfo.InvariantCulture);
}
