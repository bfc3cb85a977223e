using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Running;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>What the relay between clients and server can do and needs.</summary>
internal static class ImpairmentCheck
{
    /// <summary>Open descriptors that the relay needs for each client: a stream's both ends, or a socket that sends its datagrams on.</summary>
    public static int DescriptorsOfRelay(RunPlan plan) => plan.Impairment.IsNone ? 0 : plan.Protocol.IsStream() ? 2 : 1;

    /// <summary>Refuses to do to a stream what TCP undoes.</summary>
    /// <exception cref="BenchmarkException">The plan asks for such a thing.</exception>
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
                $"Option {impossible}: a stream ({plan.Protocol}) arrives whole and in order, whatever becomes of its packets; valid with it are --delay, --jitter, --stall and --bandwidth.");
        }
    }
}
