using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Tests.Hosts;

namespace NetCoreNetworkBenchmark.Tests.Plans;

/// <summary>Printed commands reach the program word for word when they are pasted.</summary>
public sealed class ShellCommandTests
{
    [Theory]
    [InlineData("plain")]
    [InlineData("")]
    [InlineData("with blanks and 'quotes' and \"more\"")]
    [InlineData("$HOME `id` \\ ; & | * ? {a,b} ~ ! # < > ( )\n\t%")]
    [InlineData("~")]
    [InlineData("ä µ \U0001F980")]
    public async Task QuoteForSh_keeps_every_character_of_a_word(string word)
    {
        PastedCommand.SkipWithoutSh();
        Assert.Equal(word, await SystemCommand.RequireAsync("/bin/sh", "-c", $"printf %s {ShellCommand.QuoteForSh(word)}"));
    }

    [Theory]
    [InlineData("--certificate=server.crt", "--certificate=server.crt")]
    [InlineData(@"C:\certificates\server.crt", @"C:\certificates\server.crt")]
    [InlineData("server=0,clients=1", "\"server=0,clients=1\"")]
    [InlineData(@"C:\my files\a & b;c's.crt", "\"C:\\my files\\a & b;c's.crt\"")]
    [InlineData(@"C:\my files\", "\"C:\\my files\\\\\"")]
    [InlineData("$env:TEMP it's `n", "'$env:TEMP it''s `n'")]
    [InlineData("100% it\u2019s", "'100% it\u2019\u2019s'")]
    [InlineData("", "\"\"")]
    public void QuoteForPowerShell_uses_double_quotes_unless_a_character_has_a_meaning_in_them(string word, string quoted) =>
        Assert.Equal(quoted, ShellCommand.QuoteForPowerShell(word));

    [Fact]
    public async Task The_commands_of_results_keep_a_path_with_characters_of_the_shell()
    {
        PastedCommand.SkipWithoutSh();
        var plan = new RunPlan
        {
            Library = "Sockets",
            Test = "PingPong",
            Protocol = Protocol.Ssl,
            Transmission = Transmission.Reliable,
            Tls = new TlsPlan { AuthorityFile = PastedCommand.HostileName },
        };
        string[] commands =
        [
            PlanArguments.CommandOf(plan, LibraryUnderTest.Create("Sockets").Info, workload: null, "--role", "Server"),
            PlanArguments.CommandOfCapacitySearch(plan, 100),
        ];
        foreach (string command in commands)
        {
            Assert.Contains(PastedCommand.HostileName, await PastedCommand.ArgumentsAsync(command));
        }
    }
}
