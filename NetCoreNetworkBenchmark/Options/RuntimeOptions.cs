using System.Text.RegularExpressions;

namespace NetCoreNetworkBenchmark.Options;

internal static partial class RuntimeOptions
{
    public const string Name = "--runtime";

    private const int MaxVariants = 12;

    private static readonly string[] s_switches =
    [
        "gcServer", "gcConcurrent", "GCDynamicAdaptationMode", "TieredCompilation", "TieredPGO", "TC_QuickJit", "TC_QuickJitForLoops", "ReadyToRun",
        "SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS",
    ];

    public static PlanOption Runtime { get; } = new(Name, ".NET runtime setting of the measuring processes, such as gcServer=1")
    {
        Details = "repeatable; numbers are hexadecimal, as .NET reads them: GCHeapCount=10 is 16; several values, such as gcServer=0,1, are compared; " +
            "also with -b, one value each",
        Kind = OptionKind.Values,
        ValueName = "NAME=VALUE",
        Choices = RuntimePlan.Names,
        Group = OptionGroup.Processes,
        IsForBenchmark = true,
        RequiresBothSides = true,
        Apply = (plan, text) => plan with { Runtime = With(plan.Runtime, text) },
        Text = plan => plan.Runtime.WithoutLessCompilation() is { IsNone: false } chosen ? chosen.ToString() : null,
        Print = plan => plan.Runtime.Settings.SelectMany(setting => (string[])[Name, $"{setting.Key}={setting.Value}"]),
        Key = text => text,
    };

    /// <returns>The first plan has the first value of each setting.</returns>
    public static IReadOnlyList<RuntimePlan> VariantsOf(IEnumerable<string> texts)
    {
        IReadOnlyList<RuntimePlan> variants = [new RuntimePlan()];
        foreach ((string name, string[] values) in texts.Select(Read))
        {
            if (variants[0].Settings.ContainsKey(name))
            {
                throw OptionValues.Rejected(Name, $"{name} is given twice. Use one list, such as {name}=0,1.");
            }

            variants = [.. from variant in variants from value in values select variant.With(name, value)];
        }

        return variants.Count <= MaxVariants
            ? variants
            : throw OptionValues.Rejected(Name, $"at most {MaxVariants} combinations of values are supported; {variants.Count} were requested.");
    }

    public static IEnumerable<string> ArgumentsOf(IReadOnlyList<RuntimePlan> variants) => variants[0].Settings.Keys.SelectMany(
        name => (string[])[Name, $"{name}={string.Join(',', variants.Select(variant => variant.Settings[name]).Distinct())}"]);

    public static IEnumerable<string> NotesOf(IReadOnlyList<RuntimePlan> variants) =>
        from setting in variants.SelectMany(variant => variant.Settings).Distinct()
        let number = ulong.Parse(setting.Value, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture)
        where number > 9
        select string.Create(CultureInfo.InvariantCulture, $"{setting.Key}={setting.Value} is hexadecimal, as .NET reads it: {number:N0} in decimal.");

    private static RuntimePlan With(RuntimePlan plan, string text)
    {
        (string name, string[] values) = Read(text);
        return plan.With(name, values[0]);
    }

    private static (string Name, string[] Values) Read(string text)
    {
        if (text.Split('=', 2) is not [var name, { Length: > 0 } values])
        {
            throw OptionValues.Invalid(Name, text, "NAME=VALUE, such as gcServer=1, or gcServer=0,1 to compare two values");
        }

        name = OptionValues.Choice(Name, name, RuntimePlan.Names);
        string[] choices = values.Split(',');
        bool isSwitch = s_switches.Contains(name);
        return choices.FirstOrDefault(value => isSwitch ? value is not ("0" or "1") : !Hexadecimal().IsMatch(value)) is { } wrong
            ? throw OptionValues.Invalid(Name, wrong, isSwitch ? $"0 or 1, the values of {name}" : "a number of 1 to 16 hexadecimal digits, such as 10 for 16")
            : choices.Distinct().Count() < choices.Length
                ? throw OptionValues.Rejected(Name, $"\"{text}\" has a value twice. Use different values.")
                : (name, choices);
    }

    [GeneratedRegex("^[0-9A-Fa-f]{1,16}\\z")]
    private static partial Regex Hexadecimal();
}
