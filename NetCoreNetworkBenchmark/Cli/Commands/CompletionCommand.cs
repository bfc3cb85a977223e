using System.CommandLine;
using NetCoreNetworkBenchmark.Cli.Requests;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Prints the script with which a shell completes the program's command line.</summary>
internal sealed class CompletionCommand : IFileCommand
{
    private static readonly string[] s_shells = ["bash", "zsh", "fish", "pwsh"];

    private readonly Argument<string> _shell = new("SHELL") { Description = $"the shell; options [{string.Join(", ", s_shells)}]" };

    public CompletionCommand()
    {
        _shell.CompletionSources.Add(s_shells);
        Command = new Command("completion", "print the completion script of a shell")
        {
            _shell,
        };
    }

    public Command Command { get; }

    public async Task<int> RunAsync(ParseResult parsed, CommandContext context)
    {
        string given = parsed.GetValue(_shell)!;
        string shell = OptionValues.Choice(Command.Name, given, s_shells);
        await context.Output.WriteAsync(CompletionScript.For(shell, ProgramName.Current).ReplaceLineEndings(context.Output.NewLine)).ConfigureAwait(false);
        return ExitCode.Success;
    }
}
