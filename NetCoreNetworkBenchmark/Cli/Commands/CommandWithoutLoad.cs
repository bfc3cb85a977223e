using System.CommandLine;
using NetCoreNetworkBenchmark.Cli.Requests;

namespace NetCoreNetworkBenchmark.Cli.Commands;

internal abstract class CommandWithoutLoad : Command
{
    protected CommandWithoutLoad(string name, string description, params IEnumerable<PlanOption> options)
        : base(name, description)
    {
        foreach (PlanOption option in options)
        {
            Option added = GivenOptions.Make(option with { Help = option.SummaryWithChoices });
            added.CompletionSources.Add([.. option.Completions]);
            Add(added);
        }
    }

    public abstract Task<int> RunAsync(ParseResult parsed, CommandContext context);
}
