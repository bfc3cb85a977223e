using System.CommandLine;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>A command that works on files and runs no load.</summary>
internal interface IFileCommand
{
    Command Command { get; }

    Task<int> RunAsync(ParseResult parsed, CommandContext context);
}
