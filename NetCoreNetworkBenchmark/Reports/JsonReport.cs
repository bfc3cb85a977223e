using System.Text.Json;
using System.Text.RegularExpressions;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>Raw and complete (Docs/results.md). A brief result has no histograms; they are in its log.</summary>
public sealed partial class JsonReport : IReport
{
    // Of a brief result: 0.5 s instead of 0.1 s.
    private const int PartsOfTimeline = 5;

    public string Name => "json";

    public bool IsOneDocument => true;

    public string? FileNameOf(Result result) => $"{ResultFile.FileNameOf(result.Kind)}.json";

    public void Write(Result result, TextWriter writer) => writer.WriteLine(Condense(result is SuiteResult { IsBrief: true } brief
        ? JsonSerializer.Serialize(
            brief.WithCases(measured => measured with { Launches = [.. measured.Launches.Select(WithoutHistograms)] }), ResultJson.Dense.SuiteResult)
        : JsonSerializer.Serialize(result, result.GetType(), ResultJson.Readable)));

    /// <summary>
    /// Puts each list and each object that contains no other on one line. Otherwise, most lines are one number of a slice. No value changes, because a line
    /// break in JSON is never within a string.
    /// </summary>
    internal static string Condense(string json) =>
        Innermost().Replace(json, static part => string.Join(' ', part.Value.Split('\n', StringSplitOptions.TrimEntries)));

    // Brackets in a string do not count.
    [GeneratedRegex("""[\[{]\n(?>[^\[\]{}"]+|"(?>[^"\\]|\\.)*")*[\]}]""")]
    private static partial Regex Innermost();

    // Histograms are most of the file, and the histogram log contains them.
    private static LaunchResult WithoutHistograms(LaunchResult launch) => launch with
    {
        Result = launch.Result is not { Clients: var clients, Server: var server } result ? null : result with
        {
            Clients = clients with
            {
                Latency = clients.Latency with { Histogram = null },
                Uncorrected = clients.Uncorrected is { } uncorrected ? uncorrected with { Histogram = null } : null,
                Timeline = Coarse(clients.Timeline),
            },
            Server = server is null ? null : server with { Timeline = Coarse(server.Timeline) },
        },
    };

    internal static SideTimeline? Coarse(SideTimeline? fine) => fine is null ? null : new(
        Seconds: [.. fine.Seconds.Chunk(PartsOfTimeline).Select(parts => parts[^1])],
        Messages: fine.Messages is null ? null : [.. fine.Messages.Chunk(PartsOfTimeline).Select(parts => parts.Sum())],
        P99Microseconds: fine.P99Microseconds is null ? null : [.. fine.P99Microseconds.Chunk(PartsOfTimeline).Select(parts => parts.Max())],
        CpuSeconds: [.. fine.CpuSeconds.Chunk(PartsOfTimeline).Select(parts => Math.Round(parts.Sum(), 4))],
        PauseMilliseconds: [.. fine.PauseMilliseconds.Chunk(PartsOfTimeline).Select(parts => Math.Round(parts.Sum(), 2))],
        PoolQueue: [.. fine.PoolQueue.Chunk(PartsOfTimeline).Select(parts => parts.Max())],
        PoolThreads: [.. fine.PoolThreads.Chunk(PartsOfTimeline).Select(parts => parts.Max())]);
}
