namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class CheckCommandTests
{
    [Fact, Trait("Category", "Long")]
    public async Task Check_prints_a_line_for_each_check_and_the_counts()
    {
        (int code, string output, string errors) = await BenchmarkProcess.RunLineAsync("check -l Sockets -P Tcp");
        string[] lines = output.TrimEnd().Split('\n');
        Assert.True(code == 0 && errors.Length == 0, $"{code}: {errors}{output}");
        Assert.Equal(ConformanceChecks.All.Select(check => check.Name), lines[..^1].Select(NameIn));
        Assert.Contains("passed          Tcp, order", lines);
        Assert.Contains("not applicable  Tcp, server threads: the library decides the number of the server's threads.", lines);
        string[] notApplicable = [.. lines.Where(line => line.StartsWith("not applicable ", StringComparison.Ordinal)).Select(NameIn)];
        Assert.Equal(
            [
                "reliable beside unreliable", "channels", "updates", "one call to all", "more peers",
                .. OperatingSystem.IsLinux() ? [] : (string[])["descriptors"], "server threads", "client threads",
            ],
            notApplicable);
        Assert.Equal($"{lines.Length - 1 - notApplicable.Length} passed, 0 failed, {notApplicable.Length} not applicable", lines[^1]);

        static string NameIn(string line) => line.Split(", ")[1].Split(':')[0];
    }

    [Fact]
    public async Task One_check_alone_and_its_verdict_as_json()
    {
        (int code, string output, string errors) = await BenchmarkProcess.RunLineAsync("check -l Sockets -P Tcp --only echo --json");
        Assert.Equal((0, "passed          Tcp, echo\n"), (code, errors));
        using var document = JsonDocument.Parse(output);
        JsonElement verdict = Assert.Single(document.RootElement.EnumerateArray());
        Assert.Equal(("Tcp", "echo", "passed"), (Text("transport"), Text("check"), Text("verdict")));

        string? Text(string name) => verdict.GetProperty(name).GetString();
    }
}
