using System.CommandLine;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>A command that takes no options of a load.</summary>
internal abstract class CommandWithoutLoad(string name, string description) : Command(name, description)
{
    public abstract Task<int> RunAsync(ParseResult parsed, CommandContext context);
}
