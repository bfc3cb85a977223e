using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>The text of <c>--help</c>. The parser shows the help of a command itself.</summary>
internal sealed class HelpPage(
    RootCommand root, IReadOnlyList<PlanOption> options, IReadOnlyCollection<IWorkload> workloads, HelpAction helpOfCommands) : SynchronousCommandLineAction
{
    public const string Option = "--help";

    private const int WidthOfFiles = 100;
    private const int MinTextWidth = 30;
    private const string DefaultMark = "[default:";
    private const string All = "all";

    private static readonly Row[] s_ofParser = [new("-?, -h, --help <TOPIC>", "show this help, or that of a topic"), new("--version", "show the version")];

    public static IReadOnlyList<string> Topics { get; } = [.. Enum.GetValues<OptionGroup>().Select(TopicOf), All];

    public static IReadOnlyList<Example> Examples { get; } =
    [
        new("several libraries, compared under a load:", "-l ENet,LiteNetLib -c 100"),
        new("the same for 200 players at 30 Hz over a bad network:", "-l ENet,LiteNetLib -r Reliable -c 200 --rate-per-client 30 --rtt 60ms --loss 2%"),
        new("the highest rate at which a limit holds:", "-l ENet -c 100 --sweep --limit p99=5ms"),
        new("TCP and TLS:", "-l Sockets,NetCoreServer -P Tcp,Tls -c 50"),
        new("settings of the garbage collector:", "-l Sockets -P Tcp --runtime gcServer=0,1"),
        new("versions of a library:", "--versions LiteNetLib=2.1.3,2.1.5 -c 100"),
        new("one run of 5 seconds, with figures while it lasts:", "-l Sockets -c 100 -d 5 --live json:live.jsonl"),
        new("the predefined benchmark, and on after an interruption:", "-b --continue"),
        new("a table for a spreadsheet:", "report DIR -f summary"),
        new("a gate for a CI, which exits with 3 if a figure became worse:", "compare OLD NEW --fail-on-regression"),
        new("a server for clients on another host:", "-l Sockets --role Server -a 0.0.0.0"),
    ];

    public override bool ClearsParseErrors => helpOfCommands.ClearsParseErrors;

    public static bool IsTopic(IReadOnlyList<string> words) => words is [] || (words is [var word] && Topics.Contains(word, StringComparer.OrdinalIgnoreCase));

    public override int Invoke(ParseResult parseResult)
    {
        if (parseResult.CommandResult.Command != root)
        {
            return WriteHelpOfCommand(parseResult);
        }

        TextWriter output = parseResult.InvocationConfiguration.Output;
        int width = WidthOf(output);
        if (parseResult.UnmatchedTokens is [var topic])
        {
            WriteTopic(output, topic, width);
        }
        else
        {
            WriteFirstPage(output, width);
        }

        return ExitCode.Success;
    }

    // The parser names the assembly, also where the tool was started by another name.
    private int WriteHelpOfCommand(ParseResult parseResult)
    {
        InvocationConfiguration configuration = parseResult.InvocationConfiguration;
        TextWriter output = configuration.Output;
        using var page = new StringWriter { NewLine = output.NewLine };
        configuration.Output = page;
        int code = helpOfCommands.Invoke(parseResult);
        configuration.Output = output;
        output.Write(page.ToString().Replace($"  {RootCommand.ExecutableName} ", $"  {ProgramName.Typed} ", StringComparison.Ordinal));
        return code;
    }

    private static int WidthOf(TextWriter output) =>
        output == Console.Out && !Console.IsOutputRedirected && Console.WindowWidth > 0 ? Console.WindowWidth : WidthOfFiles;

    // A command line has to start quickly. Code that is generic over structures, such as a query of tuples, would be compiled at each start.
    private void WriteFirstPage(TextWriter output, int width)
    {
        string program = ProgramName.Typed;
        output.WriteLine($"Description:\n  {root.Description}\n\nUsage:\n  {program} [command] [options]\n");
        WriteTable(
            output, "Options", [.. options.Where(option => option.IsCommon).Select(option => new Row(NameOf(option), option.Summary)), .. s_ofParser], width);
        WriteTable(output, "Commands", [.. root.Subcommands.Select(RowOf)], width);
        output.WriteLine("Examples:");
        foreach (Example example in Examples)
        {
            output.WriteLine($"  {example.Purpose}\n    {program} {example.Arguments}");
        }

        output.WriteLine($"\nMore options: --help {All}, or of a topic: {string.Join(", ", Topics.Take(Topics.Count - 1))}.");
    }

    private void WriteTopic(TextWriter output, string topic, int width)
    {
        bool isAll = topic.Equals(All, StringComparison.OrdinalIgnoreCase);
        foreach (OptionGroup group in Enum.GetValues<OptionGroup>())
        {
            if (isAll || TopicOf(group).Equals(topic, StringComparison.OrdinalIgnoreCase))
            {
                List<Row> rows = [.. options.Where(option => option.Group == group && !option.IsHidden).Select(RowOf)];
                WriteTable(output, group == OptionGroup.Streams ? "Streams and TLS" : group.ToString(), rows, width);
            }
        }
    }

    private static string TopicOf(OptionGroup group) => group == OptionGroup.Streams ? "tls" : group.ToString().ToLowerInvariant();

    private Row RowOf(PlanOption option) => new(
        NameOf(option), option.Describe(workloads.Select(workload => workload.OptionRemarks.GetValueOrDefault(option.Name)).OfType<string>()));

    private static string NameOf(PlanOption option)
    {
        string name = option.Alias is { } alias ? $"{alias}, {option.Name}" : option.Name;
        return option.Kind == OptionKind.Flag ? name : $"{name} <{option.ValueName}>";
    }

    private static Row RowOf(Command command) =>
        new($"{command.Name} {string.Join(' ', command.Arguments.Select(argument => $"<{argument.Name}>"))}", command.Description!);

    private static void WriteTable(TextWriter output, string title, List<Row> rows, int width)
    {
        output.WriteLine($"{title}:");
        int indent = rows.Max(row => row.Name.Length) + 4;
        rows.ForEach(row => WriteRow(output, row, indent, Math.Max(MinTextWidth, width - indent)));
        output.WriteLine();
    }

    private static void WriteRow(TextWriter output, Row row, int indent, int width)
    {
        string[] words = row.Text.Split(' ');

        // A short default is not separated from its name.
        words = words is [.. var before, DefaultMark, var value] ? [.. before, $"{DefaultMark} {value}"] : words;
        string name = $"  {row.Name}";
        foreach (string line in TerminalLines.Wrap(words, width))
        {
            output.WriteLine(name.PadRight(indent) + line);
            name = string.Empty;
        }
    }

    internal sealed record Example(string Purpose, string Arguments);

    private sealed record Row(string Name, string Text);
}
