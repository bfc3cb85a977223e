using System.CommandLine;
using System.CommandLine.Completions;
using System.Text.RegularExpressions;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>
/// A shell asks with <c>[suggest:POSITION] "LINE"</c>, as it asks other programs of System.CommandLine. The parser's own answer has every option in the place
/// of a value, and takes a line that begins with an option for that option.
/// </summary>
internal sealed partial class Suggestions(
    Func<IReadOnlyList<string>, ParseResult> parse, Func<string, (IReadOnlyCollection<string> Values, bool TakesSeveral)> valuesOf)
{
    /// <summary>Returns the line up to the cursor, without the program's name; null if the arguments do not request suggestions.</summary>
    public static string? LineOf(IReadOnlyList<string> arguments)
    {
        if (arguments.Count is < 1 or > 2 || Request().Match(arguments[0]) is not { Success: true } request)
        {
            return null;
        }

        string line = arguments.Count == 2 ? arguments[1] : string.Empty;
        return int.TryParse(request.Groups[1].Value, NumberStyles.None, CultureInfo.InvariantCulture, out int position) && position < line.Length
            ? line[..position]
            : line;
    }

    public IReadOnlyList<string> For(string line)
    {
        string[] words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        bool isNewWord = line.Length == 0 || line[^1] == ' ';
        string word = isNewWord ? string.Empty : words[^1];
        string[] before = isNewWord ? words : words[..^1];
        ParseResult parsed = parse(before);
        Command command = parsed.CommandResult.Command;
        IEnumerable<Option> inherited = command == parsed.RootCommandResult.Command
            ? []
            : parsed.RootCommandResult.Command.Options.Where(option => option.Recursive);
        Option[] options = [.. command.Options.Concat(inherited).Where(option => !option.Hidden)];
        return [.. Candidates(word, before, command, options).Where(candidate => candidate.StartsWith(word, StringComparison.OrdinalIgnoreCase)).Distinct()];
    }

    private IEnumerable<string> Candidates(string word, string[] before, Command command, Option[] options)
    {
        if (word.StartsWith('-'))
        {
            int sign = word.IndexOf('=', StringComparison.Ordinal);
            return sign > 0 && Named(options, word[..sign]) is { } assigned
                ? ValidValues(assigned, word[(sign + 1)..]).Select(value => $"{word[..sign]}={value}")
                : NamesOf(options);
        }

        Option? last = before is [.., var name] ? Named(options, name) : null;
        return last is null || (last.ValueType == typeof(bool) && valuesOf(last.Name).Values.Count == 0) ? NamesIn(command) : ValidValues(last, word);
    }

    private static Option? Named(Option[] options, string name) => Array.Find(options, option => option.Name == name || option.Aliases.Contains(name));

    private static IEnumerable<string> NamesOf(Option[] options) =>
        options.SelectMany(option => option.Aliases.Prepend(option.Name)).Where(name => name.StartsWith('-')).Order(StringComparer.Ordinal);

    private static IEnumerable<string> NamesIn(Command command) =>
        command.Subcommands.Select(subcommand => subcommand.Name).Concat(
            command.Arguments.SelectMany(argument => argument.GetCompletions(CompletionContext.Empty)).Select(completion => completion.Label));

    // In a list, the last value is completed.
    private IEnumerable<string> ValidValues(Option option, string word)
    {
        (IReadOnlyCollection<string> values, bool takesSeveral) = valuesOf(option.Name);
        string earlier = takesSeveral ? word[..(word.LastIndexOf(',') + 1)] : string.Empty;
        return values.Count > 0
            ? values.Except(earlier.Split(','), StringComparer.OrdinalIgnoreCase).Select(value => earlier + value)
            : option.GetCompletions(CompletionContext.Empty).Select(completion => completion.Label);
    }

    [GeneratedRegex(@"^\[suggest(?::(\d+))?\]$")]
    private static partial Regex Request();
}
