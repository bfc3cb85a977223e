using System.CommandLine;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>A command that works on files and runs no load.</summary>
internal interface IFileCommand
{
    /// <summary>Its name, arguments, options and help.</summary>
    Command Command { get; }

    /// <summary>Carries it out.</summary>
    /// <returns>The exit code.</returns>
    Task<int> RunAsync(ParseResult parsed, CommandContext context);
}
