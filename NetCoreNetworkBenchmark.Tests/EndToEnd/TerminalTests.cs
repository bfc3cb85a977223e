using System.ComponentModel;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The real program on a pseudo-terminal of <c>script</c>, with a width of 80 columns.</summary>
public sealed partial class TerminalTests : IDisposable
{
    private const string Rule = "|---";
    private const string Colour = "\u001b[38;5;";
    private const string NoColour = "export NO_COLOR=1";

    private readonly ProgramInFolder _program = new();

    [Fact]
    public async Task Report_is_drawn_on_a_terminal_and_has_no_style_when_NO_COLOR_is_set()
    {
        string report = $"report {_program.Save("suite", SampleSuites.Turns)}";
        string drawn = await OnTerminalAsync(report);
        Assert.Contains(Colour, drawn, StringComparison.Ordinal);
        Assert.Contains("████", drawn, StringComparison.Ordinal);
        Assert.DoesNotContain(Rule, drawn, StringComparison.Ordinal);

        // An empty value means nothing (https://no-color.org).
        Assert.Equal(drawn, await OnTerminalAsync(report, "export NO_COLOR="));
        string plain = await OnTerminalAsync(report, NoColour);
        Assert.DoesNotMatch(Style(), plain);
        foreach (string line in Golden.Read("Reports/turns-80.terminal.golden").Split('\n').Where(line => line.Contains('█', StringComparison.Ordinal)))
        {
            Assert.Contains(line.TrimEnd(), plain, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Run_is_drawn_on_a_terminal_and_is_Json_when_that_is_requested()
    {
        const string Run = "-l Sockets -p 0 -c 2 -d 0.2 --warmup 0 --any-machine";
        string drawn = await OnTerminalAsync(Run);
        Assert.Contains("log scale from", drawn, StringComparison.Ordinal);
        Assert.Matches(Style(), drawn);
        Assert.DoesNotMatch(Style(), await OnTerminalAsync(Run, NoColour));
        string json = await OnTerminalAsync($"{Run} --json");
        Assert.Contains("\"kind\": \"run\"", json, StringComparison.Ordinal);
        Assert.DoesNotContain("log scale from", json, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Report_prints_the_requested_format_on_a_terminal()
    {
        string folder = _program.Save("suite", SampleSuites.Turns);
        string page = await OnTerminalAsync($"report {folder} -f markdown");
        Assert.Contains(Rule, page, StringComparison.Ordinal);
        Assert.DoesNotContain("████", page, StringComparison.Ordinal);
        Assert.Contains("\"kind\": \"suite\"", await OnTerminalAsync($"report {folder} -f json"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_code_that_a_folder_names_is_asked_about_once()
    {
        string folder = _program.Folder.FullName;
        File.WriteAllText(Path.Combine(folder, ".netbench.json"), """{ "load": ["missing.dll"] }""");
        string environment = $"cd {folder}; export XDG_CONFIG_HOME={folder}/config; unset NO_COLOR";
        const string Question = "Run it now, and whenever this file names it? [y/N] ";
        string output = await OnTerminalAsync("--list", environment, 0, "n");
        Assert.Contains(Question, output, StringComparison.Ordinal);
        Assert.Contains("LiteNetLib", output, StringComparison.Ordinal);
        Assert.Contains(Question, await OnTerminalAsync("--list", environment, 2, "y"), StringComparison.Ordinal);
        string loaded = await OnTerminalAsync("--list", environment, 2);
        Assert.DoesNotContain(Question, loaded, StringComparison.Ordinal);
        Assert.Contains("missing.dll", loaded, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Report_is_not_drawn_when_output_is_redirected()
    {
        string folder = _program.Save("suite", SampleSuites.Turns);
        (int exitCode, string output, _) = await BenchmarkProcess.RunAsync("report", folder);
        Assert.Equal((0, (await ProgramInFolder.RunAsync("report", folder, "-f", "markdown")).Output), (exitCode, output));
        Assert.Contains(Rule, output, StringComparison.Ordinal);
    }

    public void Dispose() => _program.Dispose();

    private static async Task<string> OnTerminalAsync(
        string arguments, string environment = "unset NO_COLOR", int expected = 0, string? input = null)
    {
        string command = $"stty cols 80 rows 50; {environment}; TERM=xterm-256color dotnet {typeof(Catalog).Assembly.Location} {arguments}";
        try
        {
            (int exitCode, string output, string errors) = input is null
                ? await SystemCommand.RunAsync("script", "-qec", command, "/dev/null")
                : await SystemCommand.RunAsync("sh", "-c", $"echo {input} | script -qec \"$0\" /dev/null", command);
            Assert.SkipWhen(errors.Contains(" option", StringComparison.Ordinal), "The program script of this machine has other options.");
            Assert.True(exitCode == expected, output + errors);
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
