using System.Globalization;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>Converts an impairment to the command line options that request it.</summary>
internal static class ImpairmentArguments
{
    /// <summary>Options and values; empty if nothing is impaired.</summary>
    public static IReadOnlyDictionary<string, string> Of(ImpairmentPlan plan)
    {
        var asked = new Dictionary<string, string>(StringComparer.Ordinal);
        void AddIf(bool condition, string option, FormattableString value)
        {
            if (condition)
            {
                asked[option] = value.ToString(CultureInfo.InvariantCulture);
            }
        }

        AddIf(plan.Delay > TimeSpan.Zero, "--delay", $"{plan.Delay.TotalMilliseconds}ms");
        AddIf(plan.Jitter > TimeSpan.Zero, "--jitter", $"{plan.Jitter.TotalMilliseconds}ms");
        AddIf(plan.Loss > 0, "--loss", $"{plan.Loss * 100}%");
        AddIf(plan.Duplicate > 0, "--duplicate", $"{plan.Duplicate * 100}%");
        AddIf(plan.Reorder > 0, "--reorder", $"{plan.Reorder * 100}%");
        AddIf(plan.Corrupt > 0, "--corrupt", $"{plan.Corrupt * 100}%");
        AddIf(plan.Stall is not null, "--stall", $"{plan.Stall?.Length.TotalMilliseconds}ms/{plan.Stall?.Period.TotalMilliseconds}ms");
        AddIf(plan.BandwidthBitsPerSecond is not null, "--bandwidth", $"{plan.BandwidthBitsPerSecond / 1000.0}kbit");
        AddIf(!plan.IsNone, "--seed", $"{plan.Seed}");
        return asked;
    }
}
