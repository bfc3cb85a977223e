using System.CommandLine;

namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class HelpPageTests
{
    [Theory]
    [InlineData("-h", "help"), InlineData("-?", "help"), InlineData("--help", "help"), InlineData("--help all", "help-all"), InlineData("-h tls", "help-tls")]
    public void Help_is_the_golden_file(string arguments, string file) => Golden.Verify(HelpOf(CommandLineTests.Parser, arguments), $"Cli/{file}.golden");

    [Theory]
    [InlineData("tls-check --help", "-c, --clients <VALUE>", "simultaneous clients [default: 10]")]
    [InlineData("check -h", "-P, --protocol <VALUE>", "transport protocol [options: Udp, Tcp, Tls, Quic] [default: all of the library]")]
    [InlineData("certificates -h", "--key <VALUE>", "kind of key [options: Rsa2048, Rsa4096, P256, P384] [default: Rsa4096]")]
    [InlineData("report -h", "-f, --format <VALUE>", "format; a drawing on a terminal if none is given [options: json, markdown] [default: markdown]")]
    [InlineData("compare -h", "--force", "replace an earlier result or file at --output")]
    [InlineData("regress -h", "--slice <VALUE>", "shortest measurement in a slice in seconds, or as 150ms [default: 0.15]")]
    public void Help_of_a_command_shows_its_options_with_their_values_and_defaults(string arguments, string option, string text) => Assert.Contains(
        $"{option}: {text}",
        HelpOf(CommandLineTests.Parser, arguments).Split('\n')
            .Select(line => string.Join(": ", line.Split("  ", StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))));

    [Fact]
    public void Help_all_is_the_help_of_all_topics() => Assert.Equal(
        HelpOf(CommandLineTests.Parser, "--help all"),
        string.Concat(HelpPage.Topics.SkipLast(1).Select(topic => HelpOf(CommandLineTests.Parser, $"--help {topic}"))));

    [Fact]
    public void Help_of_an_option_is_short() => Assert.All(ShownOptions(), option => Assert.InRange(option.Help.Length, 1, 80));

    [Fact]
    public void Help_shows_the_twenty_options_that_most_people_need() =>
        Assert.Equal(20, PlanOptions.All.Concat(RunOptions.All).Count(option => option.IsCommon));

    [Fact]
    public void The_documentation_has_every_topic_of_the_help() => Assert.All(
        HelpPage.Topics.Take(HelpPage.Topics.Count - 1),
        topic => Golden.ReadSource("Docs/usage.md").AssertHas($"\n| `{topic}` | ["));

    private static IEnumerable<PlanOption> ShownOptions() => PlanOptions.All.Concat(RunOptions.All)
        .Concat(LibraryUnderTest.Catalog.Workloads.SelectMany(workload => workload.Options.Select(option => PlanOption.ForTest(workload.Name, option))))
        .Where(option => !option.IsHidden);

    [Fact]
    public void The_command_line_accepts_every_example_of_the_help() => Assert.All(HelpPage.Examples, example =>
    {
        ParseResult parsed = CommandLineTests.Parser.Parse(example.Arguments.Split(' '));
        Assert.True(CommandLineTests.Parser.CommandWithoutLoadOf(parsed) is not null || CommandLineTests.Parser.Read(parsed).Plan.Clients > 0);
    });

    // The program's name is the name of the process, which is the test runner here.
    internal static string HelpOf(CommandLine commandLine, string arguments)
    {
        using var help = new StringWriter { NewLine = "\n" };
        commandLine.Parse(arguments.Split(' ')).Invoke(new InvocationConfiguration { Output = help });
        return help.ToString().Replace(ProgramName.Current, "NetCoreNetworkBenchmark", StringComparison.Ordinal);
    }
}
