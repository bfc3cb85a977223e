using System.CommandLine;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Reports;

namespace NetCoreNetworkBenchmark.Cli.Commands;

internal sealed class ReportCommand : CommandWithoutLoad
{
    private readonly Argument<string[]> _files = new("FILES") { Arity = ArgumentArity.OneOrMore, Description = "result files, or folders with result files" };
    private readonly OutputOptions _output;

    public ReportCommand(IReadOnlyCollection<string> formats)
        : base("report", "print results in another format")
    {
        _output = new OutputOptions(formats, "folder for the files of all formats of one result, instead of printing one");
        Add(_files);
        Add(_output.Format);
        Add(_output.Output);
        Add(_output.Force);
    }

    public override Task<int> RunAsync(ParseResult parsed, CommandContext context)
    {
        IReport format = _output.FormatOf(parsed, context);
        ResultFolder read = ResultFolder.Read(parsed.GetValue(_files)!);
        bool isComplete = read.ReportFaults(context);
        IReadOnlyList<FoundResult> results = read.Results;
        if (parsed.GetValue(_output.Output) is { } output)
        {
            Write(SingleOf(results), result => context.Notify($"Written to {_output.Write(result, output, parsed, context)}"));
        }
        else if (context.OutputIsTerminal && !_output.HasFormat(parsed))
        {
            foreach (FoundResult item in results)
            {
                context.Draw(item.Result);
            }
        }
        else
        {
            isComplete &= Print(results, format, context);
        }

        return Task.FromResult(isComplete ? ExitCode.Success : ExitCode.Failed);
    }

    private FoundResult SingleOf(IReadOnlyList<FoundResult> results) => results.Count == 1
        ? results[0]
        : throw OptionValues.Rejected(_output.Output.Name, $"one result can be written; {results.Count} were given. Name one of them.");

    // A result to which the format is not applicable, or with a damaged histogram, does not prevent the others from being printed.
    private bool Print(IReadOnlyList<FoundResult> all, IReport format, CommandContext context)
    {
        FoundResult[] results = [.. all.Where(item => format.FileNameOf(item.Result) is not null)];
        if (results.Length == 0)
        {
            _output.Require(format, all[0].Result, context);
        }

        context.Notify("Note", all.Except(results).Select(item =>
            $"'{item.File}' is omitted: {OutputOptions.WhyNot(format, item.Result)}."));
        if (format is IJoiningReport joining)
        {
            joining.WriteAll([.. results.Select(item => item.Result)], context.Output);
            return true;
        }

        if (format.IsOneDocument && results.Length > 1)
        {
            throw OptionValues.Rejected(
                _output.Format.Name, $"{format.Name} has one document for one result; {results.Length} were given. Name one of them, or use markdown or csv.");
        }

        bool isComplete = true;
        foreach (FoundResult item in results)
        {
            using var text = new StringWriter(CultureInfo.InvariantCulture) { NewLine = context.Output.NewLine };
            try
            {
                Write(item, result => format.Write(result, text));
            }
            catch (BenchmarkException exception) when (results.Length > 1)
            {
                context.Notify($"Error: {exception.Message}");
                isComplete = false;
                continue;
            }

            context.Output.Write(text.GetStringBuilder());
        }

        return isComplete;
    }

    private static void Write(FoundResult item, Action<Result> write)
    {
        try
        {
            write(item.Result);
        }
        catch (FormatException exception)
        {
            throw BenchmarkException.BadInput(
                $"A histogram in the results cannot be read: {exception.Message.TrimEnd('.')}. It is in '{item.File}'.", exception);
        }
    }
}
