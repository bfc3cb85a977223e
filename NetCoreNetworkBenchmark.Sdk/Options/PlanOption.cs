namespace NetCoreNetworkBenchmark.Options;

/// <summary>
/// The description of one option of a scenario. The command line, the help text, the command in a result and the key of a comparison follow from it,
/// so that a new option is one new description.
/// </summary>
/// <param name="Name">The name, such as <c>--clients</c>.</param>
/// <param name="Help">The help text: a noun phrase or an imperative of at most 80 characters, without choices and default.</param>
public sealed record PlanOption(string Name, string Help)
{
    /// <summary>The plan of a command line without options.</summary>
    public static readonly RunPlan DefaultPlan = new() { Library = "LiteNetLib" };

    /// <summary>A short name, such as <c>-c</c>; null if there is none.</summary>
    public string? Alias { get; init; }

    /// <summary>The topic.</summary>
    public OptionGroup Group { get; init; }

    /// <summary>The number of values.</summary>
    public OptionKind Kind { get; init; }

    /// <summary>The name of the value in the help text.</summary>
    public string ValueName { get; init; } = "VALUE";

    /// <summary>The valid values, for the help text; empty if they are no list.</summary>
    public IReadOnlyCollection<string> Choices { get; init; } = [];

    /// <summary>The values that a shell offers: the choices, or those of a list that the help text leaves out.</summary>
    public IReadOnlyCollection<string> Completions { get => field ?? Choices; init; }

    /// <summary>What the help of a topic says in addition: conditions and effects, separated by semicolons; empty if nothing.</summary>
    public string Details { get; init; } = string.Empty;

    /// <summary>Whether the option is among those that most people need, which the first help page lists.</summary>
    public bool IsCommon { get; init; }

    /// <summary>The value in the help text that applies if the option is not given; null if there is none.</summary>
    public string? Default { get => field ?? DefaultOf?.Invoke(); init; }

    /// <summary>Whether the option also has a meaning for the predefined benchmark, whose command then contains it.</summary>
    public bool IsForBenchmark { get; init; }

    /// <summary>Whether the help text leaves the option out.</summary>
    public bool IsHidden { get; init; }

    /// <summary>Adds a value to a plan; throws a <see cref="BenchmarkException"/> if the value is not valid.</summary>
    public Func<RunPlan, string, RunPlan> Apply { get; init; } = static (plan, _) => plan;

    /// <summary>Completes a plan if the option is not given, after all given options; null if the plan's own default applies.</summary>
    public Func<RunPlan, RunPlan>? ApplyDefault { get; init; }

    /// <summary>Whether the command of a result contains the option only if its value is not <see cref="Default"/>.</summary>
    public bool OmitsDefault { get; init; }

    /// <summary>Gets the value for the command of a result, any text for a flag that is set; null if the command does not contain the option.</summary>
    public Func<RunPlan, string?> Text { get; init; } = static _ => null;

    /// <summary>Gets the arguments in the command of a result if they are not the name and <see cref="Text"/>; null if they are.</summary>
    public Func<RunPlan, IEnumerable<string>>? Print { get; init; }

    /// <summary>The capability of the library without which the command of a result does not contain the option.</summary>
    public LibraryCapability Requires { get; init; }

    /// <summary>Gets the reason why the option is not applicable to a plan, such as "requires -P Tcp"; null if it is.</summary>
    public Func<RunPlan, string?>? NotApplicable { get; init; }

    /// <summary>Other options that are not valid together with this one, with the reasons.</summary>
    public IReadOnlyList<(string Name, string Reason)> Excludes { get; init; } = [];

    /// <summary>Another option that is valid only together with this one, and an example of both.</summary>
    public (string Name, string Example)? RequiredWith { get; init; }

    /// <summary>The option without which this one has no effect, as the help text says; null if there is none.</summary>
    public string? RequiresOption { get; init; }

    /// <summary>Whether the option has a meaning only for a load that lasts for some time.</summary>
    public bool IsOfLastingLoad { get; init; }

    /// <summary>Whether the option needs both sides, so that it is not for a server or clients alone.</summary>
    public bool NeedsBothSides { get; init; }

    /// <summary>
    /// Converts a value to its words in the key of a comparison: only launches with the same words are compared. Null if the value makes no difference
    /// to the work of the library.
    /// </summary>
    public Func<string, string>? Key { get; init; }

    // Most starts need no default, and to compute all of them would delay each start.
    private Func<string?>? DefaultOf { get; init; }

    /// <summary>The help text with the details, the choices and the default.</summary>
    /// <param name="remarks">Further remarks, such as those of the tests.</param>
    /// <returns>The text in one line.</returns>
    public string Describe(IEnumerable<string> remarks)
    {
        string choices = Choices.Count == 0 ? string.Empty : $" [options: {string.Join(", ", Choices)}]";
        string?[] parts = [Help, RequiresOption is null ? null : $"requires {RequiresOption}", Details, .. remarks];
        return $"{string.Join("; ", parts.Where(part => !string.IsNullOrEmpty(part)))}{choices}{DefaultMark}";
    }

    /// <summary>The help text with the default.</summary>
    public string Summary => $"{Help}{DefaultMark}";

    private string DefaultMark => Default is null ? string.Empty : $" [default: {Default}]";

    /// <summary>Gets the arguments that request the value of a plan.</summary>
    /// <param name="plan">The plan.</param>
    /// <returns>Name and value; empty if the option has no meaning for the plan or need not be given.</returns>
    public IEnumerable<string> ArgumentsOf(RunPlan plan) =>
        NotApplicable?.Invoke(plan) is not null ? []
        : Print is not null ? Print(plan)
        : Text(plan) is not { } text || (OmitsDefault && text == Default) ? []
        : Kind == OptionKind.Flag ? [Name]
        : [Name, text];

    /// <summary>Gets an option that belongs to a test. Its text is kept in <see cref="RunPlan.WorkloadOptions"/>.</summary>
    /// <param name="test">The test's name.</param>
    /// <param name="name">The option's name.</param>
    /// <param name="help">The help text.</param>
    /// <param name="defaultText">The value that applies if the option is not given.</param>
    /// <param name="apply">Adds a value to a plan of the test.</param>
    /// <returns>The description.</returns>
    public static PlanOption ForTest(string test, string name, string help, string defaultText, Func<RunPlan, string, RunPlan> apply) =>
        new(name, help)
        {
            Details = $"requires -t {test}",
            Default = defaultText,
            Apply = apply,
            ApplyDefault = plan => plan.Test == test ? apply(plan, defaultText) : plan,
            NotApplicable = plan => plan.Test == test ? null : $"requires -t {test}",
            Text = plan => plan.WorkloadOptions.GetValueOrDefault(name),
            Key = text => $"{name} {text}",
        };

    /// <summary>Describes an option with one value.</summary>
    // Texts and not values of a type parameter: a generic method is compiled again for each type of value, which delays each start.
    public static PlanOption Of(string name, string? alias, string help, Func<RunPlan, string?> get, Func<RunPlan, string, RunPlan> set) =>
        new(name, help) { Alias = alias, DefaultOf = () => get(DefaultPlan), Apply = set, Text = get };

    /// <summary>Describes an option with a whole number.</summary>
    public static PlanOption Number(
        string name, string? alias, string help, int least, int most, Func<RunPlan, int> get, Func<RunPlan, int, RunPlan> set) =>
        Of(
            name, alias, help, plan => get(plan).ToString(CultureInfo.InvariantCulture),
            (plan, text) => set(plan, OptionValues.WholeNumber(name, text, least, most)));

    /// <summary>Describes an option with a number of seconds.</summary>
    public static PlanOption Seconds(
        string name, string? alias, string help, double least, Func<RunPlan, TimeSpan> get, Func<RunPlan, TimeSpan, RunPlan> set) =>
        Of(
            name, alias, help, plan => get(plan).TotalSeconds.ToString(CultureInfo.InvariantCulture),
            (plan, text) => set(plan, OptionValues.Seconds(name, text, least, PlanLimits.MostSeconds)));

    /// <summary>Describes an option with one of several values.</summary>
    public static PlanOption Choice(
        string name, string? alias, string help, IReadOnlyCollection<string> choices, Func<RunPlan, string?> get, Func<RunPlan, string, RunPlan> set) =>
        Of(name, alias, help, get, (plan, text) => set(plan, OptionValues.Choice(name, text, choices))) with { Choices = choices };

    /// <summary>Describes an option without a value.</summary>
    public static PlanOption Flag(string name, string help, Func<RunPlan, bool> get, Func<RunPlan, RunPlan> set) =>
        new(name, help) { Kind = OptionKind.Flag, Apply = (plan, _) => set(plan), Text = plan => get(plan) ? string.Empty : null };

    /// <summary>Puts options under one topic.</summary>
    public static PlanOption[] Grouped(OptionGroup group, params PlanOption[] options) =>
        Array.ConvertAll(options, option => option with { Group = group });
}
