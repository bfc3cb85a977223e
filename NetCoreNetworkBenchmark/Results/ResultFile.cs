using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>Reads results back from the JSON that this program wrote.</summary>
public static class ResultFile
{
    /// <exception cref="FormatException">The text is not a result, or is of another schema. The message reports which.</exception>
    public static Result Parse(string json)
    {
        try
        {
            using var document = JsonDocument.Parse(json);
            if (!TryGetSchema(document.RootElement, out JsonElement schema))
            {
                throw new FormatException("it is no result of this program");
            }

            if (schema.ValueKind != JsonValueKind.Number || !schema.TryGetInt32(out int version) || version != Result.CurrentSchema)
            {
                throw new FormatException($"it is of schema {schema.GetRawText()}, and this version reads schema {Result.CurrentSchema}");
            }

            return Read(document.RootElement);
        }
        catch (JsonException exception)
        {
            throw new FormatException($"it is not JSON of this program ({exception.Message.TrimEnd('.')})", exception);
        }
    }

    /// <summary>Returns whether a text is JSON of another program. A result that was cut is none.</summary>
    internal static bool IsForeign(string text)
    {
        try
        {
            using var document = JsonDocument.Parse(text);
            return !TryGetSchema(document.RootElement, out JsonElement schema) || schema.ValueKind != JsonValueKind.Number;
        }
        catch (JsonException)
        {
            return false;
        }
    }

    private static bool TryGetSchema(JsonElement root, out JsonElement schema)
    {
        schema = default;
        return root.ValueKind == JsonValueKind.Object && root.TryGetProperty("schema", out schema);
    }

    public static string FileNameOf(ResultKind kind) => kind switch
    {
        ResultKind.Run => "result",
        ResultKind.Suite => "results",
        _ => NameOf(kind).ToLowerInvariant(),
    };

    /// <summary>Gets the name of a kind of result in JSON, which begins with a small letter.</summary>
    public static string NameOf(ResultKind kind) => JsonSerializer.SerializeToElement(kind, ResultJson.Readable.ResultKind).GetString()!;

    public static JsonTypeInfo TypeOf(ResultKind kind) => kind switch
    {
        ResultKind.Run => ResultJson.Readable.RunResult,
        ResultKind.Suite => ResultJson.Readable.SuiteResult,
        ResultKind.Server => ResultJson.Readable.ServerResult,
        ResultKind.Sweep => ResultJson.Readable.SweepResult,
        ResultKind.Sweeps => ResultJson.Readable.SweepsResult,
        ResultKind.Capacity => ResultJson.Readable.CapacityResult,
        ResultKind.Comparison => ResultJson.Readable.ComparisonResult,
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "It is not a known kind of result."),
    };

    private static Result Read(JsonElement root)
    {
        string name = root.TryGetProperty("kind", out JsonElement value) ? value.ToString() : string.Empty;
        ResultKind? kind = Enum.GetValues<ResultKind>().Cast<ResultKind?>().FirstOrDefault(known => NameOf(known!.Value) == name);
        JsonTypeInfo type = TypeOf(kind ?? throw new FormatException($"'{name}' is not a known kind of result"));
        RequireValues(root, type, string.Empty);
        try
        {
            return (Result)root.Deserialize(type)!;
        }
        catch (JsonException exception) when (exception.Path is ['$', '.', .. var path])
        {
            throw new FormatException($"its '{path}' is of a wrong kind", exception);
        }
    }

    /// <summary>Returns whether a property is written in any case: it is read back, and may not be null.</summary>
    internal static bool IsRequired(JsonPropertyInfo property)
    {
        bool isParameter = property.AssociatedParameter is { IsMemberInitializer: false, HasDefaultValue: false };
        return property.PropertyType.IsValueType
            ? (isParameter || property.IsRequired) && Nullable.GetUnderlyingType(property.PropertyType) is null
            : (isParameter || property.Set is not null) && !property.IsSetNullable;
    }

    // The deserializer accepts a null as an element of a list or a dictionary. It cannot require the parameters of constructors, because it also requires those
    // that may be null, and nulls are not written.
    private static void RequireValues(JsonElement whole, JsonTypeInfo type, string path)
    {
        bool isOptional = type.ElementType is { } element && Nullable.GetUnderlyingType(element) is not null;
        IEnumerable<(string Path, JsonElement Value, Type Type, bool IsOptional)> parts = (type.Kind, whole.ValueKind) switch
        {
            (JsonTypeInfoKind.Object, JsonValueKind.Object) =>
                from property in type.Properties
                let value = whole.TryGetProperty(property.Name, out JsonElement written) ? written : default
                select (PathOf(property.Name), value, property.PropertyType, !IsRequired(property)),
            (JsonTypeInfoKind.Dictionary, JsonValueKind.Object) =>
                whole.EnumerateObject().Select(entry => (PathOf(entry.Name), entry.Value, type.ElementType!, isOptional)),
            (JsonTypeInfoKind.Enumerable, JsonValueKind.Array) =>
                whole.EnumerateArray().Select((value, index) => ($"{path}[{index}]", value, type.ElementType!, isOptional)),
            _ => [],
        };
        foreach ((string place, JsonElement value, Type own, bool mayBeMissing) in parts)
        {
            if (value.ValueKind is not (JsonValueKind.Undefined or JsonValueKind.Null))
            {
                RequireValues(value, type.Options.GetTypeInfo(own), place);
            }
            else if (!mayBeMissing)
            {
                throw new FormatException($"its '{place}' is {(value.ValueKind == JsonValueKind.Null ? "null" : "missing")}");
            }
        }

        string PathOf(string name) => path.Length == 0 ? name : $"{path}.{name}";
    }
}

/// <summary>Results as JSON: the same text on every machine and in every culture.</summary>
[JsonSerializable(typeof(RunResult))]
[JsonSerializable(typeof(SuiteResult))]
[JsonSerializable(typeof(ServerResult))]
[JsonSerializable(typeof(SweepResult))]
[JsonSerializable(typeof(SweepsResult))]
[JsonSerializable(typeof(CapacityResult))]
[JsonSerializable(typeof(ComparisonResult))]
public sealed partial class ResultJson : JsonSerializerContext
{
    /// <summary>The context that writes characters such as µ and + without escapes.</summary>
    public static ResultJson Readable { get; } = new(OptionsWith(indentSize: 2));

    /// <summary>The same context without indentation, for results of many launches.</summary>
    public static ResultJson Dense { get; } = new(OptionsWith(indentSize: 0));

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
