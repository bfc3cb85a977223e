using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using System.Text.RegularExpressions;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>Reads results back from the JSON that this program wrote.</summary>
public static partial class ResultFile
{
    /// <summary>Reads one result.</summary>
    /// <exception cref="FormatException">The text is not a result, or is of another schema. The message reports which.</exception>
    public static Result Parse(string json)
    {
        try
        {
            using var document = JsonDocument.Parse(json);
            if (document.RootElement.ValueKind != JsonValueKind.Object || !document.RootElement.TryGetProperty("schema", out JsonElement schema))
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
        ResultKind.Capacity => ResultJson.Readable.CapacityResult,
        ResultKind.Comparison => ResultJson.Readable.ComparisonResult,
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "It is not a known kind of result."),
    };

    private static Result Read(JsonElement root)
    {
        string name = root.TryGetProperty("kind", out JsonElement value) ? value.ToString() : string.Empty;
        ResultKind? kind = Enum.GetValues<ResultKind>().Cast<ResultKind?>().FirstOrDefault(known => NameOf(known!.Value) == name);
        JsonTypeInfo type = TypeOf(kind ?? throw new FormatException($"'{name}' is not a known kind of result"));
        try
        {
            var result = (Result)root.Deserialize(type)!;
            RequireElements(root, type, string.Empty);
            return result;
        }
        catch (JsonException exception) when (WrongValue(root, exception.Path) is { } wrong)
        {
            throw new FormatException($"its '{exception.Path![2..]}' is {(wrong.ValueKind == JsonValueKind.Null ? "null" : "of a wrong kind")}", exception);
        }
    }

    // The deserializer refuses a null for a property that may not be null, but accepts it as an element of a list or a dictionary.
    private static void RequireElements(JsonElement value, JsonTypeInfo type, string path)
    {
        if (value.ValueKind == JsonValueKind.Array)
        {
            int index = 0;
            foreach (JsonElement element in value.EnumerateArray())
            {
                RequireElement(element, type, $"{path}[{index++}]");
            }
        }
        else if (value.ValueKind == JsonValueKind.Object)
        {
            // Values that are null are not written, so the deserializer accepts that any value is missing.
            if (type.Properties.FirstOrDefault(known => IsRequired(known) && !value.TryGetProperty(known.Name, out _)) is { } missing)
            {
                throw new FormatException($"its '{PathOf(path, missing.Name)}' is missing");
            }

            foreach (JsonProperty property in value.EnumerateObject())
            {
                string name = PathOf(path, property.Name);
                if (type.Kind == JsonTypeInfoKind.Dictionary)
                {
                    RequireElement(property.Value, type, name);
                }
                else if (type.Properties.FirstOrDefault(known => known.Name == property.Name) is { } known)
                {
                    RequireElements(property.Value, type.Options.GetTypeInfo(known.PropertyType), name);
                }
            }
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

    private static string PathOf(string path, string name) => path.Length == 0 ? name : $"{path}.{name}";

    private static void RequireElement(JsonElement element, JsonTypeInfo type, string path)
    {
        if (element.ValueKind == JsonValueKind.Null)
        {
            if (Nullable.GetUnderlyingType(type.ElementType!) is not null)
            {
                return;
            }

            throw new FormatException($"its '{path}' is null");
        }

        RequireElements(element, type.Options.GetTypeInfo(type.ElementType!), path);
    }

    // Null if the path leads to an object: then a value in it is missing, and the exception's message names it.
    private static JsonElement? WrongValue(JsonElement root, string? path)
    {
        JsonElement value = root;
        foreach (Match step in Step().Matches(path ?? string.Empty))
        {
            string name = step.Groups[1].Value;
            value = (value.ValueKind, name.Length > 0) switch
            {
                (JsonValueKind.Object, true) => value.TryGetProperty(name, out JsonElement member) ? member : default,
                (JsonValueKind.Array, false) => value.EnumerateArray().ElementAtOrDefault(int.Parse(step.Groups[2].Value, CultureInfo.InvariantCulture)),
                _ => default,
            };
        }

        return value.ValueKind is JsonValueKind.Object or JsonValueKind.Undefined ? null : value;
    }

    // A member or an index in a path, such as $.cases[0].
    [GeneratedRegex(@"\.([^.[]+)|\[(\d+)\]")]
    private static partial Regex Step();
}

/// <summary>Results as JSON: the same text on every machine and in every culture.</summary>
[JsonSerializable(typeof(RunResult))]
[JsonSerializable(typeof(SuiteResult))]
[JsonSerializable(typeof(ServerResult))]
[JsonSerializable(typeof(SweepResult))]
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
