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

    private static readonly Dictionary<string, JudgedFigure> s_figures = new(StringComparer.Ordinal)
    {
        ["server-cpu"] = JudgedFigure.ServerCpu,
        ["rate"] = JudgedFigure.MessagesPerSecond,
        ["p99"] = JudgedFigure.P99,
        ["allocated"] = JudgedFigure.AllocatedBytes,
    };

    private static readonly PlanOption s_threshold = new("--threshold", "largest change that counts as the same") { Default = DefaultThreshold };
    private static readonly PlanOption s_figure = new("--figure", $"judge this figure alone: {string.Join(", ", s_figures.Keys)}")
    {
        ValueName = "FIGURE",
        Completions = s_figures.Keys,
    };
    private static readonly PlanOption s_fail = new("--fail-on-regression", "exit with code 3 if a case is slower, 5 if none is decided")
    {
        Kind = OptionKind.Flag,
    };

    private readonly IReadOnlyList<PlanOption> _loadOptions;
    private readonly Argument<string> _old = new("OLD") { Description = "result file, or folder with result files" };
    private readonly Argument<string> _new = new("NEW") { Description = "result file or folder to compare with OLD" };

    public CompareCommand(IReadOnlyList<PlanOption> declared, IReadOnlyCollection<string> formats)
        : base(
            "compare",
            "compare two sets of results: slower, same, faster or undecided",
            [
                s_threshold, s_figure, s_fail, declared.Named(LoadOptions.AnyMachineName) with { Help = "judge results of different machines too" },
                .. OutputOptions.Declare(formats, "folder for the comparison's files"), RunOptions.Json with { Help = "print the comparison as JSON" },
            ])
    {
        _loadOptions = declared;
        Add(_old);
        Add(_new);
    }

    public override Task<int> RunAsync(ParseResult parsed, CommandContext context)
    {
        double threshold = RunOptions.ReadThreshold(s_threshold.Name, parsed.Argument(s_threshold) ?? DefaultThreshold, DefaultThreshold);
        (string old, string now) = (parsed.GetValue(_old)!, parsed.GetValue(_new)!);
        JudgedFigure? figure = parsed.Argument(s_figure) is { } name ? s_figures[OptionValues.Choice(s_figure.Name, name, s_figures.Keys)] : null;
        Rule.Check([new(!Path.Exists(old) && !Path.Exists(now) && old != now, () => BenchmarkException.BadInput(
            $"'{old}' and '{now}' do not exist. Use result files, or folders with result files."))]);
        ResultFolder[] read = [ResultFolder.ReadSet(old), ResultFolder.ReadSet(now)];
        (ResultSet before, ResultSet after) = (SetOf(old, read[0]), SetOf(now, read[1]));
        ComparisonResult result = Compare(before, after, threshold, parsed.Has(LoadOptions.AnyMachineName), figure);
        bool isComplete = read[0].ReportFaults(context) & read[1].ReportFaults(context);
        bool mayFail = parsed.Has(s_fail);
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

        new OutputOptions(parsed, context).Print(result, parsed.Has(RunOptions.Json));
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
