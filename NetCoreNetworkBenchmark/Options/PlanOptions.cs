namespace NetCoreNetworkBenchmark.Options;

/// <summary>In the order in which options are read: some values are valid only with those of options before them, such as the protocol.</summary>
internal static class PlanOptions
{
    // Three sets of as many cases take half an hour.
    private const int MaxPlans = 60;
    private const int DigitsOfPayload = 8;

    /// <summary>Without the names of tests and libraries: to print a plan, or to compare results.</summary>
    public static IReadOnlyList<PlanOption> All { get; } = For([], []);

    /// <param name="libraries">The names of the libraries, including those that are not in this build, to report the reason.</param>
    /// <param name="standard">The test that runs if none is requested; null if the descriptions are not for a command line.</param>
    public static IReadOnlyList<PlanOption> For(IReadOnlyCollection<string> tests, IReadOnlyCollection<string> libraries, string? standard = null) =>
    [
        .. LoadOptions.Test(tests, standard),
        .. LibraryOptions.All(libraries),
        .. LoadOptions.Transport(libraries),
        .. StreamOptions.All(libraries),
        .. LoadOptions.Clients,
        .. LoadOptions.Sending,
        .. ProcessOptions.All,
        RuntimeOptions.Runtime,
        .. HostOptions.All,
        .. LoadOptions.Messages,
        .. LoadOptions.Times,
        .. LoadOptions.Judgement,
        .. ImpairmentOptions.All,
    ];

    public static PlanOption Named(this IEnumerable<PlanOption> options, string name) => options.Single(option => option.Name == name);

    public static IReadOnlyList<PlanOption> Varied(IReadOnlyList<PlanOption> options, Func<PlanOption, IReadOnlyList<string>?> textsOf) =>
        [.. options.Where(option => option.TakesSeveral && textsOf(option) is [var text, ..] && text.Contains(',', StringComparison.Ordinal))];

    public static IReadOnlyList<RunPlan> ReadAll(IReadOnlyList<PlanOption> options, Func<PlanOption, IReadOnlyList<string>?> textsOf)
    {
        IReadOnlyList<PlanOption> varied = Varied(options, textsOf);
        IReadOnlyList<Func<PlanOption, IReadOnlyList<string>?>> combinations = [textsOf];
        foreach (PlanOption option in varied)
        {
            string[] values = PlanValues.List(option.Name, textsOf(option)![0]);
            combinations =
            [
                .. from earlier in combinations
                   from value in values
                   select (Func<PlanOption, IReadOnlyList<string>?>)(other => ReferenceEquals(other, option) ? [value] : earlier(other)),
            ];
            if (combinations.Count > MaxPlans)
            {
                throw OptionValues.Rejected(
                    option.Name,
                    $"at most {MaxPlans} combinations of values are compared; at least {combinations.Count} were requested. Use fewer values.");
            }
        }

        RunPlan[] plans = [.. combinations.Select(texts => Read(options, texts))];
        return varied.FirstOrDefault(option => plans.Select(option.Text).Distinct().Count() <= textsOf(option)![0].Count(c => c == ',')) is { } repeated
            ? throw OptionValues.Rejected(repeated.Name, $"\"{textsOf(repeated)![0]}\" has a value twice. Use different values.")
            : plans;
    }

    public static RunPlan Read(IReadOnlyList<PlanOption> options, Func<PlanOption, IReadOnlyList<string>?> textsOf)
    {
        RunPlan plan = PlanOption.DefaultPlan;
        foreach (PlanOption option in options)
        {
            if (textsOf(option) is { } texts)
            {
                plan = option.NotApplicable(plan) is { } reason
                    ? throw BenchmarkException.BadInput($"{option.Name} {reason}.")
                    : texts.Aggregate(plan, option.Apply);
            }
        }

        return options.Where(option => option.ApplyDefault is not null && textsOf(option) is null)
            .Aggregate(plan, (completed, option) => option.ApplyDefault!(completed));
    }

    public static string DescribeLoad(IReadOnlyList<PlanOption> options, RunPlan plan, string negotiated = "")
    {
        string Words(string separator, params OptionGroup[] groups) => string.Join(
            separator,
            from option in options
            where option.Key is not null && groups.Contains(option.Group)
            from text in FormatValues(option, plan)
            select option.Key!(text));

        string[] parts =
        [
            Words(", ", OptionGroup.Load),

            // The same file may have another path, and a file of the same name other messages.
            plan.Payload is { } payload ? $"payload {payload.Sha256[..DigitsOfPayload]}" : string.Empty,
            Words(", ", OptionGroup.Streams),
            negotiated,
            Words(" ", OptionGroup.Impairment),
            Words(" ", OptionGroup.Library, OptionGroup.Processes, OptionGroup.Hosts),
        ];
        return $"{plan.Protocol.OptionText()} {string.Join(", ", parts.Where(part => part.Length > 0))}";
    }

    // Only the common options are named with their default. The server's own library is the default of the clients' one.
    private static IEnumerable<string> FormatValues(PlanOption option, RunPlan plan)
    {
        string[] arguments = [.. option.ArgumentsOf(plan)];
        return from index in Enumerable.Range(0, arguments.Length)
               where arguments[index] == option.Name
               let text = option.Kind == OptionKind.Flag ? string.Empty : arguments[index + 1]
               where (option.IsCommon || text != option.Default) && !(option.Name == StreamOptions.ClientLibraryName && text == plan.Library)
               select text;
    }
}
