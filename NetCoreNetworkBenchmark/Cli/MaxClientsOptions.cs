using System.CommandLine;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>The options of the search for the most clients, which is requested by the name of its test.</summary>
internal sealed class MaxClientsOptions
{
    private const string DefaultDeadline = "1s";

    private readonly Option<string> _deadline = new("--deadline")
    {
        HelpName = "TIME",
        Description = $"with -t {RunPlan.MaxClients}: how long each client may wait for the answer to its one message [default: {DefaultDeadline}]",
    };

    public IEnumerable<Option> All => [_deadline];

    /// <summary>Checks the given options, and creates the plan of the search if its test is requested.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="plan">The plan as defined by the other options.</param>
    /// <returns>The plan; unchanged if another test is requested.</returns>
    /// <exception cref="BenchmarkException">The deadline is not valid, or it is given and another test is requested.</exception>
    public RunPlan Read(ParseResult parsed, RunPlan plan)
    {
        bool isGiven = LoadOptions.IsGiven(parsed, _deadline);
        if (plan.Test != RunPlan.MaxClients)
        {
            return isGiven
                ? throw BenchmarkException.BadInput(
                    $"Option {_deadline.Name} belongs to the test {RunPlan.MaxClients}, such as -t {RunPlan.MaxClients} {_deadline.Name} 1s. See --help.")
                : plan;
        }

        TimeSpan deadline = OptionValues.Duration(_deadline.Name, isGiven ? LoadOptions.Text(parsed, _deadline) : DefaultDeadline);
        return deadline > TimeSpan.Zero
            ? plan with { LossDeadline = deadline }
            : throw BenchmarkException.BadInput(
                $"Option {_deadline.Name}: no client can have its answer within 0; valid is a longer time, such as 1s. See --help.");
    }

    /// <summary>Rejects an option that has no meaning for the search.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="others">The options of other ways to run.</param>
    /// <exception cref="BenchmarkException">One of the options is given.</exception>
    public static void ThrowIfGiven(ParseResult parsed, IEnumerable<Option> others)
    {
        if (others.FirstOrDefault(option => LoadOptions.IsGiven(parsed, option)) is { } given)
        {
            throw BenchmarkException.BadInput(
                $"Option {given.Name} does not go with the test {RunPlan.MaxClients}, " +
                    "in which every client sends one message and the number of clients is searched for. See --help.");
        }
    }
}
