namespace NetCoreNetworkBenchmark.Options;

/// <summary>The command line, the help, the command in a result and the key of a comparison follow from the description of an option.</summary>
/// <param name="Help">A noun phrase or an imperative of at most 80 characters, without choices and default.</param>
internal sealed record PlanOption(string Name, string Help)
{
    public const string RequiredComparison = "requires -b or several values to compare, such as -l ENet,LiteNetLib";

    // The value of a plan that is not impaired.
    private const string None = "0";

    public static readonly RunPlan DefaultPlan = new() { Library = "LiteNetLib" };

    public string? Alias { get; init; }
    public OptionGroup Group { get; init; }

    public OptionKind Kind { get; init; }

    // The help.

    public string ValueName { get; init; } = "VALUE";

    /// <summary>A value for the error of an option that requires this one; null if its <see cref="ValueName"/> says enough.</summary>
    public string? Example { get; init; }

    public IReadOnlyCollection<string> Choices { get; init; } = [];

    /// <summary>The values that a shell offers: the choices, or those of a list that the help leaves out.</summary>
    public IReadOnlyCollection<string> Completions { get => field ?? Choices; init; }

    /// <summary>Conditions and effects, separated by semicolons, which only the topic's page shows.</summary>
    public string Details { get; init; } = string.Empty;

    /// <summary>Whether the first help page lists the option.</summary>
    public bool IsCommon { get; init; }
    public bool IsHidden { get; init; }

    public string? Default { get => field ?? DefaultOf?.Invoke(); init; }

    // Most starts need no default, and to compute all of them would delay each start.
    public Func<string?>? DefaultOf { get; init; }

    public string Usage => Kind is OptionKind.Value or OptionKind.Values ? $"{Name} {ValueName}" : Name;

    public string Summary => $"{Help}{DefaultMark}";

    public string SummaryWithChoices => $"{Help}{ChoicesMark}{DefaultMark}";

    private string ChoicesMark => Choices.Count == 0 ? string.Empty : $" [options: {string.Join(", ", Choices)}]";

    private string DefaultMark => Default is null ? string.Empty : $" [default: {Default}]";

    // From the command line to the plan.

    /// <summary>Throws a <see cref="BenchmarkException"/> if the value is not valid.</summary>
    public Func<RunPlan, string, RunPlan> Apply { get; init; } = static (plan, _) => plan;

    /// <summary>Called after all given options, if this one is not given; null if the plan's own default applies.</summary>
    public Func<RunPlan, RunPlan>? ApplyDefault { get; init; }

    public IReadOnlyList<Requirement> Requirements { get; init; } = [];

    /// <summary>Of an option of a test. What other options exclude is in the table of <c>OptionRules</c>.</summary>
    public IReadOnlyList<(string Name, string Reason)> Excludes { get; init; } = [];

    public string? RequiresOption { get; init; }

    /// <summary>
    /// The option whose value this one writes in another way. Its rules hold for this one, both together are not valid, and a plan is printed with it, unless
    /// only this one has the same value in all compared plans.
    /// </summary>
    public string? InPlaceOf { get; init; }

    public bool TakesSeveral { get; init; }

    public bool IsOfComparison { get; init; }

    public bool IsOfLastingLoad { get; init; }

    public bool RequiresBothSides { get; init; }

    // From the plan to the command in a result.

    /// <summary>Any text for a flag that is set; null if the command does not contain the option.</summary>
    public Func<RunPlan, string?> Text { get; init; } = static _ => null;

    /// <summary>The arguments, if there are several values or other options with them; null for the name and <see cref="Text"/>.</summary>
    public Func<RunPlan, IEnumerable<string>>? Print { get; init; }

    public bool OmitsDefault { get; init; }

    /// <summary>The capability of the library without which the command does not contain the option.</summary>
    public LibraryCapability Requires { get; init; }

    public bool IsForBenchmark { get; init; }

    // From the command to the key of a comparison.

    /// <summary>Only launches with the same words in the key are compared. Null if the value makes no difference to the work of the library.</summary>
    public Func<string, string>? Key { get; init; }

    /// <summary>Gets the reason, such as "requires -P Tcp"; null if the option is applicable.</summary>
    public string? NotApplicable(RunPlan plan) => Requirements.FirstOrDefault(requirement => !requirement.IsMet(plan))?.Text;

    public string FormatValues(IEnumerable<RunPlan> plans) => PlanValues.ListText(plans.Select(plan => Text(plan) ?? None).Distinct());

    public string DescribeValue(RunPlan plan)
    {
        string text = Text(plan) ?? None;
        return Key is null ? text : Key(text);
    }

    public string Describe(IEnumerable<string> remarks)
    {
        string requirement = IsOfComparison ? RequiredComparison : RequiresOption is null ? string.Empty : $"requires {RequiresOption}";
        string several = TakesSeveral ? "several values are compared" : string.Empty;
        IEnumerable<string> parts = [Help, several, requirement, Details, .. Requirements.Select(required => required.Text), .. remarks];
        return $"{string.Join("; ", parts.Where(part => part.Length > 0))}{ChoicesMark}{DefaultMark}";
    }

    public IEnumerable<string> ArgumentsOf(RunPlan plan) =>
        NotApplicable(plan) is not null || InPlaceOf is not null ? []
        : Print is not null ? Print(plan)
        : Text(plan) is not { } text || (OmitsDefault && text == Default) ? []
        : Kind == OptionKind.Flag ? [Name]
        : [Name, text];

    public static PlanOption ForTest(string test, WorkloadOption option) => new(option.Name, option.Help)
    {
        Kind = option.IsFlag ? OptionKind.Flag : OptionKind.Value,
        ValueName = option.ValueName,
        Choices = option.Choices,
        Details = option.Details,
        Default = option.Default,
        Apply = option.Apply,
        ApplyDefault = option.Default is not { } value ? null : plan => plan.Test == test ? option.Apply(plan, value) : plan,
        Requirements = [new Requirement($"requires -t {test}", plan => plan.Test == test)],
        Excludes = option.Excludes,
        Text = plan => plan.WorkloadOptions.GetValueOrDefault(option.Name),
        Key = text => option.IsFlag ? option.Name : $"{option.Name} {text}",
    };

    // Texts and not values of a type parameter: a generic method is compiled again for each type of value, which delays each start.
    public static PlanOption Create(string name, string? alias, string help, Func<RunPlan, string?> get, Func<RunPlan, string, RunPlan> set) =>
        new(name, help) { Alias = alias, DefaultOf = () => get(DefaultPlan), Apply = set, Text = get };

    public static PlanOption Number(
        string name, string? alias, string help, int min, int max, Func<RunPlan, int> get, Func<RunPlan, int, RunPlan> set) =>
        Create(
            name, alias, help, plan => get(plan).ToString(CultureInfo.InvariantCulture),
            (plan, text) => set(plan, OptionValues.WholeNumber(name, text, min, max)));

    public static PlanOption Seconds(
        string name, string? alias, string help, double min, Func<RunPlan, TimeSpan> get, Func<RunPlan, TimeSpan, RunPlan> set) =>
        Create(
            name, alias, help, plan => get(plan).TotalSeconds.ToString(CultureInfo.InvariantCulture),
            (plan, text) => set(plan, PlanValues.Seconds(name, text, min, PlanLimits.MaxSeconds))) with
        { ValueName = "TIME" };

    public static PlanOption Choice(
        string name, string? alias, string help, IReadOnlyCollection<string> choices, Func<RunPlan, string?> get, Func<RunPlan, string, RunPlan> set) =>
        Create(name, alias, help, get, (plan, text) => set(plan, OptionValues.Choice(name, text, choices))) with { Choices = choices };

    public static PlanOption Flag(string name, string help, Func<RunPlan, bool> get, Func<RunPlan, RunPlan> set) =>
        new(name, help) { Kind = OptionKind.Flag, Apply = (plan, _) => set(plan), Text = plan => get(plan) ? string.Empty : null };

    public static PlanOption[] Grouped(OptionGroup group, params PlanOption[] options) =>
        Array.ConvertAll(options, option => option with { Group = group });
}

/// <param name="Text">For the help, and for the error after the option's name, such as "requires -P Tcp".</param>
internal sealed record Requirement(string Text, Func<RunPlan, bool> IsMet);

/// <summary>In the order of the help text.</summary>
internal enum OptionGroup
{
    Load,
    Library,
    Streams,
    Impairment,
    Processes,
    Hosts,
    Output,
}

internal enum OptionKind
{
    Value,

    OptionalValue,

    /// <summary>One value for each time that the option is given.</summary>
    Values,
    Flag,
}

internal enum LibraryCapability
{
    None,
    TunedProfile,
    ServerThreads,
    ClientThreads,
}
