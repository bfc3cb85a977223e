using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The configuration of the two sides of a run: settings, threads and cores, one line for each if there is any.</summary>
internal static class SideLines
{
    public static IEnumerable<string> Of(IReadOnlyDictionary<string, string> settings, int? serverThreads, int? clientThreads, PinningResult? pinning)
    {
        if (settings.Count > 0)
        {
            yield return $"Settings: {string.Join(", ", settings.Select(setting => $"{setting.Key}={setting.Value}"))}";
        }

        string[] threads =
        [
            .. serverThreads is { } server ? (string[])[Invariant($"server {server:N0}")] : [],
            .. clientThreads is { } clients ? (string[])[Invariant($"clients {clients:N0}")] : [],
        ];
        if (threads.Length > 0)
        {
            yield return $"Threads: {string.Join(", ", threads)}";
        }

        string[] sides = [.. Side("server", pinning?.Server), .. Side("clients", pinning?.Clients)];
        if (sides.Length > 0)
        {
            yield return $"Cores: {string.Join(", ", sides)}";
        }
    }

    // The actual cores; the requested cores only if they differ.
    private static IEnumerable<string> Side(string name, SidePinning? side)
    {
        if (side is not null)
        {
            string asked = side.Asked.SequenceEqual(side.Cores) ? string.Empty : $" (asked {CoreList.Text(side.Asked)})";
            yield return $"{name} {CoreList.Text(side.Cores)}{asked}";
        }
    }
}
