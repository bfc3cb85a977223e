using System.CommandLine;
using System.Globalization;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Writes existing results in any format, without a run.</summary>
internal sealed class ReportCommand : IFileCommand
{
    private readonly Argument<string[]> _files = new("FILES") { Arity = ArgumentArity.OneOrMore, Description = "result files, or folders with result files" };
    private readonly OutputOptions _output;

    public ReportCommand(IReadOnlyCollection<string> formats)
    {
        _output = new OutputOptions(formats, "folder for the files of all formats of one result, instead of printing one");
        Command = new Command("report", "tell results again in any format, without running") { _files, _output.Format, _output.Output };
    }

    public Command Command { get; }

    public async Task<int> RunAsync(ParseResult parsed, CommandContext context)
    {
        IReport format = _output.FormatOf(parsed, context);
        FoundResult[] results = [.. parsed.GetValue(_files)!.SelectMany(ResultFolder.Read)];
        if (parsed.GetValue(_output.Output) is { } output)
        {
            string written = string.Empty;
            Write(SingleOf(results), result => written = _output.Write(result, output, parsed, context));
            await context.Output.WriteLineAsync($"Written to {written}").ConfigureAwait(false);
        }
        else if (context.OutputIsTerminal && !_output.HasFormat(parsed))
        {
            Array.ForEach(results, found => context.Draw(found.Result));
        }
        else
        {
            Print(results, format, context.Output);
        }

        return ExitCode.Success;
    }

    private FoundResult SingleOf(FoundResult[] results) => results.Length == 1
        ? results[0]
        : throw BenchmarkException.BadInput($"Option {_output.Output.Name} takes one result, and there are {results.Length}.");

    private void Print(FoundResult[] results, IReport format, TextWriter output)
    {
        Array.ForEach(results, found => _output.Require(format, found.Result));

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
