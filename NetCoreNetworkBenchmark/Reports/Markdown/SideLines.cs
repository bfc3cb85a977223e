using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The configuration of the two sides of a run: settings, threads and cores, one line for each if there is any.</summary>
internal static class SideLines
{
    public static IEnumerable<string> Of(IReadOnlyDictionary<string, string> settings, int? serverThreads, int? clientThreads, PinningResult? pinning) =>
    [
        .. Line("Settings", [.. settings.Select(setting => $"{setting.Key}={setting.Value}")]),
        .. Line("Threads", Threads("server", serverThreads), Threads("clients", clientThreads)),
        .. Line("Cores", Cores("server", pinning?.Server), Cores("clients", pinning?.Clients)),
    ];

    private static string[] Line(string name, params string?[] parts) =>
        parts.OfType<string>().Any() ? [$"{name}: {string.Join(", ", parts.OfType<string>())}"] : [];

    private static string? Threads(string side, int? threads) => threads is null ? null : Invariant($"{side} {threads:N0}");

    // The actual cores; the requested cores only if they differ.
    private static string? Cores(string name, SidePinning? side) => side is null ? null
        : side.Asked.SequenceEqual(side.Cores) ? $"{name} {CoreList.Text(side.Cores)}"
        : $"{name} {CoreList.Text(side.Cores)} (asked {CoreList.Text(side.Asked)})";
}
