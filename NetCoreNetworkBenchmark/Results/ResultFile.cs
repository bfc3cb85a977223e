using System.Text.Json;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>Reads results back from the JSON that this program wrote.</summary>
public static class ResultFile
{
    /// <summary>Reads one result.</summary>
    /// <param name="json">The text.</param>
    /// <returns>The result, of the type that its kind says.</returns>
    /// <exception cref="FormatException">It is no result, or of another schema; the message says which.</exception>
    public static IResult Parse(string json)
    {
        try
        {
            using var document = JsonDocument.Parse(json);
            if (document.RootElement.ValueKind != JsonValueKind.Object || !document.RootElement.TryGetProperty("schema", out JsonElement schema))
            {
                throw new FormatException("it is no result of this program");
            }

            if (schema.ValueKind != JsonValueKind.Number || !schema.TryGetInt32(out int version) || version != IResult.CurrentSchema)
            {
                throw new FormatException($"it is of schema {schema.GetRawText()}, and this version reads schema {IResult.CurrentSchema}");
            }

            return Read(document);
        }
        catch (JsonException exception)
        {
            throw new FormatException($"it is not JSON of this program ({exception.Message.TrimEnd('.')})", exception);
        }
    }

    private static IResult Read(JsonDocument document)
    {
        string kind = document.RootElement.TryGetProperty("kind", out JsonElement found) ? found.ToString() : string.Empty;
        ResultJson context = ResultJson.Readable;
        IResult? result = Enum.TryParse(kind, ignoreCase: true, out ResultKind known) ? known switch
        {
            ResultKind.Run => document.Deserialize(context.RunResult),
            ResultKind.Suite => document.Deserialize(context.SuiteResult),
            ResultKind.Server => document.Deserialize(context.ServerResult),
            ResultKind.Sweep => document.Deserialize(context.SweepResult),
            ResultKind.MaxClients => document.Deserialize(context.MaxClientsResult),
            ResultKind.Comparison => document.Deserialize(context.ComparisonResult),
            _ => null,
        }
        : null;
        return result ?? throw new FormatException($"'{kind}' is not a known kind of result");
    }
}
