using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>The capabilities and the needs of the relay between clients and server.</summary>
internal static class ImpairmentCheck
{
    /// <summary>
    /// Returns the number of open descriptors that the relay needs for each client: both ends of a stream, or a socket that forwards its datagrams.
    /// </summary>
    public static int DescriptorsOfRelay(RunPlan plan) => plan.Impairment.IsNone ? 0 : plan.Protocol.IsStream() ? 2 : 1;

    /// <summary>Rejects impairments of a stream that TCP undoes.</summary>
    /// <exception cref="BenchmarkException">The plan contains such an impairment.</exception>
    public static void CheckStream(RunPlan plan)
    {
        if (!plan.Protocol.IsStream())
        {
            return;
        }

        IReadOnlyDictionary<string, string> asked = ImpairmentArguments.Of(plan.Impairment);
        IReadOnlyDictionary<string, string> possible = ImpairmentArguments.Of(plan.Impairment.ForStreams);
        if (asked.Keys.FirstOrDefault(option => !possible.ContainsKey(option)) is { } impossible)
        {
            throw BenchmarkException.BadInput(
                $"Option {impossible}: a stream ({plan.Protocol}) arrives whole and in order, whatever becomes of its packets; " +
                    "valid with it are --delay, --jitter, --stall and --bandwidth.");
        }
    }
}
