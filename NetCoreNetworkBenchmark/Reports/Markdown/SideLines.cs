using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>How the sides of a run were made: settings, threads and cores, a line each where there is something to tell.</summary>
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

    // What was so; what was asked only where that is another thing.
    private static IEnumerable<string> Side(string name, SidePinning? side)
    {
        if (side is not null)
        {
            string asked = side.Asked.SequenceEqual(side.Cores) ? string.Empty : $" (asked {CoreList.Text(side.Asked)})";
            yield return $"{name} {CoreList.Text(side.Cores)}{asked}";
        }
    }
}
