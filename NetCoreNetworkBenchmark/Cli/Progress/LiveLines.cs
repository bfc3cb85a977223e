using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Cli.Progress;

/// <summary>Writes the figures of a run as a line of JSON every second (<c>--live json</c>). Docs/results.md has the fields.</summary>
internal sealed class LiveLines(Action<string> write)
{
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(0.9);
    private readonly Lock _lock = new();
    private RunPhase? _phase;
    private long _writtenAt;

    public static FileStream Create(string file)
    {
        try
        {
            return new FileStream(file, FileMode.Create, FileAccess.Write, FileShare.Read, bufferSize: 0);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw OptionValues.Rejected(RunOptions.LiveName, $"'{file}' cannot be written to ({FileError.ReasonOf(exception)}). Use another file.", exception);
        }
    }

    /// <summary>Writes a line if the last one of the phase is a second old. Thread-safe.</summary>
    public void Report(RunProgress progress)
    {
        if (progress.Figures is not { } figures)
        {
            return;
        }

        lock (_lock)
        {
            if (_phase == progress.Phase && Stopwatch.GetElapsedTime(_writtenAt) < s_interval)
            {
                return;
            }

            (_phase, _writtenAt) = (progress.Phase, Stopwatch.GetTimestamp());
            write(JsonSerializer.Serialize(
                new LiveLine(
                    JsonNamingPolicy.CamelCase.ConvertName(progress.Phase.ToString()),
                    Math.Round(progress.PhaseElapsed.TotalSeconds, 3),
                    Math.Round(figures.MessagesPerSecond, 1),
                    Rounded(figures.P50Microseconds),
                    Rounded(figures.P99Microseconds),
                    figures.InFlight,
                    figures.Lost,
                    Rounded(figures.ClientCores),
                    Rounded(figures.ServerCores),
                    Rounded(figures.CoresOfBoth)),
                LiveJson.Readable.LiveLine));
        }
    }

    private static double? Rounded(double? figure) => figure is { } value ? Math.Round(value, 3) : null;
}

internal sealed record LiveLine(
    string Phase, double Seconds, double MessagesPerSecond, double? P50Microseconds, double? P99Microseconds, long? InFlight, long Lost, double? ClientCores,
    double? ServerCores, double? Cores);

[JsonSerializable(typeof(LiveLine))]
[JsonSerializable(typeof(LiveMessage))]
internal sealed partial class LiveJson : JsonSerializerContext
{
    /// <summary>The context that writes quotes and letters as they are: the lines are no part of a page.</summary>
    public static LiveJson Readable { get; } = new(new JsonSerializerOptions
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    });
}
