namespace NetCoreNetworkBenchmark.Tests.Cli.Requests;

public sealed class TerminalLinesTests
{
    [Theory]
    [InlineData("one two three", 7, "one two|three")]
    [InlineData("one two three", 8, "one two|three")]
    [InlineData("one two three", 13, "one two three")]
    [InlineData("/a/long/path is short", 5, "/a/long/path|is|short")]
    [InlineData("", 5, "")]
    public void A_line_ends_between_two_words(string text, int width, string lines) =>
        Assert.Equal(lines, string.Join('|', TerminalLines.Wrap(text.Split(' '), width)));

    [Fact]
    public async Task A_sentence_on_a_terminal_is_not_broken_inside_a_word()
    {
        using var output = new StringWriter { NewLine = "\n" };
        await using var lines = new TerminalLines(output, () => 20);
        await lines.WriteLineAsync("Error: the library is not there.");
        await lines.WriteLineAsync("Short.");
        await lines.WriteAsync("No line yet, so it stays as it is");
        Assert.Equal("Error: the library\nis not there.\nShort.\nNo line yet, so it stays as it is", output.ToString());
    }
}
