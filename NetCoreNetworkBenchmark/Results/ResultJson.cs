using System.Text.Json;
using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>Results as JSON: the same text on every machine and in every culture.</summary>
[JsonSerializable(typeof(RunResult))]
[JsonSerializable(typeof(SuiteResult))]
[JsonSerializable(typeof(ServerResult))]
[JsonSerializable(typeof(SweepResult))]
[JsonSerializable(typeof(MaxClientsResult))]
[JsonSerializable(typeof(ComparisonResult))]
public sealed partial class ResultJson : JsonSerializerContext
{
    private static readonly ResultJson s_readable = new(new JsonSerializerOptions
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        NewLine = "\n",
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        Converters =
        {
            new JsonStringEnumConverter<ResultKind>(JsonNamingPolicy.CamelCase),
            new JsonStringEnumConverter<LatencyKind>(JsonNamingPolicy.CamelCase),
            new JsonStringEnumConverter<ServerKind>(JsonNamingPolicy.CamelCase),
            new JsonStringEnumConverter<ClientBoundKind>(JsonNamingPolicy.CamelCase),
            new JsonStringEnumConverter<Verdict>(JsonNamingPolicy.CamelCase),
        },
    });

    /// <summary>The context with characters such as µ and + written as they are.</summary>
    public static ResultJson Readable => s_readable;
}
