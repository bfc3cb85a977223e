using System.CommandLine;
using System.Text;
using System.Text.RegularExpressions;
using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Renderers;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Sides;
using Spectre.Console;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>
/// The context of every command. Results are written to <see cref="Output"/>. All other information for a person is written to
/// <see cref="Errors"/>.
/// </summary>
internal sealed record CommandContext(Catalog Catalog, IReadOnlyList<IReport> Reports, TextWriter Output, TextWriter Errors)
{
    public Func<bool> IsOutputLost { get; init; } = () => false;

    public IAnsiConsole OutputConsole => ConsoleOn(Output);
    public IAnsiConsole ErrorConsole => ConsoleOn(Errors);
    public bool ErrorsAreRedirected => Errors != Console.Error || Console.IsErrorRedirected;
    public bool OutputIsTerminal => Output == Console.Out && !Console.IsOutputRedirected;

    public IReport ReportNamed(string name) => Reports.Single(report => report.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    /// <summary>Prints a table: with lines on a terminal, as Markdown elsewhere.</summary>
    public void Show(string[] columns, IEnumerable<string[]> rows)
    {
        Table table = new Table().Border(OutputIsTerminal ? TableBorder.Rounded : TableBorder.Markdown).AddColumns(columns);
        foreach (string[] row in rows)
        {
            table.AddRow([.. row.Select(Markup.Escape)]);
        }

        OutputConsole.Write(table);
    }

    /// <summary>Prints a result: as JSON, as a drawing on a terminal, or as Markdown where a script or a file takes it.</summary>
    public void Print(Result result, bool json)
    {
        if (!json && OutputIsTerminal)
        {
            Draw(result);
        }
        else
        {
            ReportNamed(json ? "json" : "markdown").Write(result, Output);
        }
    }

    /// <summary>Prints a result that has no file on standard error, if standard output did not take it.</summary>
    public void KeepUnwritten(Result result, ResultFiles? files)
    {
        if (files is null && IsOutputLost())
        {
            ReportNamed("markdown").Write(result, Errors);
        }
    }

    /// <summary>Draws a result on the terminal. Only here is Spectre loaded for it.</summary>
    public void Draw(Result result) => new TerminalRenderer(OutputConsole).Draw(DocumentBuilder.Of(result));

    public int Report(Result result, CliRequest request, ResultFiles? files, bool isGood)
    {
        Print(result, request.Json);
        KeepUnwritten(result, files);
        files?.Write(result);
        return isGood ? ExitCode.Success : ExitCode.Failed;
    }

    public void Notify(string line) => Errors.WriteLine(line);

    public void Notify(string kind, IEnumerable<string> sentences)
    {
        foreach (string sentence in sentences)
        {
            Notify($"{kind}: {sentence}");
        }
    }

    public ResultFiles? FilesFor(CliRequest request, ResultKind kind)
    {
        if (request.Output is null)
        {
            return null;
        }

        var files = new ResultFiles(request.Output, Reports);
        if (request is { Force: false, Continue: false })
        {
            string goOn = SuiteJournal.IsIn(files.Folder) ? $"{RunOptions.Continue.Name} to continue it, " : string.Empty;
            files.RequireFree(kind, $"Use {goOn}{RunOptions.Force.Name} to replace it, or another folder");
        }

        return files;
    }

    /// <summary>Finds the libraries that the user requested, or that replace the default, and checks the plan against them.</summary>
    public async Task<ChosenLibraries> ChooseLibraryAsync(CliRequest request, CancellationToken cancellationToken)
    {
        ChosenLibraries chosen = FindLibrary(request);
        PlanCheck.Check(chosen.Plan, chosen.Info);
        if (request.Action != CliAction.Server)
        {
            bool isDivided = Placement.NeedsProcesses(chosen.Plan) || request.Launches is not null
                || request.Action is CliAction.Sweep or CliAction.CapacitySearch;
            PlanCheck.CheckMachine(chosen.Plan, chosen.Info, chosen.Workload, isDivided);
        }

        PlanCheck.RequireServer(chosen.Plan, chosen.Library.Info, Catalog);
        _ = await HostNames.ResolveAsync(chosen.Plan, chosen.Library.Info, cancellationToken).ConfigureAwait(false);
        return chosen with { Fitness = await WarnAsync(chosen.Plan, cancellationToken).ConfigureAwait(false) };
    }

    public ChosenLibraries FindLibrary(CliRequest request)
    {
        RunPlan plan = request.Plan;
        if (!request.LibraryWasChosen && Catalog.CreateLibrary(plan.Library) is null)
        {
            const string Fallback = "Sockets";
            Notify($"{plan.Library}, the default, is not in this build (--list shows why), so {Fallback} runs instead.");
            plan = plan with { Library = Fallback };
        }

        INetworkBenchmark library = PlanCheck.FindLibrary(Catalog, plan.Library);
        PlanCheck.CheckProtocol(plan, library.Info, Catalog);
        INetworkBenchmark? clients = PlanCheck.FindClients(plan, library.Info, Catalog);
        PlanCheck.RequireRunning(request.Settings, Catalog.KnownLibraries, [library.Info.Name, .. clients is null ? [] : (string[])[clients.Info.Name]]);
        PlanCheck.RequireProfile(library.Info, plan.Profile, plan.Protocol);
        RunCredentials.Check(plan.Tls, request.Action != CliAction.Client && (request.Action != CliAction.Server || plan.Tls.Mutual));
        IWorkload workload = Catalog.FindWorkload(plan.Test)!;
        plan = workload.Complete(plan) with
        {
            Settings = SettingsOf(request, library.Info),
            ClientLibrary = clients?.Info.Name,
            ClientSettings = clients is null ? plan.ClientSettings : SettingsOf(request, clients.Info),
        };
        var chosen = new ChosenLibraries(plan, library, clients, workload);
        PlanCheck.CheckSides(request, chosen.Info);
        PlanCheck.CheckGroup(plan, Catalog);
        return chosen;
    }

    /// <summary>Reports conditions that may distort the figures of a run, before it starts.</summary>
    public async Task<Fitness> WarnAsync(RunPlan plan, CancellationToken cancellationToken)
    {
        // If this machine only coordinates, each host reports on itself.
        Fitness fitness = plan.Hosts.IsNone
            ? await FitnessInspector.InspectAsync(plan, cancellationToken).ConfigureAwait(false)
            : FitnessInspector.Inspect(plan);
        Notify("Warning", plan.Hosts.IsNone ? fitness.Warnings : []);
        return fitness;
    }

    private static IReadOnlyDictionary<string, string> SettingsOf(CliRequest request, LibraryInfo library)
    {
        IReadOnlyDictionary<string, string> values = PlanCheck.ChooseSettings(request.Settings, library, request.Plan.Profile, request.Plan.Protocol);
        PlanCheck.RequireEffect(request.Settings, library, request.Plan.Protocol);
        return values;
    }

    private static IAnsiConsole ConsoleOn(TextWriter writer)
    {
        bool isPlain = !string.IsNullOrEmpty(Environment.GetEnvironmentVariable(PlainOutput.Variable));
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings { Out = isPlain ? new PlainOutput(writer) : new AnsiConsoleOutput(writer) });
        if (!console.Profile.Out.IsTerminal)
        {
            // A pipe has no width: lines must not be wrapped or truncated.
            console.Profile.Width = 1000;
        }

        return console;
    }
}

/// <summary>A command that works on files and runs no load.</summary>
internal abstract class FileCommand(string name, string description) : Command(name, description)
{
    public abstract Task<int> RunAsync(ParseResult parsed, CommandContext context);
}

/// <summary>
/// The output of a console for people who set NO_COLOR. Spectre.Console leaves out the colours alone; this leaves out every style (SGR of ECMA-48), also the
/// bold and dim ones, whose colour a terminal may choose. The cursor still moves, so a line that shows progress stays one line.
/// </summary>
internal sealed class PlainOutput(TextWriter writer) : IAnsiConsoleOutput
{
    /// <summary>The variable of https://no-color.org.</summary>
    public const string Variable = "NO_COLOR";

    private readonly AnsiConsoleOutput _output = new(writer);

    public TextWriter Writer { get; } = new PlainWriter(writer);

    public bool IsTerminal => _output.IsTerminal;
    public int Width => _output.Width;
    public int Height => _output.Height;

    public void SetEncoding(Encoding encoding) => _output.SetEncoding(encoding);
}

/// <summary>Writes text without the styles in it. Spectre.Console writes each style as a whole.</summary>
internal sealed partial class PlainWriter(TextWriter writer) : TextWriter(writer.FormatProvider)
{
    public override Encoding Encoding => writer.Encoding;

    public override void Write(char value) => writer.Write(value);

    public override void Write(string? value) => writer.Write(Style().Replace(value ?? string.Empty, string.Empty));

    public override void Flush() => writer.Flush();

    [GeneratedRegex(@"\u001b\[[0-9;]*m")]
    private static partial Regex Style();
}
