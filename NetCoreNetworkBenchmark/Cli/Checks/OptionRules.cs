using System.Collections.ObjectModel;
using NetCoreNetworkBenchmark.Cli.Requests;

namespace NetCoreNetworkBenchmark.Cli.Checks;

/// <summary>The rules between options, which need no more than the command line and the descriptors.</summary>
internal static class OptionRules
{
    /// <param name="load">The options of a load, which are part of <paramref name="options"/>.</param>
    public static void Check(
        IReadOnlyCollection<PlanOption> options, IReadOnlyCollection<PlanOption> load, GivenOptions given, IWorkload? workload, CliRequest request)
    {
        bool IsGiven(string name) => given.Arguments(name) is not null;
        foreach ((string name, string reason) in workload?.ExcludedOptions ?? ReadOnlyDictionary<string, string>.Empty)
        {
            PlanCheck.ThrowIf(PlanOptions.Given(options, name, IsGiven) is not { } excluded ? null
                : BenchmarkException.BadInput($"{excluded.Name} is not applicable to -t {workload!.Name}: {reason}."));
        }

        PlanOptions.ValidateCombination(options, IsGiven);
        CheckSweep(options, IsGiven, workload, request);

        // Some options start separate processes for both sides.
        bool isOneSide = RunOptions.RoleOf(given) != Role.Both;
        Refuse(options.FirstOrDefault(option => isOneSide && option.RequiresBothSides && given.Has(option)), $"requires {RunOptions.Role.Name} {Role.Both}.");
        string? varied = request.RuntimeVariants.Count > 1 ? RuntimeOptions.Name
            : request.Action == CliAction.Benchmark ? null
            : request.Varied is [var first, ..] ? first.Name
            : null;
        bool isSweptLibrary = request.Action == CliAction.Sweep && request.Varied.All(option => option.Name == LibraryOptions.LibraryName)
            && request.RuntimeVariants.Count == 1;
        PlanCheck.ThrowIf(varied is null || request.Action == CliAction.Run || isSweptLibrary ? null : OptionValues.Rejected(
            varied, "several values require a run that starts both sides, such as -l ENet,LiteNetLib -c 100. Use one value here."));
        Refuse(
            request.IsComparison || request.Action is CliAction.Benchmark or CliAction.Regress
                ? null
                : options.FirstOrDefault(option => option.IsOfComparison && given.Has(option)),
            $"{PlanOption.RequiredComparison}.");
        Refuse(
            request.Action == CliAction.Regress ? load.FirstOrDefault(option => option.Name == LoadOptions.LimitName && given.Has(option)) : null,
            $"has no effect with {RegressOptions.CommandName}. Omit it.");
        Refuse(request is { Live: true, IsComparison: true } ? RunOptions.Live : null, "has no effect with several values to compare. Omit it.");
        bool isOneRun = request is { Action: CliAction.Run or CliAction.Client, Launches: null, IsComparison: false };
        PlanCheck.ThrowIf(isOneRun || request.Plans.All(plan => plan.LastRate is null) ? null
            : OptionValues.Rejected(LoadOptions.RateName, "steps are for one run of one load. Use one rate here, such as --rate 1000."));

        // A slice without an answer is left out: those in an outage, and all of a client that does not survive.
        bool isInSlices = request.IsComparison || request.Action == CliAction.Regress;
        (string Name, string What)? alone = !isInSlices ? null
            : request.Plans.Any(plan => plan.Impairment.Roam is not null) ? (ImpairmentOptions.RoamName, "a new address")
            : request.Plans.Any(plan => plan.Impairment.Outage is not null) ? (ImpairmentOptions.OutageName, "an outage")
            : null;
        PlanCheck.ThrowIf(alone is not { } refused ? null : OptionValues.Rejected(
            refused.Name, $"{refused.What} is for one run of one load, or for --launches. Run each library or load alone."));
        PlanCheck.CheckCertificates(request.Action, request.Plan.Tls);

        // The predefined benchmark has loads of its own, and a list has none.
        PlanOption? chosen = Array.Find([RunOptions.List, RunOptions.ListNetworks, RunOptions.Benchmark], given.Has);
        PlanCheck.ThrowIf(request.BenchmarkPart.OnlyLibrary is null || request.Plans.Count == 1 ? null : OptionValues.Rejected(
            LibraryOptions.LibraryName, $"-b{request.BenchmarkPart.Suffix} compares the settings of one library. Use one."));
        Refuse(
            chosen is null ? null : load.FirstOrDefault(option =>
                given.Has(option) && option.Name != LibraryOptions.LoadName && (chosen != RunOptions.Benchmark || !option.IsForBenchmark)),
            $"has no effect with {chosen?.Name}. Omit it.");
    }

    private static void CheckSweep(IReadOnlyCollection<PlanOption> options, Func<string, bool> isGiven, IWorkload? workload, CliRequest request)
    {
        (string, string)[] excluded = request switch
        {
            { Action: not CliAction.Sweep } => [],
            { Sweep: SweepVariable.Clients } => [(LoadOptions.ClientsName, "the search chooses the number")],
            _ => [(LoadOptions.ThinkName, "its rates are those of an open loop")],
        };
        foreach ((string name, string reason) in excluded)
        {
            Refuse(options.FirstOrDefault(option => option.Name == name && isGiven(name)), $"cannot be combined with {RunOptions.Sweep.Name}: {reason}.");
        }

        PlanCheck.ThrowIf(request is not { Action: CliAction.Sweep, Sweep: SweepVariable.Rate }
            || workload?.ExcludedOptions.TryGetValue(LoadOptions.RateName, out string? why) != true
            ? null
            : BenchmarkException.BadInput($"{RunOptions.Sweep.Name} is not applicable to -t {workload!.Name}: {why}. Use {RunOptions.Sweep.Name} clients."));
    }

    private static void Refuse(PlanOption? option, string fault) =>
        PlanCheck.ThrowIf(option is null ? null : BenchmarkException.BadInput($"{option.Name} {fault}"));
}
