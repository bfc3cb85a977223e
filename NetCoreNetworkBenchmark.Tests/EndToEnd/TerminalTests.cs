using System.ComponentModel;
using System.Text.RegularExpressions;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Tests.Cli;
using NetCoreNetworkBenchmark.Tests.Hosts;
using NetCoreNetworkBenchmark.Tests.Reports;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The real program on a pseudo-terminal of <c>script</c>, with a width of 80 columns.</summary>
public sealed partial class TerminalTests : IDisposable
{
    private const string Rule = "|---";
    private const string Colour = "\u001b[38;5;";
    private const string NoColour = "export NO_COLOR=1";

    private readonly ProgramInFolder _program = new();

    [Fact]
    public async Task A_result_is_drawn_on_a_terminal()
    {
        string drawn = await OnTerminalAsync($"report {_program.Save("suite", SampleSuites.Turns)}");
        Assert.Contains(Colour, drawn, StringComparison.Ordinal);
        Assert.Contains("████", drawn, StringComparison.Ordinal);
        Assert.DoesNotContain(Rule, drawn, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_empty_NO_COLOR_means_nothing()
    {
        string folder = _program.Save("suite", SampleSuites.Turns);
        Assert.Equal(await OnTerminalAsync($"report {folder}"), await OnTerminalAsync($"report {folder}", "export NO_COLOR="));
    }

    [Fact]
    public async Task Under_NO_COLOR_nothing_has_a_style()
    {
        const string Run = "-l Sockets -p 0 -c 2 -d 0.2 --warmup 0 --any-machine";
        string folder = _program.Save("suite", SampleSuites.Turns);
        foreach (string arguments in (string[])[$"report {folder}", $"report {_program.Save("run", SampleResults.Valid)}", Run])
        {
            Assert.Matches(Style(), await OnTerminalAsync(arguments));
            Assert.DoesNotMatch(Style(), await OnTerminalAsync(arguments, NoColour));
        }
    }

    [Fact]
    public async Task Without_colour_a_result_is_drawn_as_in_the_golden_file()
    {
        string drawn = await OnTerminalAsync($"report {_program.Save("suite", SampleSuites.Turns)}", NoColour);
        Assert.DoesNotContain(Colour, drawn, StringComparison.Ordinal);
        foreach (string line in Golden.Read("Reports/turns-80.terminal.golden").Split('\n').Where(line => line.Contains('█', StringComparison.Ordinal)))
        {
            Assert.Contains(line.TrimEnd(), drawn, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_format_that_is_asked_for_is_printed_on_a_terminal()
    {
        string folder = _program.Save("suite", SampleSuites.Turns);
        string page = await OnTerminalAsync($"report {folder} -f markdown");
        Assert.Contains(Rule, page, StringComparison.Ordinal);
        Assert.DoesNotContain("████", page, StringComparison.Ordinal);
        Assert.Contains("\"kind\": \"suite\"", await OnTerminalAsync($"report {folder} -f json"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_run_is_drawn_on_a_terminal_and_is_Json_where_that_is_asked_for()
    {
        const string Run = "-l Sockets -p 0 -c 2 -d 0.2 --warmup 0 --any-machine";
        Assert.Contains("log scale from", await OnTerminalAsync(Run), StringComparison.Ordinal);
        string json = await OnTerminalAsync($"{Run} --json");
        Assert.Contains("\"kind\": \"run\"", json, StringComparison.Ordinal);
        Assert.DoesNotContain("log scale from", json, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Where_output_is_redirected_nothing_is_drawn()
    {
        string folder = _program.Save("suite", SampleSuites.Turns);
        (int exitCode, string output, _) = await BenchmarkProcess.RunAsync("report", folder);
        Assert.Equal(0, exitCode);
        Assert.Equal(output, (await BenchmarkProcess.RunAsync("report", folder, "-f", "markdown")).Output);
        Assert.Contains(Rule, output, StringComparison.Ordinal);
    }

    public void Dispose() => _program.Dispose();

    private static async Task<string> OnTerminalAsync(string arguments, string environment = "unset NO_COLOR")
    {
        string command = $"stty cols 80 rows 50; {environment}; TERM=xterm-256color dotnet {typeof(Catalog).Assembly.Location} {arguments}";
        try
        {
            (int exitCode, string output, string errors) = await SystemCommand.RunAsync("script", "-qec", command, "/dev/null");
            Assert.SkipWhen(errors.Contains(" option", StringComparison.Ordinal), "The program script of this machine has other options.");
            Assert.True(exitCode == 0, output + errors);
            return output.ReplaceLineEndings("\n");
        }
        catch (Win32Exception)
        {
            Assert.Skip("This machine has no script.");
            throw;
        }
    }

    [GeneratedRegex(@"\u001b\[[0-9;]*m")]
    private static partial Regex Style();
}
