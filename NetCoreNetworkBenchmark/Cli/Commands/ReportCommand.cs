using System.CommandLine;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Reports;

namespace NetCoreNetworkBenchmark.Cli.Commands;

internal sealed class ReportCommand : CommandWithoutLoad
{
    private readonly Argument<string[]> _files = new("FILES") { Arity = ArgumentArity.OneOrMore, Description = "result files, or folders with result files" };

    public ReportCommand(IReadOnlyCollection<string> formats)
        : base(
            "report",
            "print results in another format",
            OutputOptions.Declare(formats, "folder for the files of all formats of one result, instead of printing one")) => Add(_files);

    public override Task<int> RunAsync(ParseResult parsed, CommandContext context)
    {
        var output = new OutputOptions(parsed, context);
        IReport format = output.Format;
        ResultFolder read = ResultFolder.Read(parsed.GetValue(_files)!);
        bool isComplete = read.ReportFaults(context);
        IReadOnlyList<FoundResult> results = read.Results;
        if (output.Target is { } target)
        {
            Write(SingleOf(results), result => output.Write(result, target));
        }
        else if (context.OutputIsTerminal && !output.HasFormat)
        {
            foreach (FoundResult item in results)
            {
                context.Draw(item.Result);
            }
        }
        else
        {
            isComplete &= Print(results, format, output, context);
        }

        return Task.FromResult(isComplete ? ExitCode.Success : ExitCode.Failed);
    }

    private static FoundResult SingleOf(IReadOnlyList<FoundResult> results) => results.Count == 1
        ? results[0]
        : throw OptionValues.Rejected(RunOptions.Output.Name, $"one result can be written; {results.Count} were given. Name one of them.");

    // A result to which the format is not applicable, or with a damaged histogram, does not prevent the others from being printed.
    private static bool Print(IReadOnlyList<FoundResult> all, IReport format, OutputOptions output, CommandContext context)
    {
        FoundResult[] results = [.. all.Where(item => format.FileNameOf(item.Result) is not null)];
        if (results.Length == 0)
        {
            output.RequireApplicable(all[0].Result);
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
                OutputOptions.FormatName,
                $"{format.Name} has one document for one result; {results.Length} were given. Name one of them, or use markdown or csv.");
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
