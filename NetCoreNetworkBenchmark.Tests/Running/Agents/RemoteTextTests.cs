using NetCoreNetworkBenchmark.Running.Agents;

namespace NetCoreNetworkBenchmark.Tests.Running.Agents;

public sealed class RemoteTextTests
{
    [Theory]
    [InlineData("", "")]
    [InlineData("The server holds 10 clients. Größe 5 µs, 網", "The server holds 10 clients. Größe 5 µs, 網")]
    [InlineData("a\u001b[2Jb\r\nc\u0000\u007f\u009b", "a?[2Jb??c???")]
    [InlineData("a\u202eb\u2028c\u2029d\u200be", "a?b?c?d?e")]
    [InlineData("\U0001F600", "\U0001F600")]
    public void Clean_keeps_what_is_printed_as_itself(string text, string clean) => Assert.Equal(clean, RemoteText.Clean(text));

    [Fact]
    public void Clean_replaces_half_a_character_and_cuts_what_is_too_long()
    {
        Assert.Equal("\uFFFDx", RemoteText.Clean("\ud83dx"));
        Assert.Equal(new string('x', RemoteText.Longest) + "…", RemoteText.Clean(new string('x', RemoteText.Longest + 1)));
    }
}
