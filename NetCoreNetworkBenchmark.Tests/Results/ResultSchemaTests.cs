using System.ComponentModel;
using NJsonSchema;

namespace NetCoreNetworkBenchmark.Tests.Results;

/// <summary>The published schema of results: that it is up to date, accepts all results, and refuses wrong ones.</summary>
public sealed class ResultSchemaTests : InTemporaryFolder
{
    private const string Schema = "Docs/results.schema.json";

    // Validates each of the files by all rules of the draft, and prints those that are refused.
    private const string Validator = """
        import json, sys
        from jsonschema import Draft202012Validator as Validator
        schema = json.load(open(sys.argv[1], encoding="utf-8"))
        Validator.check_schema(schema)
        validator = Validator(schema, format_checker=Validator.FORMAT_CHECKER)
        for name in sys.argv[2:]:
            if not validator.is_valid(json.load(open(name, encoding="utf-8"))):
                print(name)
        """;

    private static readonly Result[] s_results =
    [
        SampleResults.Valid, SampleResults.Invalid, SampleResults.OpenLoop, SampleResults.BesideNeighbour, SampleResults.RoundTrip,
        SampleResults.Multicast, SampleResults.Chosen, SampleResults.Stream, SampleResults.PlainStream, SampleResults.CutConnections,
        SampleResults.Burst, SampleSuites.Suite, SampleSuites.Suite.Brief(), SampleSuites.Turns, SampleSuites.Framed, SampleSuites.Loss,
        SampleResults.Server, SampleResults.StreamServer, SampleSearches.Sweep, SampleSearches.Players,
        SampleSearches.Sweeps, SampleSearches.MaxClients, SampleResults.Comparison,
    ];

    private static readonly Dictionary<string, string> s_wrong = new()
    {
        ["no object"] = "[]",
        ["no kind"] = Changed(SampleResults.Valid, root => root.Remove("kind")),
        ["unknown kind"] = Changed(SampleResults.Valid, root => root["kind"] = "poem"),
        ["kind of another result"] = Changed(SampleResults.Valid, root => root["kind"] = "suite"),
        ["another schema"] = Changed(SampleResults.Valid, root => root["schema"] = 1),
        ["no rate"] = Changed(SampleResults.Valid, root => root.Remove("messagesPerSecond")),
        ["rate as text"] = Changed(SampleResults.Valid, root => root["messagesPerSecond"] = "1"),
        ["half a client"] = Changed(SampleResults.Valid, root => root["plan"]!["clients"] = 1.5),
        ["rate of null"] = Changed(SampleResults.Valid, root => root["messagesPerSecond"] = null),
        ["no percentile"] = Changed(SampleResults.Valid, root => root["clients"]!["latency"]!["microseconds"]!.AsObject().Remove("p99")),
        ["reason of null"] = Changed(SampleResults.Valid, root => root["verdict"]!["faults"] = new JsonArray((JsonNode?)null)),
        ["error that is no number"] = Changed(SampleResults.Valid, root => root["errorsByName"] = new JsonObject { ["lost"] = "many" }),
        ["time that is none"] = Changed(SampleResults.Valid, root => root["clients"]!["startedAt"] = "yesterday"),
        ["unknown server"] = Changed(SampleResults.Valid, root => root["serverKind"] = "other"),
        ["launch without a number"] = Changed(SampleSuites.Suite, root => root["benchmarks"]![0]!["cases"]![0]!["launches"]![0]!.AsObject().Remove("number")),
        ["run in a suite with a wrong type"] = Changed(
            SampleSuites.Suite, root => root["benchmarks"]![0]!["cases"]![0]!["launches"]![0]!["result"]!["oneProcess"] = "yes"),
        ["wrong verdict"] = Changed(SampleResults.Comparison, root => root["cases"]![0]!["verdict"] = "better"),
        ["steps that are no list"] = Changed(SampleSearches.MaxClients, root => root["steps"] = new JsonObject()),
    };

    public static TheoryData<string> Wrong => [.. s_wrong.Keys];

    [Fact]
    public void The_schema_is_the_golden_file() => Golden.VerifySource(ResultSchema.Make(), Schema);

    [Fact]
    public void Every_kind_of_result_is_tried() => Assert.Equal(Enum.GetValues<ResultKind>(), s_results.Select(result => result.Kind).Distinct().Order());

    [Fact]
    public async Task All_results_are_accepted()
    {
        JsonSchema schema = await ReadAsync();
        Assert.All(s_results, result => Assert.Empty(schema.Validate(result.Json())));
    }

    [Fact]
    public async Task Committed_results_are_accepted()
    {
        JsonSchema schema = await ReadAsync();
        Assert.NotEmpty(CommittedResults.Files);
        Assert.All(CommittedResults.Files, file => Assert.Empty(schema.Validate(File.ReadAllText(file))));
    }

    [Theory, MemberData(nameof(Wrong))]
    public async Task A_wrong_document_is_refused(string what) => Assert.NotEmpty((await ReadAsync()).Validate(s_wrong[what]));

    // A field that is null in every sample could otherwise have any schema.
    [Fact]
    public void Each_property_has_a_type_and_a_description()
    {
        JsonObject definitions = JsonNode.Parse(Golden.ReadSource(Schema))!["$defs"]!.AsObject();
        Assert.All(
            definitions.SelectMany(definition => definition.Value!["properties"]!.AsObject()),
            property =>
            {
                Assert.NotEmpty(property.Value!["description"]!.GetValue<string>());
                Assert.Contains(property.Value!.AsObject(), keyword => keyword.Key is "type" or "enum" or "$ref" or "oneOf");
            });
    }

    [Fact, Trait("Category", "Long")]
    public async Task A_validator_for_all_of_the_draft_comes_to_the_same_verdicts()
    {
        string[] right = [.. s_results.Select((result, index) => Write($"right-{index}.json", result.Json())), .. CommittedResults.Files];
        string[] wrong = [.. s_wrong.Values.Select((text, index) => Write($"wrong-{index}.json", text))];
        string verdicts = await ValidateAsync([Golden.PathOfSource(Schema), .. right, .. wrong]);
        Assert.Equal(wrong.Where(HasKnownFormat), verdicts.Split('\n', StringSplitOptions.RemoveEmptyEntries).Where(HasKnownFormat));

        // The validator of Python checks the format of a time only if another package is installed.
        bool HasKnownFormat(string file) => file != PathOf($"wrong-{s_wrong.Keys.ToList().IndexOf("time that is none")}.json");
    }

    private static async Task<string> ValidateAsync(string[] files)
    {
        try
        {
            (int exitCode, _, _) = await SystemCommand.RunAsync("python3", "-c", "from jsonschema import Draft202012Validator");
            Assert.SkipUnless(exitCode == 0, "Python has no jsonschema of version 4 (Debian: python3-jsonschema).");
            return await SystemCommand.RequireAsync(["python3", "-c", Validator, .. files]);
        }
        catch (Win32Exception)
        {
            Assert.Skip("This machine has no Python.");
            throw;
        }
    }

    // This validator knows no $defs, which were called definitions before.
    private static Task<JsonSchema> ReadAsync() => JsonSchema.FromJsonAsync(
        Golden.ReadSource(Schema).Replace("$defs", "definitions", StringComparison.Ordinal), TestContext.Current.CancellationToken);

    private static string Changed(Result result, Action<JsonObject> change)
    {
        JsonObject root = JsonNode.Parse(result.Json())!.AsObject();
        change(root);
        return root.ToJsonString();
    }
}
