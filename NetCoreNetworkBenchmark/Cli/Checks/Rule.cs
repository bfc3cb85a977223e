namespace NetCoreNetworkBenchmark.Cli.Checks;

/// <summary>A row of a table of rules. The first row that is broken is the error.</summary>
/// <param name="Error">Called only if the rule is broken; so are the sentences of the other constructors.</param>
internal sealed record Rule(bool IsBroken, Func<BenchmarkException> Error)
{
    /// <param name="option">The option whose value is rejected.</param>
    public Rule(string option, bool isBroken, Func<string> sentence)
        : this(isBroken, () => OptionValues.Rejected(option, sentence()))
    {
    }

    /// <param name="found">The error by a rule of a library or of the machine; null if there is none.</param>
    public Rule(BenchmarkException? found)
        : this(found is not null, () => found!)
    {
    }

    /// <summary>Creates the rule of an option that is refused with any value.</summary>
    /// <param name="clause">What follows the option, such as "has no effect with --list. Omit it.".</param>
    public static Rule Refuse(string option, bool isBroken, Func<string> clause) =>
        new(isBroken, () => BenchmarkException.BadInput($"{option} {clause()}"));

    public static void Check(IEnumerable<Rule> table)
    {
        if (table.FirstOrDefault(rule => rule.IsBroken) is { } broken)
        {
            throw broken.Error();
        }
    }
}
