namespace NetCoreNetworkBenchmark.Options;

/// <summary>
/// The description of an option that only one test has. The command line, the help text and the key of a comparison follow from it. The values of a plan
/// are in <see cref="RunPlan.WorkloadOptions"/>.
/// </summary>
/// <param name="Name">The name, such as <c>--count</c>.</param>
/// <param name="Help">The help text: a noun phrase or an imperative of at most 80 characters, without choices and default.</param>
/// <param name="Apply">
/// Adds a value to a plan, usually by <see cref="RunPlan.WithWorkloadOption"/>; throws a <see cref="BenchmarkException"/> if the value is not valid.
/// </param>
public sealed record WorkloadOption(string Name, string Help, Func<RunPlan, string, RunPlan> Apply)
{
    /// <summary>The value that applies if the option is not given; null if there is none.</summary>
    public string? Default { get; init; }

    /// <summary>Whether the option has no value. <see cref="Apply"/> gets any text if it is given.</summary>
    public bool IsFlag { get; init; }

    /// <summary>The name of the value in the help text.</summary>
    public string ValueName { get; init; } = "VALUE";

    /// <summary>The valid values, for the help text; empty if they are no list.</summary>
    public IReadOnlyCollection<string> Choices { get; init; } = [];

    /// <summary>Conditions and effects, separated by semicolons, which only the topic's page of the help shows; empty if there are none.</summary>
    public string Details { get; init; } = string.Empty;

    /// <summary>Other options that are not valid together with this one, with the reasons.</summary>
    public IReadOnlyList<(string Name, string Reason)> Excludes { get; init; } = [];

    /// <summary>Creates an option whose value is a whole number.</summary>
    public static WorkloadOption Number(string name, string help, int min, int max) => new(
        name, help, (plan, text) => plan.WithWorkloadOption(name, OptionValues.WholeNumber(name, text, min, max).ToString(CultureInfo.InvariantCulture)));
}
