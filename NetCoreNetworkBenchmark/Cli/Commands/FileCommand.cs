using System.CommandLine;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>A command that measures nothing.</summary>
internal abstract class FileCommand(string name, string description) : Command(name, description)
{
    public abstract Task<int> RunAsync(ParseResult parsed, CommandContext context);
}
