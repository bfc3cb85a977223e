using System.Collections.ObjectModel;

namespace NetCoreNetworkBenchmark.Running.Outcome;

/// <summary>A result quotes the command line, and a child process is started with it.</summary>
internal static class PlanArguments
{
    public static IReadOnlyList<string> From(RunPlan plan, LibraryInfo library, IWorkload? workload = null)
    {
        LibraryInfo there = library.Over(plan.Protocol);
        return From(plan, PlanOptions.All.Where(option => Accepts(option, there, workload)));
    }

    /// <param name="library">The server's library, as driven by the clients' library.</param>
    /// <param name="workload">The test, which accepts only some options; null to name the options of any test.</param>
    public static string CommandOf(RunPlan plan, LibraryInfo library, IWorkload? workload = null, params IEnumerable<string> more) =>
        Command([.. From(plan, library, workload), .. more]);

    /// <summary>The arguments request all plans together. The library of <c>--client-library</c> itself has no other clients.</summary>
    public static IReadOnlyList<string> OfAll(
        IReadOnlyList<(RunPlan Plan, LibraryInfo Library, IWorkload Workload)> plans, IReadOnlyCollection<string> varied, params string[] omitted) =>
    [
        .. PlanOptions.All.Where(option => !omitted.Contains(option.Name)).SelectMany(option => varied.Contains(option.Name)
            || IsCommonInPlace(option, [.. plans.Select(load => load.Plan)], varied)
            ? [option.Name, option.FormatValues(plans.Select(load => load.Plan))]
            : Common(option,
            [
                .. from load in plans
                   where option.Name != StreamOptions.ClientLibraryName || load.Plan.ClientLibrary is not null
                   select Accepts(option, load.Library.Over(load.Plan.Protocol), load.Workload) ? option.ArgumentsOf(load.Plan) : [],
            ])),
        .. OfWorkload(plans[0].Plan),
    ];

    public static string CommandOfSweep(
        IReadOnlyList<(RunPlan Plan, LibraryInfo Library, IWorkload Workload)> plans, SweepVariable variable, double? ratePerClient)
    {
        string[] varied = plans.Count > 1 ? [LibraryOptions.LibraryName] : [];
        if (variable == SweepVariable.Rate)
        {
            return Command([.. OfAll(plans, varied), "--sweep"]);
        }

        string[] names = ratePerClient is null ? [LoadOptions.ClientsName] : [LoadOptions.ClientsName, LoadOptions.RateName];
        string[] rate = ratePerClient is { } each ? [LoadOptions.RatePerClientName, each.ToString(CultureInfo.InvariantCulture)] : [];
        return Command([.. OfAll(plans, varied, names), .. rate, "--sweep", "clients"]);
    }

    /// <summary>The options that are not applicable to a test, with the reason. A search of the most clients has no load that lasts.</summary>
    public static IReadOnlyDictionary<string, string> ExcludedBy(IWorkload? workload)
    {
        var excluded = new Dictionary<string, string>(workload?.ExcludedOptions ?? ReadOnlyDictionary<string, string>.Empty);
        if (workload is { FindsMostClients: true })
        {
            IEnumerable<string> lasting = PlanOptions.All
                .Where(option => option.IsOfLastingLoad || option.Group == OptionGroup.Impairment)
                .Select(option => option.Name);
            foreach (string name in lasting.Concat(["--benchmark", "--launches", "--sweep", "--limit", "--live", "--role"]))
            {
                excluded.TryAdd(name, "the number of clients is the result");
            }
        }

        return excluded;
    }

    public static string Command(IEnumerable<string> arguments) => ShellCommand.Format([ProgramName.Typed, .. arguments]);

    /// <param name="clients">The number at which the search stops; null if the user did not choose one.</param>
    public static string CommandOfCapacitySearch(RunPlan plan, LibraryInfo library, IWorkload workload, int? clients) => Command(OfAll(
        [(plan with { Clients = clients ?? plan.Clients }, library, workload)], [], clients is null ? [LoadOptions.ClientsName] : []));

    // The same rate of each client, where the number of clients varies, is no common rate of all.
    private static bool IsCommonInPlace(PlanOption option, RunPlan[] plans, IReadOnlyCollection<string> varied) =>
        option.InPlaceOf is { } other && !varied.Contains(other)
        && plans.Select(PlanOptions.All.Single(candidate => candidate.Name == other).Text).Distinct().Count() > 1
        && plans.Select(option.Text).Distinct().Count() == 1;

    private static IEnumerable<string> Common(PlanOption option, IEnumerable<string>[] each) =>
        option.Kind == OptionKind.Values ? each.SelectMany(arguments => arguments.Chunk(2)).DistinctBy(pair => (pair[0], pair[1])).SelectMany(pair => pair)
        : each.All(arguments => arguments.SequenceEqual(each[0])) && each.Length > 0 ? each[0]
        : [];

    private static bool Accepts(PlanOption option, LibraryInfo there, IWorkload? workload) =>
        IsMet(option.Requires, there) && !ExcludedBy(workload).ContainsKey(option.Name);

    private static IReadOnlyList<string> From(RunPlan plan, IEnumerable<PlanOption> options) =>
        [.. options.SelectMany(option => option.ArgumentsOf(plan)), .. OfWorkload(plan)];

    private static IEnumerable<string> OfWorkload(RunPlan plan) =>
    [
        .. plan.WorkloadOptions.SelectMany(option => option.Value.Length == 0 ? (string[])[option.Key] : [option.Key, option.Value]),
    ];

    private static bool IsMet(LibraryCapability need, LibraryInfo library) => need switch
    {
        LibraryCapability.TunedProfile => library.HasTunedProfile,
        LibraryCapability.ServerThreads => library.MaxServerThreads != 1,
        LibraryCapability.ClientThreads => library.ClientThreadsByPlan,
        _ => true,
    };
}
