using System.CommandLine;
using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Comparing;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Scenarios.Options;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Compares two sets of results.</summary>
internal sealed class CompareCommand : IFileCommand
{
    // Below this threshold, the noise of the machine between two days dominates.
    private const string DefaultThreshold = "10%";

    private readonly IReadOnlyList<ScenarioOption> _scenarioOptions;
    private readonly Argument<string> _old = new("OLD") { Description = "result file, or folder with result files" };
    private readonly Argument<string> _new = new("NEW") { Description = "the same, of what is to be judged" };
    private readonly Option<string> _threshold = new("--threshold")
    {
        HelpName = "VALUE",
        Description = "changes up to this count as the same",
        DefaultValueFactory = _ => DefaultThreshold,
    };
    private readonly Option<bool> _fail = new("--fail-on-regression") { Description = "end with exit code 3 where a case is slower" };
    private readonly Option<string> _output = new("--output", "-o") { HelpName = "DIR", Description = "folder for the comparison's files" };
    private readonly Option<bool> _json = new("--json") { Description = "print the comparison as JSON" };

    /// <summary>Creates the command.</summary>
    /// <param name="options">The options of scenarios, which determine which launches can be compared.</param>
    public CompareCommand(IReadOnlyList<ScenarioOption> options)
    {
        _scenarioOptions = options;
        Command = new Command("compare", "compare two sets of results: per case old, new, ratio with its interval, and slower, same, faster or inconclusive")
        {
            _old, _new, _threshold, _fail, _output, _json,
        };
    }

    public Command Command { get; }

    public Task<int> RunAsync(ParseResult parsed, CommandContext context)
    {
        double threshold = OptionValues.Share(_threshold.Name, parsed.GetValue(_threshold)!);
        if (threshold is <= 0 or >= 1)
        {
            throw BenchmarkException.BadInput(
                $"Option {_threshold.Name}: '{parsed.GetValue(_threshold)}' is not valid; valid is a share above 0% and below 100%, such as 10%. See --help.");
        }

        ResultSet before = SetOf(parsed.GetValue(_old)!);
        ResultSet after = SetOf(parsed.GetValue(_new)!);
        ResultFiles? files = context.FilesFor(parsed.GetValue(_output));
        ComparisonResult result = Comparer.Compare(before, after, threshold, ResultBuilder.HarnessVersion);
        context.Print(result, parsed.GetValue(_json));
        files?.Write(result);
        return Task.FromResult(CodeOf(result, parsed.GetValue(_fail)));
    }

    private ResultSet SetOf(string path)
    {
        var set = new ResultSet(path, ResultFolder.Read(path).Select(found => found.Result), _scenarioOptions);
        return set.HasRuns
            ? set
            : throw BenchmarkException.BadInput($"'{path}' holds no runs to compare; valid is the result of a run or of several launches.");
    }

    // Results without common cases do not show whether there is a change, so they must not count as "no regression".
    private static int CodeOf(ComparisonResult result, bool failOnRegression) => result switch
    {
        { Cases.Count: 0 } => ExitCode.Failed,
        { HasRegression: true } when failOnRegression => ExitCode.Regression,
        _ => ExitCode.Success,
    };
}
