using System.CommandLine;
using System.Globalization;
using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Scenarios.Options;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Writes existing results in any format, without a run.</summary>
internal sealed class ReportCommand : IFileCommand
{
    private readonly IReadOnlyCollection<string> _formats;
    private readonly Argument<string[]> _files = new("FILES") { Arity = ArgumentArity.OneOrMore, Description = "result files, or folders with result files" };
    private readonly Option<string> _format;
    private readonly Option<string> _output = new("--output", "-o")
    {
        HelpName = "DIR",
        Description = "folder for the files of all formats, instead of printing one; " +
            "or, with --format, a file with the extension of this format, such as page.html; for one result",
    };

    public ReportCommand(IReadOnlyCollection<string> formats)
    {
        _formats = formats;
        _format = new Option<string>("--format", "-f")
        {
            HelpName = "VALUE",
            Description = $"format; options [{string.Join(", ", formats)}]; on a terminal a drawing if none is given",
            DefaultValueFactory = _ => "markdown",
        };
        _format.CompletionSources.Add([.. formats]);
        Command = new Command("report", "tell results again in any format, without running") { _files, _format, _output };
    }

    public Command Command { get; }

    public async Task<int> RunAsync(ParseResult parsed, CommandContext context)
    {
        IReport format = context.ReportNamed(OptionValues.Choice(_format.Name, parsed.GetValue(_format)!, _formats));
        FoundResult[] results = [.. parsed.GetValue(_files)!.SelectMany(ResultFolder.Read)];
        if (parsed.GetValue(_output) is { } output)
        {
            FoundResult result = SingleOf(results);
            string written = parsed.GetResult(_format) is { Implicit: false } && IsFileOf(format, result.Result, output)
                ? WriteFile(result, format, output)
                : WriteFiles(result, output, context);
            await context.Output.WriteLineAsync($"Written to {written}").ConfigureAwait(false);
        }
        else if (context.OutputIsTerminal && parsed.GetResult(_format) is null or { Implicit: true })
        {
            Array.ForEach(results, found => context.Draw(found.Result));
        }
        else
        {
            Print(results, format, context.Output);
        }

        return ExitCode.Success;
    }

    // Anything else is a folder, as it was before a single file could be written.
    private static bool IsFileOf(IReport format, Result result, string path) => format.FileNameOf(result) is { } name
        && Path.GetExtension(path).Equals(Path.GetExtension(name), StringComparison.OrdinalIgnoreCase)
        && !Directory.Exists(path);

    private static string WriteFile(FoundResult found, IReport format, string path)
    {
        string file = Path.GetFullPath(path);
        AtomicFile.RequireFolder(Path.GetDirectoryName(file)!);
        Write(found, result => AtomicFile.Write(file, writer => format.Write(result, writer)));
        return file;
    }

    private static string WriteFiles(FoundResult found, string folder, CommandContext context)
    {
        var files = new ResultFiles(folder, context.Reports);
        Write(found, files.Write);
        return files.Folder;
    }

    private FoundResult SingleOf(FoundResult[] results) => results.Length == 1
        ? results[0]
        : throw BenchmarkException.BadInput($"Option {_output.Name} takes one result, and there are {results.Length}.");

    private void Print(FoundResult[] results, IReport format, TextWriter output)
    {
        if (Array.Find(results, found => format.FileNameOf(found.Result) is null) is { } untold)
        {
            throw BenchmarkException.BadInput(
                $"Option {_format.Name}: {format.Name} has nothing to tell of this {untold.Result.Kind.ToString().ToLowerInvariant()}; " +
                    $"{string.Join(", ", _formats)} are the formats.");
        }

        // All results are written or none: one of them may be damaged.
        using var text = new StringWriter(CultureInfo.InvariantCulture) { NewLine = output.NewLine };
        if (format is IJoiningReport joining)
        {
            joining.WriteAll([.. results.Select(found => found.Result)], text);
        }
        else
        {
            foreach (FoundResult found in results)
            {
                Write(found, result => format.Write(result, text));
            }
        }

        output.Write(text.GetStringBuilder());
    }

    private static void Write(FoundResult found, Action<Result> write)
    {
        try
        {
            write(found.Result);
        }
        catch (FormatException exception)
        {
            throw BenchmarkException.BadInput(
                $"A histogram in the results cannot be read: {exception.Message.TrimEnd('.')}; it is in '{found.File}'.", exception);
        }
    }
}
