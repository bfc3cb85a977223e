using System.CommandLine;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>A command that works on files and runs no load.</summary>
internal abstract class FileCommand(string name, string description) : Command(name, description)
{
    public abstract Task<int> RunAsync(ParseResult parsed, CommandContext context);
}
