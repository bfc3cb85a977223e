using System.Globalization;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Options;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Workloads.Capacity;

/// <summary>
/// One round trip of every client, all at once. The server sends every message back, and the client checks it. The workload shows whether all
/// connected clients are served within a deadline, and is repeated with increasing numbers of clients.
/// </summary>
public sealed class MaxClients : IWorkload
{
    private const string Test = "MaxClients";
    private const string DeadlineName = "--deadline";
    private const string WhyExcluded = "every client sends one message, and the number of clients is the result";

    /// <inheritdoc/>
    public string Name => Test;

    /// <inheritdoc/>
    public IReadOnlyList<PlanOption> Options { get; } =
    [
        PlanOption.ForTest(Test, DeadlineName, "deadline of the answer to each client's message", "1s", WithDeadline) with
        {
            ValueName = "TIME",
        },
    ];

    /// <inheritdoc/>
    public IReadOnlyDictionary<string, string> OptionRemarks { get; } = new Dictionary<string, string>
    {
        [LoadOptions.ClientCount] = $"with -t {Test} the most to try [default there: all that the machine allows]",
    };

    /// <inheritdoc/>
    public IReadOnlyDictionary<string, string> ExcludedOptions => PlanOptions.All
        .Where(option => option.IsOfLastingLoad || option.Group == OptionGroup.Impairment)
        .Select(option => option.Name)
        .Concat(["--benchmark", "--launches", "--sweep", "--limit", "--role"])
        .ToDictionary(option => option, _ => WhyExcluded);

    /// <inheritdoc/>
    public bool FindsMostClients => true;

    /// <inheritdoc/>
    public string Summary => "finds the most clients that each complete a round trip within --deadline";

    /// <inheritdoc/>
    public bool EndsWhenDone(RunPlan plan) => true;

    /// <inheritdoc/>
    public bool MeasuresIdleClients => true;

    /// <inheritdoc/>
    public RunPlan Complete(RunPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);

        // The last client sends later than the first, and its round trip has the whole deadline.
        return plan with { Iterations = 1, Duration = plan.LossDeadline + plan.StopDeadline };
    }

    /// <inheritdoc/>
    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => new PingPongServer(recorder);

    /// <inheritdoc/>
    public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) => new SingleRoundTripClients(plan, recorder);

    // A client gives its message up when the deadline has passed.
    private static RunPlan WithDeadline(RunPlan plan, string text)
    {
        TimeSpan deadline = OptionValues.Duration(DeadlineName, text);
        return deadline > TimeSpan.Zero
            ? plan.WithWorkloadOption(DeadlineName, string.Create(CultureInfo.InvariantCulture, $"{deadline.TotalSeconds}s")) with { LossDeadline = deadline }
            : throw OptionValues.Invalid(DeadlineName, text, "a time above 0, such as 1s");
    }
}
