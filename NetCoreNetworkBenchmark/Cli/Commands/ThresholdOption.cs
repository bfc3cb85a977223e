using System.CommandLine;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>The least change that counts between sets of results.</summary>
internal sealed class ThresholdOption
{
    // Below this threshold, the noise of the machine between two days dominates.
    private const string Default = "10%";

    public Option<string> Option { get; } = new("--threshold")
    {
        HelpName = "VALUE",
        Description = "largest change that counts as the same",
        DefaultValueFactory = _ => Default,
    };

    public double Read(ParseResult parsed)
    {
        string text = parsed.GetValue(Option)!;
        return OptionValues.Share(Option.Name, text) is > 0 and < 1 and var share
            ? share
            : throw OptionValues.Invalid(Option.Name, text, "a percentage above 0% and below 100%, such as 10%");
    }
}
