namespace NetCoreNetworkBenchmark.Tests.Cli;

/// <summary>The commands of this program that README and the documents show, in blocks of code and within sentences.</summary>
public sealed partial class DocumentedCommandTests : InTemporaryFolder
{
    // The exit code of the program timeout.
    private const int Interrupted = 124;

    // What a command of these would require: hosts, a server, an assembly, a repository, packages that the sources may not have, or a result of its own.
    private static readonly string[] s_required =
    [
        "--server-host", "--launcher", "--role Client", "tls-check", "FastNet", "../yesterday", "--build", "--versions", "@", "COMMAND",
        "result.json", "-f summary", .. LibraryUnderTest.Catalog.KnownLibraries.Except(LibraryUnderTest.Catalog.Libraries),
    ];

    private readonly Dictionary<string, string> _placeholders;

    public DocumentedCommandTests() => _placeholders = new()
    {
        ["PORT"] = "3333",
        ["NAME"] = "Sockets",
        ["FastNet"] = "Sockets",
        ["SHELL"] = "bash",
        ["COMMAND"] = "report",
        ["chat.txt"] = Write("chat.txt", "text"),
        ["Benchmarks"] = Golden.PathOfSource("Benchmarks"),
    };

    [Fact]
    public void The_command_line_accepts_each_of_them()
    {
        Catalog catalog = LibraryUnderTest.Catalog;
        var commandLine = new CommandLine(catalog.Workloads, catalog.Parts, catalog.KnownLibraries, ["csv", "html", "summary"], catalog.KnownPackages);
        string[] commands = Commands();
        Assert.InRange(commands.Length, 50, 500);
        Assert.All(commands, command =>
        {
            var parsed = commandLine.Parse(ArgumentsOf(command));
            if (!commandLine.IsHelpOrVersion(parsed) && commandLine.CommandWithoutLoadOf(parsed) is null)
            {
                Assert.NotNull(commandLine.Read(parsed));
            }
        });
    }

    /// <summary>Each runs to its end, or for ten seconds. What one writes, a later one reads. On a busy machine a result may be invalid.</summary>
    [Fact, Trait("Category", "Timing")]
    public async Task The_program_runs_each_of_them()
    {
        Assert.SkipUnless(SystemProgram.Find("timeout") is not null, "The program timeout is not installed.");
        var failures = new List<string>();
        foreach (string command in Commands().Where(command => !s_required.Any(part => command.Contains(part, StringComparison.Ordinal)))
            .OrderBy(command => command.Contains(" report ", StringComparison.Ordinal) || command.Contains(" compare ", StringComparison.Ordinal)))
        {
            string[] ownFolder = command.Contains(" -b", StringComparison.Ordinal) && !command.Contains(" -o ", StringComparison.Ordinal)
                ? ["-o", $"benchmark{failures.Count}", "--force"]
                : [];
            var start = new ProcessStartInfo(
                "timeout", [.. "-s INT -k 30 10 dotnet".Split(' '), typeof(Catalog).Assembly.Location, .. ArgumentsOf(command), .. ownFolder])
            {
                WorkingDirectory = Folder.FullName,
            };
            (int code, _, string errors) = await SystemCommand.RunAsync(start, TimeSpan.FromMinutes(2));
            if (code is not (ExitCode.Success or ExitCode.Failed or ExitCode.BrokenLimit or ExitCode.Undecided or Interrupted))
            {
                failures.Add($"{command}: exit code {code}: {errors}");
            }
        }

        Assert.Empty(failures);
    }

    private string[] ArgumentsOf(string command) =>
    [
        .. from match in Word().Matches(command).Skip(1)
           let word = match.Groups[1].Value + match.Groups[2].Value
           select _placeholders.GetValueOrDefault(word) ?? word,
    ];

    private static string[] Commands() => [.. Documents().SelectMany(CommandsIn).Distinct()];

    private static IEnumerable<string> Documents() => Directory.EnumerateFiles(Golden.PathOfSource("Docs"), "*.md", SearchOption.AllDirectories)
        .Append(Golden.PathOfSource("README.md")).Append(Golden.PathOfSource("CONTRIBUTING.md")).Select(File.ReadAllText);

    private static IEnumerable<string> CommandsIn(string document) =>
        from text in Block().Matches(document).SelectMany(block => block.Groups[1].Value.ReplaceLineEndings("\n").Split('\n'))
            .Concat(Span().Matches(Block().Replace(document, string.Empty)).Select(span => span.Groups[1].Value))
        let command = Command().Match(text)
        where command.Success && !command.Value.Contains("...", StringComparison.Ordinal) && !command.Value.Contains('…', StringComparison.Ordinal)
        select command.Groups[1].Value.Replace("[", string.Empty, StringComparison.Ordinal).Replace("]", string.Empty, StringComparison.Ordinal);

    [GeneratedRegex("^```[a-z]*\r?\n(.*?)^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex Block();

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Span();

    // After assignments to variables, and before a comment, a redirection or another command.
    [GeneratedRegex(@"^(?:sudo )?(?:[A-Za-z_]+=\S+ )*((?:\./build/benchmark\.sh|netbench)(?: .*?)?)\s*(?:\s[#>|;&].*|;.*|\\\|.*)?$", RegexOptions.Singleline)]
    private static partial Regex Command();

    [GeneratedRegex("\"([^\"]*)\"|(\\S+)")]
    private static partial Regex Word();
}
