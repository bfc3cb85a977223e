using NetCoreNetworkBenchmark.Cli.Progress;

namespace NetCoreNetworkBenchmark.Tests.Cli.Progress;

public sealed class JsonLinesTests
{
    [Fact]
    public async Task Each_line_is_an_object_and_figures_stay_as_they_are()
    {
        using var written = new StringWriter { NewLine = "\n" };
        await using var lines = new JsonLines(written);
        lines.WriteLine("""{"phase":"measure"}""");
        lines.WriteLine("Limit: \"p99\".");
        lines.Write("One\r\nTwo\n");
        await lines.WriteLineAsync("Error: it broke.");
        string[] all = written.ToString().TrimEnd('\n').Split('\n');
        Assert.Equal("""{"phase":"measure"}""", all[0]);
        Assert.Equal(
            ["Limit: \"p99\".", "One", "Two", "Error: it broke."],
            all.Skip(1).Select(line => JsonDocument.Parse(line).RootElement.GetProperty("message").GetString()));
    }

    [Theory]
    [InlineData("--live json -c many")]
    [InlineData("--live=json -c many")]
    [InlineData("--live xml")]
    public async Task An_error_of_a_command_with_live_figures_is_JSON(string arguments)
    {
        (int code, string output, string errors) = await ProgramInFolder.RunLineAsync(arguments);
        Assert.Equal((2, string.Empty), (code, output));
        Assert.StartsWith("Error: --", JsonDocument.Parse(errors).RootElement.GetProperty("message").GetString(), StringComparison.Ordinal);
    }
}
