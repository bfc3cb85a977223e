using System.CommandLine;
using NetCoreNetworkBenchmark.Cli.Checks;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Comparing;
using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Running.Outcome;

namespace NetCoreNetworkBenchmark.Cli.Commands;

internal sealed class CompareCommand : CommandWithoutLoad
{
    // Below this threshold, the noise of the machine between two days dominates.
    private const string DefaultThreshold = "10%";
    private const string FigureName = "--figure";

    private static readonly Dictionary<string, JudgedFigure> s_figures = new(StringComparer.Ordinal)
    {
        ["server-cpu"] = JudgedFigure.ServerCpu,
        ["rate"] = JudgedFigure.MessagesPerSecond,
        ["p99"] = JudgedFigure.P99,
        ["allocated"] = JudgedFigure.AllocatedBytes,
    };

    private readonly IReadOnlyList<PlanOption> _loadOptions;
    private readonly Argument<string> _old = new("OLD") { Description = "result file, or folder with result files" };
    private readonly Argument<string> _new = new("NEW") { Description = "result file or folder to compare with OLD" };
    private readonly Option<string> _threshold = new("--threshold")
    {
        HelpName = "VALUE",
        Description = "largest change that counts as the same",
        DefaultValueFactory = _ => DefaultThreshold,
    };
    private readonly Option<string?> _figure = new(FigureName)
    {
        HelpName = "FIGURE",
        Description = $"judge this figure alone: {string.Join(", ", s_figures.Keys)}",
        CompletionSources = { s_figures.Keys.ToArray() },
    };
    private readonly Option<bool> _fail = new("--fail-on-regression") { Description = "exit with code 3 if a case is slower, 5 if none is decided" };
    private readonly Option<bool> _anyMachine = new(LoadOptions.AnyMachineName) { Description = "judge results of different machines too" };
    private readonly OutputOptions _output;
    private readonly Option<bool> _json = new("--json") { Description = "print the comparison as JSON" };

    public CompareCommand(IReadOnlyList<PlanOption> options, IReadOnlyCollection<string> formats)
        : base("compare", "compare two sets of results: slower, same, faster or undecided")
    {
        _loadOptions = options;
        _output = new OutputOptions(formats, "folder for the comparison's files");
        Add(_old);
        Add(_new);
        foreach (Option option in (Option[])[_threshold, _figure, _fail, _anyMachine, _output.Format, _output.Output, _output.Force, _json])
        {
            Add(option);
        }
    }

    public override Task<int> RunAsync(ParseResult parsed, CommandContext context)
    {
        double threshold = RunOptions.ReadThreshold(_threshold.Name, parsed.GetValue(_threshold)!, DefaultThreshold);
        (string old, string now) = (parsed.GetValue(_old)!, parsed.GetValue(_new)!);
        JudgedFigure? figure = parsed.GetValue(_figure) is { } name ? s_figures[OptionValues.Choice(FigureName, name, [.. s_figures.Keys])] : null;
        Rule.Check([new(!Path.Exists(old) && !Path.Exists(now) && old != now, () => BenchmarkException.BadInput(
            $"'{old}' and '{now}' do not exist. Use result files, or folders with result files."))]);
        ResultFolder[] read = [ResultFolder.ReadSet(old), ResultFolder.ReadSet(now)];
        (ResultSet before, ResultSet after) = (SetOf(old, read[0]), SetOf(now, read[1]));
        ComparisonResult result = Compare(before, after, threshold, parsed.GetValue(_anyMachine), figure);
        bool isComplete = read[0].ReportFaults(context) & read[1].ReportFaults(context);
        bool mayFail = parsed.GetValue(_fail);
        if (mayFail)
        {
            context.Notify("Error", FindUndecided(result, isOfOneResult: Path.GetFullPath(old) == Path.GetFullPath(now)));

            string[] missing = [.. before.Cases.Except(after.Cases).Select(key => key.Name).Distinct()];
            if (missing.Length > 0)
            {
                context.Notify(
                    "Error", [$"The new results have no valid launch under the same load of: {string.Join("; ", missing)}. Measure these anew."]);
                isComplete &= result.Cases.Count == 0;
            }
        }

        _output.Print(result, parsed.GetValue(_json), parsed, context);
        return Task.FromResult(CodeOf(result, isComplete, mayFail));
    }

    /// <param name="isOfOneResult">Whether a result is compared with itself.</param>
    public static IEnumerable<string> FindUndecided(ComparisonResult result, bool isOfOneResult = false) => result switch
    {
        { IsOfOtherMachines: true } =>
            [$"The results are of different machines, so no case is judged. Use {LoadOptions.AnyMachineName} to judge them all the same."],
        { IsDecided: false, Cases.Count: > 0 } when isOfOneResult => ["No case could be decided. OLD and NEW are the same result: compare two."],
        { IsDecided: false, Cases.Count: > 0 } =>
        [
            $"No case could be decided. {ComparisonBuilder.RemedyOf(result) ?? "Use a larger --threshold."}" +
                (ComparisonBuilder.CommandToDecide(result) is { } command ? $" To measure again: {command}" : string.Empty),
        ],
        _ => [],
    };

    private static ComparisonResult Compare(ResultSet before, ResultSet after, double threshold, bool anyMachine, JudgedFigure? figure)
    {
        try
        {
            return Comparer.Compare(before, after, threshold, ResultBuilder.HarnessVersion, anyMachine, figure);
        }
        catch (Exception exception) when (exception is FormatException or OverflowException)
        {
            throw BenchmarkException.BadInput(
                $"A histogram in the results cannot be read: {exception.Message.TrimEnd('.')}. It is in '{before.Name}' or '{after.Name}'.", exception);
        }
    }

    private ResultSet SetOf(string path, ResultFolder read)
    {
        var set = new ResultSet(path, read.Results.Select(item => item.Result), _loadOptions);
        return set.HasRuns
            ? set
            : throw BenchmarkException.BadInput(
                $"{(Directory.Exists(path) ? "The folder " : string.Empty)}'{path}' has no runs to compare. Use the result of a run or of several launches.");
    }

    // Results without common cases do not show whether there is a change, so they must not count as "no regression".
    private static int CodeOf(ComparisonResult result, bool isComplete, bool failOnRegression) => result switch
    {
        { HasRegression: true } when failOnRegression => ExitCode.Regression,
        _ when !isComplete => ExitCode.Failed,
        { Cases.Count: 0 } => ExitCode.Undecided,
        { IsDecided: false } when failOnRegression => ExitCode.Undecided,
        _ => ExitCode.Success,
    };
}
