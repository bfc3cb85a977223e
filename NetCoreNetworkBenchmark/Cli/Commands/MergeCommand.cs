using System.CommandLine;
using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Merges histogram logs, such as those of several client processes or launches.</summary>
internal sealed class MergeCommand : IFileCommand
{
    private readonly Argument<string[]> _files = new("FILES")
    {
        Arity = ArgumentArity.OneOrMore,
        Description = "histogram logs (.hlog), of this program or of another HdrHistogram tool that records nanoseconds",
    };
    private readonly Option<string> _output = new("--output", "-o")
    {
        HelpName = "FILE",
        Description = "file for the merged log, with one interval for each tag",
    };

    public MergeCommand() =>
        Command = new Command("merge", "add up histogram logs by tag, and print the percentiles of each tag in microseconds") { _files, _output };

    public Command Command { get; }

    public Task<int> RunAsync(ParseResult parsed, CommandContext context)
    {
        string? output = parsed.GetValue(_output);
        if (output is not null)
        {
            RequireFile(output);
        }

        var sum = new HistogramSum();
        foreach (string file in parsed.GetValue(_files)!)
        {
            Add(file, sum);
        }

        HistogramInterval[] intervals = [.. sum.Intervals];
        Print(intervals, context.Output);
        if (output is not null)
        {
            AtomicFile.Write(output, writer => WriteLog(intervals, writer));
        }

        return Task.FromResult(ExitCode.Success);
    }

    private void RequireFile(string path)
    {
        if (path.Length == 0 || Directory.Exists(path))
        {
            throw BenchmarkException.BadInput($"Option {_output.Name}: '{path}' is not a file; valid is the name of the merged log, such as merged.hlog.");
        }

        AtomicFile.RequireFolder(Path.GetDirectoryName(Path.GetFullPath(path))!);
    }

    private static void Add(string file, HistogramSum sum)
    {
        try
        {
            using var reader = new StreamReader(file);
            int intervals = 0;
            foreach (HistogramInterval interval in HistogramLogReader.Read(reader))
            {
                sum.Add(interval);
                intervals++;
            }

            if (intervals == 0)
            {
                throw new FormatException("it has no interval");
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException or FormatException or OverflowException)
        {
            string reason = exception is OverflowException ? "the sum of all values is beyond 64 bits" : exception.Message.TrimEnd('.');
            throw BenchmarkException.BadInput(
                $"'{file}' cannot be merged: {reason}; valid is a histogram log that this program wrote with --output, or another HdrHistogram tool.",
                exception);
        }
    }

    private static void Print(IReadOnlyList<HistogramInterval> intervals, TextWriter writer)
    {
        foreach (HistogramInterval interval in intervals)
        {
            writer.Write($"#[{(interval.Tag is null ? "No tag" : $"Tag: {interval.Tag}")}, in microseconds]\n");
            PercentileDistribution.Write(interval.Histogram, writer);
        }
    }

    private static void WriteLog(IReadOnlyList<HistogramInterval> intervals, TextWriter writer)
    {
        var log = new HistogramLogWriter(writer);
        log.WriteHeader(intervals.Min(interval => interval.Start));
        foreach (HistogramInterval interval in intervals.OrderBy(interval => interval.Start))
        {
            log.Write(interval);
        }
    }
}
