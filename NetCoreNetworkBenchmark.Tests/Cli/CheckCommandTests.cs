namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class CheckCommandTests
{
    [Theory]
    [InlineData("check", "Error: Option '--library' is required. See --help.")]
    [InlineData("check -l Sokets", "Error: --library: \"Sokets\" is not one of ")]
    [InlineData("check -l Sockets -P Quic", "Error: --protocol: Sockets does not support QUIC. Use Udp, Tcp or Tls")]
    [InlineData("check -l Sockets -r Reliable -P Udp", "Error: --transmission: Sockets has no Reliable delivery over Udp. Omit it.")]
    [InlineData("check -l Sockets -r Unreliable -P Tls", "Error: --transmission: Sockets has no Unreliable delivery over Tls. Omit it.")]
    [InlineData("check -l Sockets -r Unreliable -P Ssl", "Error: --transmission: Sockets has no Unreliable delivery over Tls. Omit it.")]
    [InlineData("check -l nginx", "Error: --library: nginx ")]
    [InlineData("check -l Sockets --only ecco", "Error: --only: \"ecco\" is not one of ")]
    public Task Bad_input_is_refused_in_one_sentence(string arguments, string sentence) => ProgramInFolder.AssertRefusedAsync(sentence, arguments.Split(' '));

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
