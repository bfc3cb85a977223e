using System.CommandLine;
using System.CommandLine.Parsing;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>From the declaration of an option to the parser, and from the parsed line to the values that are given for it.</summary>
internal static class GivenOptions
{
    public static Option Make(PlanOption declared)
    {
        string[] aliases = declared.Alias is { } alias ? [alias] : [];
        Option option = declared.Kind switch
        {
            OptionKind.Flag => new Option<bool>(declared.Name, aliases),
            OptionKind.Values => new Option<string[]>(declared.Name, aliases),
            OptionKind.OptionalValue => new Option<string?>(declared.Name, aliases) { Arity = ArgumentArity.ZeroOrOne },
            _ => new Option<string>(declared.Name, aliases),
        };
        option.Description = declared.Help;
        option.HelpName = declared.Kind == OptionKind.Flag ? null : declared.ValueName;
        option.Hidden = declared.IsHidden;
        return option;
    }

    /// <summary>Null if the option is not given to this command, or is a flag that is switched off.</summary>
    /// <param name="parsed">Null if nothing is given.</param>
    public static IReadOnlyList<string>? Arguments(this ParseResult? parsed, string name) =>
        ArgumentsOf(parsed?.CommandResult.Children.OfType<OptionResult>().FirstOrDefault(given => given.Option.Name == name));

    /// <summary>Before the other options are read, and also if it is given before the command.</summary>
    public static bool IsVerbose(this ParseResult? parsed) => ArgumentsOf(parsed?.GetResult(RunOptions.Verbose.Name) as OptionResult) is not null;

    public static bool Has(this ParseResult? parsed, string name) => parsed.Arguments(name) is not null;

    public static bool Has(this ParseResult? parsed, PlanOption option) => parsed.Has(option.Name);

    public static string? Argument(this ParseResult? parsed, string name) => parsed.Arguments(name) is [var text, ..] ? text : null;

    public static string? Argument(this ParseResult? parsed, PlanOption option) => parsed.Argument(option.Name);

    public static int? NumberOf(this ParseResult? parsed, PlanOption option, int min, int max) =>
        parsed.Argument(option) is { } text ? OptionValues.WholeNumber(option.Name, text, min, max) : null;

    public static TimeSpan? SecondsOf(this ParseResult? parsed, PlanOption option, double min) =>
        parsed.Argument(option) is { } text ? PlanValues.Seconds(option.Name, text, min, PlanLimits.MaxSeconds) : null;

    private static IReadOnlyList<string>? ArgumentsOf(OptionResult? given) => given is not { Implicit: false } ? null
        : given.Option is not Option<bool> ? [.. given.Tokens.Select(token => token.Value)]
        : given.Tokens is [{ Value: var value }] && value.Equals(bool.FalseString, StringComparison.OrdinalIgnoreCase) ? null
        : [bool.TrueString];
}
