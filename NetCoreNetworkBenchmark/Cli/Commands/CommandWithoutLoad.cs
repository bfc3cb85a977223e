using System.CommandLine;

namespace NetCoreNetworkBenchmark.Cli.Commands;

internal abstract class CommandWithoutLoad(string name, string description) : Command(name, description)
{
    public abstract Task<int> RunAsync(ParseResult parsed, CommandContext context);
}
