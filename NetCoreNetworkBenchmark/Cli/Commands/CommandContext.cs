using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Progress;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Renderers;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Interleaving;
using NetCoreNetworkBenchmark.Running.Sessions;
using NetCoreNetworkBenchmark.Running.Sides;
using Spectre.Console;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Results go to <see cref="Output"/>, all other information for a person to <see cref="Errors"/>.</summary>
internal sealed record CommandContext(Catalog Catalog, IReadOnlyList<IReport> Reports, TextWriter Output, TextWriter Errors)
{
    /// <summary>The variable of https://no-color.org, which also turns off bold and dim text, whose colour a terminal may choose, and live lines.</summary>
    public const string NoColour = "NO_COLOR";

    // Shared by the copies of this context.
    private readonly HashSet<string> _warnings = [];

    public Func<bool> IsOutputLost { get; init; } = () => false;

    public TextWriter? LiveFile { get; init; }

    public CancellationToken Aborted { get; init; }

    public IAnsiConsole OutputConsole => ConsoleOn(Output);
    public IAnsiConsole ErrorConsole => ConsoleOn(Errors);
    public bool ErrorsAreRedirected => Errors != Console.Error || Console.IsErrorRedirected;
    public bool OutputIsTerminal => Output == Console.Out && !Console.IsOutputRedirected;

    public IReport ReportNamed(string name) => Reports.Single(report => report.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    public void Show(string[] columns, IEnumerable<string[]> rows)
    {
        Table table = new Table().Border(OutputIsTerminal ? TableBorder.Rounded : TableBorder.Markdown).AddColumns(columns);
        foreach (string[] row in rows)
        {
            table.AddRow([.. row.Select(Markup.Escape)]);
        }

        OutputConsole.Write(table);
    }

    public void Print(Result result, bool json)
    {
        if (!json && OutputIsTerminal)
        {
            Draw(WithoutWarnings(result, ErrorsAreRedirected ? [] : _warnings));
        }
        else
        {
            ReportNamed(json ? "json" : "markdown").Write(result, Output);
        }
    }

    public void PrintToErrorsIfOutputLost(Result result, ResultFiles? files)
    {
        if (files is null && IsOutputLost())
        {
            ReportNamed("markdown").Write(result, Errors);
        }
    }

    /// <summary>Only here is Spectre loaded for a result.</summary>
    public void Draw(Result result) => new TerminalRenderer(OutputConsole).Draw(DocumentBuilder.Create(result));

    /// <param name="log">It stays until the result is on the disk, or if the command can be continued.</param>
    /// <returns>The exit code.</returns>
    public int Report(Result result, CliRequest request, ResultFiles? files, bool isGood, SessionLog? log = null, bool isAborted = false)
    {
        Print(result, request.Json);
        PrintToErrorsIfOutputLost(result, files);
        if (result is RunResult run)
        {
            // A page has the remarks already. JSON is for programs, and a person reads the other output then.
            Notify("Note", request.Json ? run.Remarks : []);
            Notify("Invalid", run.InvalidReasons);
        }

        Save(result, request, files, log, isAborted);
        return ExitCode.From(isGood, NotifyOfLimits(result));
    }

    /// <param name="log">It stays until the result is on the disk, or if the command can be continued.</param>
    public void Save(Result result, CliRequest request, ResultFiles? files, SessionLog? log, bool isAborted)
    {
        // Below a long result, in sight, and before the disk may refuse the file.
        ReportLog(log, request, isAborted);
        if (files is not null)
        {
            files.Write(result);
            Notify($"Written to {files.Folder}");
        }

        if (!isAborted)
        {
            log?.Remove();
        }
    }

    /// <summary>Names each limit that is broken.</summary>
    /// <returns>Whether all hold.</returns>
    private bool NotifyOfLimits(Result result)
    {
        string[] broken = [.. result.AllLimits.Where(entry => !entry.Limit.Holds).Select(entry => entry.Limit.Sentence(entry.Case))];
        Notify("Limit", broken);
        return broken.Length == 0;
    }

    public void Notify(string line) => Errors.WriteLine(line);

    public void NotifyFewestSets(CliRequest request, int sets, IEnumerable<SuiteCase[]> groups, double? limitSeconds)
    {
        double expected = new SetTimes().Expected(groups).TotalSeconds;
        if (request.IsGiven(RunOptions.Time.Name) && expected > limitSeconds)
        {
            Notify(
                $"Note: {sets} sets of each case are measured in any case, which may take longer than {RunOptions.Time.Name}: up to {expected:0} s.");
        }
    }

    public void Notify(string kind, IEnumerable<string> sentences)
    {
        foreach (string sentence in sentences)
        {
            Notify($"{kind}: {sentence}");
        }
    }

    /// <summary>Called before the measurement, when nothing can be rejected any more.</summary>
    public void Warn(CliRequest request, Fitness fitness)
    {
        Notify("Note", RuntimeOptions.NotesOf(request.RuntimeVariants));

        // If there are hosts, this machine only coordinates, and each host reports on itself.
        if (request.Plan.Hosts.IsNone)
        {
            Notify("Warning", fitness.Warnings);
            _warnings.UnionWith(fitness.Warnings);
        }
    }

    internal static Result WithoutWarnings(Result result, IReadOnlyCollection<string> shown)
    {
        return result switch
        {
            RunResult run => run with { Fitness = Remaining(run.Fitness) },
            SuiteResult suite => suite with { Fitness = Remaining(suite.Fitness) },
            CapacityResult capacity => capacity with { Fitness = Remaining(capacity.Fitness) },
            ServerResult server => server with { Fitness = Remaining(server.Fitness) },
            _ => result,
        };

        Fitness Remaining(Fitness fitness) => fitness with { Warnings = [.. fitness.Warnings.Except(shown)] };
    }

    public Action<RunProgress>? LiveFor(CliRequest request) => request.Live ? new LiveLines((LiveFile ?? Errors).WriteLine).Report : null;

    public Action<RunProgress>? PhaseLinesFor(CliRequest request, string run) => request.Verbose ? new PhaseLines(Notify, run).Report : null;

    public SessionLog? OpenLog(CliRequest request, ResultFiles? files, string command, IReadOnlyList<SuiteCase> cases, SessionBegin begin)
    {
        if (files is null)
        {
            return null;
        }

        IReadOnlyDictionary<string, string> facts = SessionFacts.From(command, cases);
        if (!request.Continue)
        {
            return SessionLog.Start(files.Folder, begin, facts);
        }

        var log = SessionLog.Continue(files.Folder, facts);
        Notify($"Continuing after {Plural.Format(log.EarlierCount, "launch", "launches")}, saved in '{files.Folder}'.");
        return log;
    }

    private void ReportLog(SessionLog? log, CliRequest request, bool isAborted)
    {
        if (log?.Failure is { } failure)
        {
            Notify($"Note: Not all launches could be saved for --continue: {failure}");
        }

        if (!isAborted)
        {
            return;
        }

        Notify("Aborted before the end.");
        if (log is not null)
        {
            Notify($"To continue: {request.CommandToContinue}");
        }
    }

    public ResultFiles? FilesFor(CliRequest request, ResultKind kind)
    {
        bool hasLog = kind is not (ResultKind.Run or ResultKind.Server);
        if (request.Continue && !hasLog)
        {
            throw BenchmarkException.BadInput(
                $"{RunOptions.Continue.Name} requires a command of several runs, and this one is a single run. Add what the interrupted one had: " +
                    "--launches, --versions, --sweep, or several values to compare, such as -l ENet,LiteNetLib.");
        }

        if (request.Output is null)
        {
            string? option = request.Force ? RunOptions.Force.Name : request.Continue ? RunOptions.Continue.Name : null;
            return option is null ? null : throw BenchmarkException.BadInput(
                $"{option} requires {RunOptions.Output.Usage}, because this command writes no files without it.");
        }

        var files = new ResultFiles(request.Output, Reports);
        if (request is { Force: false, Continue: false })
        {
            if (hasLog)
            {
                SessionLog.RequireNone(files.Folder);
            }

            ResultFiles.RequireFree(files.FileOf(kind), "folder");
        }

        return files;
    }

    private static IAnsiConsole ConsoleOn(TextWriter writer)
    {
        bool isPlain = !string.IsNullOrEmpty(Environment.GetEnvironmentVariable(NoColour));
        IAnsiConsole console = AnsiConsole.Create(
            new AnsiConsoleSettings { Ansi = isPlain ? AnsiSupport.No : AnsiSupport.Detect, Out = new AnsiConsoleOutput(writer) });
        if (!console.Profile.Out.IsTerminal)
        {
            // A pipe has no width: lines must not be wrapped or truncated.
            console.Profile.Width = 1000;
        }

        return console;
    }
}
