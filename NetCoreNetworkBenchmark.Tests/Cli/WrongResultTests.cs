namespace NetCoreNetworkBenchmark.Tests.Cli;

/// <summary>
/// Result files with one wrong value, for each value in turn. The program reports the remaining values, or refuses the file with one sentence that
/// names it. It never crashes.
/// </summary>
public sealed class WrongResultTests : ProgramInFolder
{
    private static readonly Dictionary<string, Result> s_samples = new()
    {
        ["run"] = SampleResults.OpenLoop.WithPlan(plan => plan with { Settings = SampleResults.Chosen.Plan.Settings })
            .WithClients(clients => clients with { Pinning = SampleResults.Chosen.Clients.Pinning, Errors = SampleResults.Invalid.Clients.Errors }) with
        {
            Server = SampleResults.Chosen.Server,
        },
        ["multicast"] = SampleResults.Multicast,
        ["stream"] = SampleResults.Stream,
        ["relayed stream"] = SampleResults.CutConnections,
        ["suite"] = SampleSuites.Suite,
        ["server"] = SampleResults.StreamServer,
        ["sweep"] = SampleSearches.Sweep,
        ["players"] = SampleSearches.Players,
        ["sweeps"] = SampleSearches.Sweeps,
        ["most clients"] = SampleSearches.MaxClients,
        ["comparison"] = SampleResults.Comparison,
    };

    // The property is missing.
    private const string Missing = "missing";

    // Each path is tried with one of these, in turn.
    private static readonly string?[] s_ofOtherKind = ["\"text\"", "[null]", "{}"];

    public static MatrixTheoryData<string, string?> Wrong => new(s_samples.Keys, [null, Missing, "-1e300", .. s_ofOtherKind]);

    [Theory, MemberData(nameof(Wrong)), Trait("Category", "Long")]
    public async Task A_wrong_value_anywhere_is_reported_or_refused(string sample, string? wrong)
    {
        JsonNode root = JsonNode.Parse(s_samples[sample].Json())!;
        string file = PathOf("result.json");
        int turn = Array.IndexOf(s_ofOtherKind, wrong);
        foreach ((int number, string path) in NewPathsOf(sample).Index())
        {
            if ((wrong is not null && path.Contains("result.", StringComparison.Ordinal)) || (turn >= 0 && number % s_ofOtherKind.Length != turn))
            {
                continue;
            }

            JsonNode changed = root.DeepClone();
            Replace(changed, path, wrong);
            await File.WriteAllTextAsync(file, changed.ToJsonString(), TestContext.Current.CancellationToken);
            await AssertToldAsync(path, file, "report", file);
            if (wrong is null or "-1e300")
            {
                await AssertToldAsync(path, file, "report", file, "-f", "hlog");
                await AssertToldAsync(path, file, "report", file, "-f", "html");
                await AssertToldAsync(path, file, "compare", file, file);
            }
        }
    }

    [Theory]
    [InlineData("environment.os", "null", "its 'environment.os' is null")]
    [InlineData("plan.clients", "\"many\"", "its 'plan.clients' is of a wrong kind")]
    [InlineData("clients.iterations", "[null]", "its 'clients.iterations[0]' is null")]
    [InlineData("plan.settings", "{\"mode\":null}", "its 'plan.settings.mode' is null")]
    [InlineData("clients.latencyKind", "7", "its 'clients.latencyKind' is of a wrong kind")]
    public async Task The_sentence_names_the_value(string path, string value, string sentence)
    {
        JsonNode root = JsonNode.Parse(SampleResults.Valid.Json())!;
        Replace(root, path, value);
        string file = PathOf("result.json");
        await File.WriteAllTextAsync(file, root.ToJsonString(), TestContext.Current.CancellationToken);
        await AssertRefusedAsync($"Error: '{file}' cannot be read: {sentence}", "report", file);
        await AssertRefusedAsync($"Error: '{file}' cannot be read: {sentence}", "compare", file, file);
    }

    private static async Task AssertToldAsync(string path, string file, params string[] arguments)
    {
        (int code, string output, string errors) = await RunAsync(arguments);
        bool isNamed = errors.Contains(file, StringComparison.Ordinal)
            || errors.StartsWith("Error: --format: hlog is not applicable to this", StringComparison.Ordinal);
        Assert.True(
            errors.Length == 0 ? output.Length > 0 && code is 0 or 1 or 5
                : code == 2 && output.Length == 0 && errors.TrimEnd().Split('\n').Length == 1 && isNamed,
            $"{path}, {string.Join(' ', arguments)}: {code} {errors}");
    }

    // Without the paths that an earlier sample of the same kind also has.
    private static IEnumerable<string> NewPathsOf(string sample) => PathsOf(JsonNode.Parse(s_samples[sample].Json())).Except(
        s_samples.TakeWhile(earlier => earlier.Key != sample)
            .Where(earlier => earlier.Value.Kind == s_samples[sample].Kind)
            .SelectMany(earlier => PathsOf(JsonNode.Parse(earlier.Value.Json()))));

    // The first element of each list represents all of them.
    private static IEnumerable<string> PathsOf(JsonNode? node, string path = "") => node switch
    {
        JsonObject values => values.SelectMany(value => PathsBelow(value.Value, path.Length == 0 ? value.Key : $"{path}.{value.Key}")),
        JsonArray elements => elements.Take(1).SelectMany((element, index) => PathsBelow(element, $"{path}.{index}")),
        _ => [],
    };

    private static IEnumerable<string> PathsBelow(JsonNode? node, string path) => PathsOf(node, path).Prepend(path);

    private static void Replace(JsonNode root, string path, string? wrong)
    {
        string[] names = path.Split('.');
        JsonNode parent = names[..^1].Aggregate(root, (node, name) => node is JsonArray list ? list[int.Parse(name, provider: null)]! : node[name]!);
        JsonNode? value = wrong is null or Missing ? null : JsonNode.Parse(wrong);
        switch (parent)
        {
            case JsonArray elements:
                elements[int.Parse(names[^1], provider: null)] = value;
                break;
            case JsonObject values when wrong == Missing:
                values.Remove(names[^1]);
                break;
            default:
                parent[names[^1]] = value;
                break;
        }
    }
}
