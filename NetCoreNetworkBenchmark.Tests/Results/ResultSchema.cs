using System.Text.Json.Schema;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using System.Xml.Linq;

namespace NetCoreNetworkBenchmark.Tests.Results;

/// <summary>
/// Makes the JSON schema of all results from the types that write and read them. Each type is one definition, with the summaries of the source as its
/// descriptions.
/// </summary>
internal sealed partial class ResultSchema
{
    private readonly JsonObject _definitions = [];
    private readonly Dictionary<string, XElement> _documentation;

    private ResultSchema() => _documentation = ((Type[])[typeof(Result), typeof(LatencyKind)])
        .SelectMany(type => XDocument.Load(Path.ChangeExtension(type.Assembly.Location, ".xml")).Descendants("member"))

        // A generator gives types of the same name to each assembly.
        .Where(member => member.Attribute("name")!.Value.Contains(":NetCoreNetworkBenchmark.", StringComparison.Ordinal))
        .ToDictionary(member => member.Attribute("name")!.Value);

    /// <summary>Returns the text of the schema.</summary>
    public static string Make() => new ResultSchema().Text();

    private string Text()
    {
        JsonNode[] kinds = [.. Enum.GetValues<ResultKind>().Select(kind => Reference(ResultFile.TypeOf(kind)))];
        foreach (ResultKind kind in Enum.GetValues<ResultKind>())
        {
            JsonObject definition = _definitions[ResultFile.TypeOf(kind).Type.Name]!.AsObject();
            RequireValue(definition, "schema", Result.CurrentSchema);
            RequireValue(definition, "kind", ResultFile.NameOf(kind));
        }

        var schema = new JsonObject
        {
            ["$schema"] = "https://json-schema.org/draft/2020-12/schema",
            ["$id"] = $"urn:netcorenetworkbenchmark:results:{Result.CurrentSchema}",
            ["title"] = "Results of NetCoreNetworkBenchmark",
            ["description"] = "Any result file of the program, by its kind. New fields may be added; the schema number grows when a field " +
                "changes its meaning or is removed.",
            ["oneOf"] = new JsonArray(kinds),
            ["$defs"] = new JsonObject(_definitions.OrderBy(definition => definition.Key, StringComparer.Ordinal)
                .Select(definition => KeyValuePair.Create(definition.Key, definition.Value?.DeepClone()))),
        };
        return $"{DeepLine().Replace(JsonReport.Condense(schema.ToJsonString(ResultJson.Readable.Options)), " ")}\n";
    }

    private static void RequireValue(JsonObject definition, string property, JsonNode value)
    {
        definition["properties"]![property]!["enum"] = new JsonArray(value);
        JsonArray required = definition["required"]!.AsArray();
        if (!required.Any(name => name!.GetValue<string>() == property))
        {
            required.Add(property);
        }
    }

    private JsonObject Reference(JsonTypeInfo type)
    {
        if (!_definitions.ContainsKey(type.Type.Name))
        {
            // Known before its properties, of which one may be of the same type.
            _definitions[type.Type.Name] = null;
            _definitions[type.Type.Name] = Definition(type);
        }

        return new JsonObject { ["$ref"] = $"#/$defs/{type.Type.Name}" };
    }

    private JsonObject Definition(JsonTypeInfo type)
    {
        JsonPropertyInfo[] written = [.. type.Properties.Where(property => property.Get is not null)];
        return new JsonObject
        {
            ["description"] = Description($"T:{type.Type.FullName}"),
            ["type"] = "object",
            ["properties"] = new JsonObject(written.Select(property => KeyValuePair.Create(property.Name, (JsonNode?)Property(property, type)))),
            ["required"] = new JsonArray(
                [.. written.Where(property => ResultFile.IsRequired(property) || IsDerived(property)).Select(property => (JsonNode)property.Name)]),
        };
    }

    private JsonObject Property(JsonPropertyInfo property, JsonTypeInfo owner)
    {
        MemberInfo member = owner.Type.GetMembers().Single(
            member => member is PropertyInfo or FieldInfo && property.Name
                == (member.GetCustomAttribute<JsonPropertyNameAttribute>()?.Name ?? JsonNamingPolicy.CamelCase.ConvertName(member.Name)));
        JsonObject schema = Value(owner.Options.GetTypeInfo(property.PropertyType));
        if (property.IsGetNullable)
        {
            AllowNull(ref schema);
        }

        schema.Insert(0, "description", Description($"{(member is FieldInfo ? 'F' : 'P')}:{member.DeclaringType!.FullName}.{member.Name}", member));
        return schema;
    }

    private JsonObject Value(JsonTypeInfo type) => type.Kind switch
    {
        JsonTypeInfoKind.Object => Reference(type),
        JsonTypeInfoKind.Enumerable => new JsonObject { ["type"] = "array", ["items"] = Element(type) },
        JsonTypeInfoKind.Dictionary => new JsonObject { ["type"] = "object", ["additionalProperties"] = Element(type) },
        _ => type.Options.GetJsonSchemaAsNode(
            Nullable.GetUnderlyingType(type.Type) ?? type.Type, new JsonSchemaExporterOptions { TreatNullObliviousAsNonNullable = true }).AsObject(),
    };

    private JsonObject Element(JsonTypeInfo type)
    {
        JsonObject schema = Value(type.Options.GetTypeInfo(type.ElementType!));
        if (Nullable.GetUnderlyingType(type.ElementType!) is not null)
        {
            AllowNull(ref schema);
        }

        return schema;
    }

    // What follows from other values is always written.
    private static bool IsDerived(JsonPropertyInfo property) =>
        property is { Set: null, IsGetNullable: false } && Nullable.GetUnderlyingType(property.PropertyType) is null;

    private static void AllowNull(ref JsonObject schema)
    {
        const string Null = "null";
        if (schema["type"] is JsonValue type)
        {
            schema["type"] = new JsonArray(type.DeepClone(), Null);
        }
        else if (schema["enum"] is JsonArray values)
        {
            values.Add(null);
        }
        else
        {
            schema = new JsonObject { ["oneOf"] = new JsonArray(schema, new JsonObject { ["type"] = Null }) };
        }
    }

    private string Description(string name, MemberInfo? member = null)
    {
        XElement? text = _documentation.TryGetValue(name, out XElement? documented) ? documented.Element("summary") : null;

        // The property of a record's parameter is described where the record is.
        text ??= member is null ? null : _documentation[$"T:{member.DeclaringType!.FullName}"].Elements("param")
            .FirstOrDefault(parameter => parameter.Attribute("name")!.Value == member.Name);
        return text is null ? throw new InvalidOperationException($"{name} has no description.") : Plain(text);
    }

    // A reference becomes the name as it is in JSON.
    private static string Plain(XElement text)
    {
        IEnumerable<string> parts = text.Nodes().Select(node => node switch
        {
            XText plain => plain.Value,
            XElement { Name.LocalName: "see" } see => JsonNamingPolicy.CamelCase.ConvertName(see.Attribute("cref")!.Value.Split('.')[^1]),
            XElement element => $" {Plain(element)}",
            _ => string.Empty,
        });
        return Space().Replace(string.Concat(parts), " ").Trim();
    }

    [GeneratedRegex(@"\s+")]
    private static partial Regex Space();

    // The properties of a definition are indented by 8 spaces, and each is one line.
    [GeneratedRegex(@"\n(?: {10,}| {8}(?=[\]}]))")]
    private static partial Regex DeepLine();
}
