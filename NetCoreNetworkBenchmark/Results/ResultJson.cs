using System.Text.Json;
using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>Results as JSON: the same text on every machine and in every culture.</summary>
[JsonSerializable(typeof(RunResult))]
[JsonSerializable(typeof(SuiteResult))]
[JsonSerializable(typeof(ServerResult))]
[JsonSerializable(typeof(SweepResult))]
[JsonSerializable(typeof(CapacityResult))]
[JsonSerializable(typeof(ComparisonResult))]
public sealed partial class ResultJson : JsonSerializerContext
{
    private static readonly ResultJson s_readable = new(OptionsWith(indentSize: 2));
    private static readonly ResultJson s_dense = new(OptionsWith(indentSize: 0));

    /// <summary>The context that writes characters such as µ and + without escapes.</summary>
    public static ResultJson Readable => s_readable;

    /// <summary>The same context without indentation, for results of many launches.</summary>
    public static ResultJson Dense => s_dense;

    private static JsonSerializerOptions OptionsWith(int indentSize) => new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        IncludeFields = true,
        IndentSize = indentSize,
        NewLine = "\n",
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        RespectNullableAnnotations = true,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase, allowIntegerValues: false) },
    };
}
