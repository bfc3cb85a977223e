using System.Globalization;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>A plan as the command line that asks for it: what a result quotes, and what a child process is started with.</summary>
internal static class PlanArguments
{
    public static IReadOnlyList<string> Of(RunPlan plan) =>
    [
        "--test", plan.Test,
        "--library", plan.Library,
        "--protocol", plan.Protocol.ToString(),
        "--transmission", plan.Transmission.ToString(),
        "--address", plan.Address,
        "--port", Number(plan.Port),
        "--clients", Number(plan.Clients),
        "--messages", Number(plan.ParallelMessages),
        "--size", Number(plan.MessageSize),
        "--messageload", plan.MessageLoad.ToString(),
        "--warmup", Number(plan.WarmUp.TotalSeconds),
        "--duration", Number(plan.Duration.TotalSeconds),
    ];

    public static string CommandOf(RunPlan plan) => $"NetCoreNetworkBenchmark {string.Join(' ', Of(plan))}";

    private static string Number<T>(T value)
        where T : IFormattable => value.ToString(null, CultureInfo.InvariantCulture);
}
