using NetCoreNetworkBenchmark.Cli.Progress;

namespace NetCoreNetworkBenchmark.Tests.Cli.Progress;

public sealed class JsonLinesTests : ProgramInFolder
{
    [Fact]
    public async Task Each_line_is_an_object_and_figures_stay_as_they_are()
    {
        using var output = new StringWriter { NewLine = "\n" };
        await using var lines = new JsonLines(output);
        lines.WriteLine("""{"phase":"measure"}""");
        lines.WriteLine("Limit: \"p99\".");
        lines.Write("'One'\r\nTwo\n");
        await lines.WriteLineAsync("Error: it broke.");
        string[] all = output.ToString().TrimEnd('\n').Split('\n');
        Assert.Equal(("""{"phase":"measure"}""", """{"message":"'One'"}"""), (all[0], all[2]));
        Assert.Equal(
            ["Limit: \"p99\".", "'One'", "Two", "Error: it broke."],
            all.Skip(1).Select(line => JsonDocument.Parse(line).RootElement.GetProperty("message").GetString()));
    }

    [Theory, InlineData("--live json -c many"), InlineData("--live=json -c many")]
    public async Task An_error_of_a_command_with_live_figures_is_JSON(string arguments)
    {
        (int code, string output, string errors) = await RunLineAsync(arguments);
        Assert.Equal((2, string.Empty), (code, output));
        JsonDocument.Parse(errors).RootElement.GetProperty("message").GetString().AssertBegins("Error: --");
    }

    [Theory]
    [InlineData("--live", "Error: --live requires a value: --live json|json:FILE. See --help.\n")]
    [InlineData("--live xml", "Error: --live: \"xml\" is not json, or json:FILE for a file.\n")]
    [InlineData("-c many --live xml", "Error: --")]
    [InlineData("--live json:", "Error: --live: \"json:\" is not json, or json:FILE for a file.")]
    [InlineData("-l Sockets --live json:missing/live.jsonl", "Error: --live: 'missing/live.jsonl' cannot be written to (a folder of its path does not exist).")]
    public async Task An_error_of_a_command_with_live_figures_in_a_file_is_a_sentence(string arguments, string sentence)
    {
        (int code, string output, string errors) = await RunLineAsync(arguments);
        Assert.Equal((2, string.Empty), (code, output));
        errors.AssertBegins(sentence);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_file_of_live_figures_has_nothing_else(bool isOnTerminal)
    {
        string file = PathOf("live.jsonl");
        string[] arguments = [.. "-l Sockets -p 0 -c 2 -d 1.5 --warmup 0 --any-machine --live".Split(' '), $"json:{file}"];
        if (isOnTerminal)
        {
            // script(1) runs a command on a terminal of its own.
            Assert.SkipWhen(!OperatingSystem.IsLinux() || SystemProgram.Find("script") is null, "The program script is not installed.");
            string command = string.Join(' ', (string[])["dotnet", typeof(Catalog).Assembly.Location, .. arguments]);
            (int exit, string output, string errors) = await SystemCommand.RunAsync("script", "--quiet", "--return", "--command", command, "/dev/null");
            Assert.True(exit is ExitCode.Success or ExitCode.Failed, output + errors);
        }
        else
        {
            (int code, _, string errors) = await BenchmarkProcess.RunAsync(arguments);
            Assert.True(code is ExitCode.Success or ExitCode.Failed, errors);
            errors.AssertHasNo("{");
        }

        string[] lines = await File.ReadAllLinesAsync(file, TestContext.Current.CancellationToken);
        Assert.NotEmpty(lines);
        Assert.All(lines, line => Assert.True(JsonDocument.Parse(line).RootElement.TryGetProperty("phase", out _)));
    }
}
