using System.CommandLine;
using System.CommandLine.Parsing;

namespace NetCoreNetworkBenchmark.Cli.Requests;

internal sealed class GivenOptions(ParseResult parsed, IReadOnlyDictionary<string, Option> options)
{
    public static Option Make(PlanOption described)
    {
        string[] aliases = described.Alias is { } alias ? [alias] : [];
        Option option = described.Kind switch
        {
            OptionKind.Flag => new Option<bool>(described.Name, aliases),
            OptionKind.Values => new Option<string[]>(described.Name, aliases),
            OptionKind.OptionalValue => new Option<string?>(described.Name, aliases) { Arity = ArgumentArity.ZeroOrOne },
            _ => new Option<string>(described.Name, aliases),
        };
        option.Description = described.Help;
        option.Hidden = described.IsHidden;
        return option;
    }

    /// <summary>Null if the option is not given, or is a flag that is switched off.</summary>
    public IReadOnlyList<string>? Arguments(string name) =>
        !options.TryGetValue(name, out Option? option) || parsed.GetResult(option) is not OptionResult { Implicit: false } result ? null
        : result.Option is not Option<bool> ? [.. result.Tokens.Select(token => token.Value)]
        : result.Tokens is [{ Value: var value }] && value.Equals(bool.FalseString, StringComparison.OrdinalIgnoreCase) ? null
        : [bool.TrueString];

    public bool Has(PlanOption option) => Arguments(option.Name) is not null;

    public string? Argument(PlanOption option) => Arguments(option.Name) is [var text, ..] ? text : null;

    public int? NumberOf(PlanOption option, int min, int max) =>
        Argument(option) is { } text ? OptionValues.WholeNumber(option.Name, text, min, max) : null;

    public TimeSpan? SecondsOf(PlanOption option, double min) =>
        Argument(option) is { } text ? PlanValues.Seconds(option.Name, text, min, PlanLimits.MaxSeconds) : null;
}
