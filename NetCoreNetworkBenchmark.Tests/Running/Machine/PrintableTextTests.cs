namespace NetCoreNetworkBenchmark.Tests.Running.Machine;

public sealed class PrintableTextTests
{
    [Theory, InlineData("", null), InlineData("Unhandled exception. It broke.\n   at Program.Main()\n", "Unhandled exception. It broke")]
    public async Task ReadEndAsync_returns_a_short_output_whole(string output, string? lastLine)
    {
        string end = await PrintableText.ReadEndAsync(new StringReader(output));
        Assert.Equal((output, lastLine), (end, PrintableText.LastLineOf(end)));
    }

    [Fact]
    public async Task ReadEndAsync_keeps_the_last_lines_of_a_long_output_and_no_more()
    {
        string output = string.Concat(Enumerable.Range(0, 200_000).Select(number => $"message {number}\n"));
        string end = await PrintableText.ReadEndAsync(new StringReader(output));
        Assert.Equal((1 << 16, "message 199999"), (end.Length, PrintableText.LastLineOf(end)));
        Assert.EndsWith(end, output, StringComparison.Ordinal);
    }
}
