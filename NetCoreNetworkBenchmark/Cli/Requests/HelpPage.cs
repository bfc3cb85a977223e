using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Scenarios.Options;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>The text of <c>--help</c>: the options by topic, the commands, and examples. The parser shows the help of a command itself.</summary>
internal sealed class HelpPage(
    RootCommand root, IReadOnlyList<ScenarioOption> options, IReadOnlyCollection<IWorkload> workloads, HelpAction helpOfCommands) : SynchronousCommandLineAction
{
    private const int WidthOfFiles = 100;
    private const int LeastTextWidth = 30;
    private const string DefaultMark = "[default: ";

    /// <summary>Commands for common purposes.</summary>
    public static IReadOnlyList<(string Purpose, string Arguments)> Examples { get; } =
    [
        ("one run:", "-l Sockets -c 100 -d 5"),
        ("the predefined benchmark:", "-b"),
        ("TCP, with the clients of another library:", "-l NetCoreServer -P Tcp -c 100 --client-library Sockets"),
        ("an open loop over a bad network:", "-l LiteNetLib -r Reliable -c 10 --rate 1000 --delay 5ms --loss 1%"),
        ("two sets of results:", "compare OLD NEW"),
        ("a server for clients on another host:", "-l Sockets --role Server -a 0.0.0.0"),
    ];

    /// <inheritdoc/>
    public override bool ClearsParseErrors => helpOfCommands.ClearsParseErrors;

    /// <inheritdoc/>
    public override int Invoke(ParseResult parseResult)
    {
        if (parseResult.CommandResult.Command != root)
        {
            return helpOfCommands.Invoke(parseResult);
        }

        TextWriter output = parseResult.InvocationConfiguration.Output;
        Write(output, WidthOf(output));
        return ExitCode.Success;
    }

    private static int WidthOf(TextWriter output) =>
        output == Console.Out && !Console.IsOutputRedirected && Console.WindowWidth > 0 ? Console.WindowWidth : WidthOfFiles;

    private void Write(TextWriter output, int width)
    {
        string program = RootCommand.ExecutableName;
        output.WriteLine($"Description:\n  {root.Description}\n\nUsage:\n  {program} [command] [options]\n");
        foreach (OptionGroup group in Enum.GetValues<OptionGroup>())
        {
            string title = group == OptionGroup.Streams ? "Streams and TLS" : group.ToString();
            IEnumerable<(string, string)> own = options.Where(option => option.Group == group && !option.IsHidden).Select(RowOf);
            WriteTable(output, title, [.. own, .. group == OptionGroup.Output ? RowsOfParser() : []], width);
        }

        WriteTable(output, "Commands", [.. root.Subcommands.Select(RowOf)], width);
        output.WriteLine("Examples:");
        foreach ((string purpose, string arguments) in Examples)
        {
            output.WriteLine($"  {purpose}\n    {program} {arguments}");
        }
    }

    private (string Name, string Text) RowOf(ScenarioOption option)
    {
        string name = option.Alias is { } alias ? $"{alias}, {option.Name}" : option.Name;
        IEnumerable<string> remarks = workloads.Select(workload => workload.OptionRemarks.GetValueOrDefault(option.Name)).OfType<string>();
        return (option.Kind == OptionKind.Flag ? name : $"{name} <{option.ValueName}>", option.Describe(remarks));
    }

    private static (string Name, string Text) RowOf(Command command) =>
        ($"{command.Name} {string.Join(' ', command.Arguments.Select(argument => $"<{argument.Name}>"))}", command.Description!);

    // Help and version.
    private IEnumerable<(string Name, string Text)> RowsOfParser() =>
        from option in root.Options
        where options.All(described => described.Name != option.Name)
        let aliases = option.Aliases.Where(alias => alias.StartsWith('-')).Order(StringComparer.Ordinal)
        select (string.Join(", ", aliases.Append(option.Name)), option.Description!);

    private static void WriteTable(TextWriter output, string title, IReadOnlyCollection<(string Name, string Text)> rows, int width)
    {
        output.WriteLine($"{title}:");
        int indent = rows.Max(row => row.Name.Length) + 4;
        foreach ((string name, string text) in rows)
        {
            string start = $"  {name}".PadRight(indent);
            foreach (string line in Wrap(text, Math.Max(LeastTextWidth, width - indent)))
            {
                output.WriteLine(start + line);
                start = new string(' ', indent);
            }
        }

        output.WriteLine();
    }

    private static IEnumerable<string> Wrap(string text, int width)
    {
        string line = string.Empty;
        foreach (string word in Words(text))
        {
            if (line.Length > 0 && line.Length + 1 + word.Length > width)
            {
                yield return line;
                line = string.Empty;
            }

            line = line.Length == 0 ? word : $"{line} {word}";
        }

        yield return line;
    }

    // A short default is not separated from its name.
    private static IEnumerable<string> Words(string text)
    {
        int end = text.LastIndexOf(DefaultMark, StringComparison.Ordinal);
        return end < 0 || text.AsSpan(end + DefaultMark.Length).Contains(' ')
            ? text.Split(' ')
            : text[..end].TrimEnd().Split(' ').Append(text[end..]);
    }
}
