using System.CommandLine;
using System.Text.RegularExpressions;
using NetCoreNetworkBenchmark.Cli.Requests;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Each script asks the program that is typed for suggestions, so that an installed script is right for every version of it.</summary>
internal sealed partial class CompletionCommand : CommandWithoutLoad
{
    private static readonly string[] s_shells = ["bash", "zsh", "fish", "pwsh"];

    private readonly Argument<string> _shell = new("SHELL")
    {
        Description = $"the shell; options [{string.Join(", ", s_shells)}]",
        CompletionSources = { s_shells },
    };

    public CompletionCommand()
        : base("completion", "print the completion script of a shell") => Add(_shell);

    public override async Task<int> RunAsync(ParseResult parsed, CommandContext context)
    {
        // The names of shells are so short that the nearest one says nothing.
        string text = parsed.GetValue(_shell)!;
        string shell = Array.Find(s_shells, candidate => candidate.Equals(text, StringComparison.OrdinalIgnoreCase))
            ?? throw OptionValues.Invalid(Name, text, $"one of {string.Join(", ", s_shells)}");

        // The typed word may begin with a tilde, which no shell replaces. Bash takes '=' for the end of a word. PowerShell's text ends before a last blank.
        using var reader = new StreamReader(GetType().Assembly.GetManifestResourceStream(GetType(), $"completion.{shell}")!);
        string script = await reader.ReadToEndAsync();
        string program = ProgramName.Current;
        await context.Output.WriteAsync(script.ReplaceLineEndings(context.Output.NewLine)
            .Replace("FUNCTION", NoNameOfFunction().Replace(program, "_"), StringComparison.Ordinal)
            .Replace("NAME", program, StringComparison.Ordinal));
        return ExitCode.Success;
    }

    [GeneratedRegex("[^A-Za-z0-9_]")]
    private static partial Regex NoNameOfFunction();
}
