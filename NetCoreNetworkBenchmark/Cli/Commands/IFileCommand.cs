using System.CommandLine;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>A command that works on files and runs no load.</summary>
internal interface IFileCommand
{
    /// <summary>The name, arguments, options and help of the command.</summary>
    Command Command { get; }

    /// <summary>Runs the command.</summary>
    /// <returns>The exit code.</returns>
    Task<int> RunAsync(ParseResult parsed, CommandContext context);
}
