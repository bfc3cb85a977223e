using System.Text.Json;
using System.Text.Json.Nodes;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Tests.Libraries;
using NetCoreNetworkBenchmark.Tests.Running.Agents;

namespace NetCoreNetworkBenchmark.Tests.Running.Roles;

/// <summary>Standalone clients end with one sentence for any input from the server.</summary>
public sealed class HostileServersTests
{
    private static readonly RunPlan s_plan = RunningServer.ShortPlan;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<string, string> WrongFigures => new()
    {
        { "received", "-1" },
        { "received", "9223372036854775807" },
        { "sent", "-1" },
        { "sentLate", "-1" },
        { "threads", "-1" },
        { "errors", "{\"a\":9223372036854775807,\"b\":9223372036854775807}" },
        { "errors", "{\"a\":-1}" },
        { "errors", "null" },
        { "remarks", "[null]" },
        { "libraryVersion", "null" },
        { "cost", "null" },
        { "cost.seconds", "1e999" },
        { "cost.userCpuSeconds", "-1e999" },
        { "cost.messages", "-1" },
        { "cost.collections", "null" },
        { "cost.collections", "[-1,0,0]" },
        { "cost.peakThreads", "-1" },
        { "handshakes", "[null]" },
        { "handshakes", "[{}]" },
        { "pinning", "{\"asked\":null}" },
    };

    [Theory]
    [MemberData(nameof(WrongFigures))]
    public async Task Figures_that_cannot_be_are_refused_in_one_sentence(string name, string value)
    {
        JsonNode result = JsonNode.Parse(Line(new ResultFrame { Id = 2, Server = Served() }))!;
        string[] path = ["server", .. name.Split('.')];
        JsonNode parent = path[..^1].Aggregate(result, (node, part) => node[part]!);
        parent[path[^1]] = JsonValue.Create("@");
        string message = await FailureAsync(result.ToJsonString().Replace("\"@\"", value, StringComparison.Ordinal));
        Assert.StartsWith("The server said something that is no", message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("garbage")]
    [InlineData("""{"type":"result","id":2,"server":{}}""")]
    [InlineData("""{"type":"phase","id":2}""")]
    [InlineData("""{"type":"failure","id":2}""")]
    [InlineData("""{"type":"result","id":2}""")]
    public async Task An_answer_that_is_no_result_is_one_sentence(string said)
    {
        string message = await FailureAsync(said);
        Assert.StartsWith("The server ", message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Control_characters_of_a_refusal_are_not_printed()
    {
        await using var server = new ScriptedServer(new Dictionary<string, string>
        {
            ["hello"] = Line(
                new FailureFrame($"\u001b[2J\u009b31mgone\r\nError: forged\u0007\u202e{new string('x', 100_000)}", IsBadInput: true) { Id = 1 }) + "\n",
        });
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => MeasureAsync(server));
        Assert.DoesNotContain(exception.Message, character => char.IsControl(character) || character == '\u202e');
        Assert.Contains("gone", exception.Message, StringComparison.Ordinal);
        Assert.InRange(exception.Message.Length, 1, 2_000);
    }

    [Fact]
    public async Task Control_characters_of_figures_are_not_in_the_result()
    {
        ServerReport report = Served() with
        {
            LibraryVersion = "1\u001b[2J",
            Remarks = ["a\u001b]0;x\u0007"],
            Errors = new SortedDictionary<string, long> { ["e\u001b\n"] = 1, ["e\u0007\u0008"] = 2 },
        };
        await using var server = new ScriptedServer(Answers(Line(new ResultFrame { Id = 2, Server = report })));
        NetCoreNetworkBenchmark.Results.RunResult result = await MeasureAsync(server);
        Assert.DoesNotContain(string.Concat([.. result.Remarks, .. result.ErrorsByName.Keys, .. result.InvalidReasons]), char.IsControl);
        Assert.Equal(3, result.Errors);
    }

    [Fact]
    public async Task A_server_that_never_stops_talking_breaks_the_run_off()
    {
        string flood = string.Concat(Enumerable.Range(2, 20_000).Select(id => $"{{\"type\":\"go\",\"id\":{id}}}\n"));
        await using var server = new ScriptedServer(new Dictionary<string, string>
        {
            ["hello"] = $"{Line(new ReadyFrame("x") { Id = 1 })}\n",
            ["phase"] = flood,
        });
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => MeasureAsync(server));
        Assert.DoesNotContain(Environment.NewLine, exception.Message, StringComparison.Ordinal);
    }

    private static ServerReport Served() => SampleFrames.Server with { Key = null, Handshakes = [] };

    private static Dictionary<string, string> Answers(string result) => new()
    {
        ["hello"] = $"{Line(new ReadyFrame("127.0.0.1:1") { Id = 1 })}\n",
        ["stop"] = $"{result}\n",
    };

    private static async Task<string> FailureAsync(string result)
    {
        await using var server = new ScriptedServer(Answers(result));
        return (await Assert.ThrowsAsync<BenchmarkException>(() => MeasureAsync(server))).Message;
    }

    private static string Line(Frame frame) => JsonSerializer.Serialize(frame, FrameJson.Default.Frame);

    private static Task<NetCoreNetworkBenchmark.Results.RunResult> MeasureAsync(ScriptedServer server)
    {
        RunPlan plan = s_plan with { Address = server.EndPoint.Address.ToString(), Port = server.EndPoint.Port };
        return RunningServer.MeasureAsync(plan, LibraryUnderTest.Create(plan.Library), null, null).WaitAsync(LibraryUnderTest.Deadline, Token);
    }
}
