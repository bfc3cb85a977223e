using System.CommandLine;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Comparing;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Scenarios.Options;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Shows the results of many days or commits over time, with the changes between them.</summary>
internal sealed class TrendCommand : IFileCommand
{
    private const string Extension = ".json";
    private const string Valid = "valid is a folder with a folder or a result file for each date or commit";

    private readonly IReadOnlyList<ScenarioOption> _scenarioOptions;
    private readonly Argument<string> _folder = new("FOLDER") { Description = "folder with a folder or a result file for each date or commit" };
    private readonly ThresholdOption _threshold = new();
    private readonly OutputOptions _output;
    private readonly Option<bool> _json = new("--json") { Description = "print the trend as JSON" };

    /// <summary>Creates the command.</summary>
    /// <param name="options">The options of scenarios, which determine which launches can be compared.</param>
    /// <param name="formats">The names of the report formats.</param>
    public TrendCommand(IReadOnlyList<ScenarioOption> options, IReadOnlyCollection<string> formats)
    {
        _scenarioOptions = options;
        _output = new OutputOptions(formats, "folder for the trend's files");
        Command = new Command("trend", "show sets of results over time: per case the rate, p99 and server CPU with their intervals, and the changes that last")
        {
            _folder, _threshold.Option, _output.Format, _output.Output, _json,
        };
    }

    public Command Command { get; }

    public async Task<int> RunAsync(ParseResult parsed, CommandContext context)
    {
        double threshold = _threshold.Read(parsed);
        string folder = parsed.GetValue(_folder)!;
        (string Path, ResultFolder Read)[] read = [.. PathsIn(folder).Select(path => (path, ResultFolder.FindSet(path)))];
        TrendResult result = TrendFinder.Find(folder, SetsOf(folder, read), threshold, ResultBuilder.HarnessVersion);
        if (result.Cases.Count == 0)
        {
            throw BenchmarkException.BadInput(
                read.SelectMany(one => one.Read.Faults).FirstOrDefault()
                    ?? $"The sets of results in '{folder}' have no valid case in common; valid are sets of the same benchmark.");
        }

        bool isComplete = true;
        foreach ((_, ResultFolder found) in read)
        {
            isComplete &= await found.TellAsync(context).ConfigureAwait(false);
        }

        await _output.TellAsync(result, parsed.GetValue(_json), parsed, context).ConfigureAwait(false);
        return isComplete ? ExitCode.Success : ExitCode.Failed;
    }

    private static IEnumerable<string> PathsIn(string folder) => Directory.Exists(folder)
        ? Directory.EnumerateDirectories(folder).Concat(Directory.EnumerateFiles(folder, $"*{Extension}"))
        : throw BenchmarkException.BadInput($"'{folder}' is no folder; {Valid}.");

    private ResultSet[] SetsOf(string folder, (string Path, ResultFolder Read)[] read)
    {
        ResultSet[] sets =
        [
            .. from one in read
               let set = new ResultSet(NameOf(one.Path), one.Read.Results.Select(found => found.Result), _scenarioOptions)
               where set.HasRuns
               select set,
        ];
        return sets.Length > 1
            ? sets
            : throw BenchmarkException.BadInput(
                read.SelectMany(one => one.Read.Faults).FirstOrDefault() ?? $"'{folder}' holds {Count(sets)}, and a trend needs two; {Valid}.");
    }

    private static string Count(ResultSet[] sets) => sets.Length == 0 ? "no set of results" : "one set of results";

    // A folder may have a point in its name, as that of a version has.
    private static string NameOf(string path) => Directory.Exists(path) ? Path.GetFileName(path) : Path.GetFileNameWithoutExtension(path);
}
