using System.Collections.ObjectModel;
using NetCoreNetworkBenchmark.Cli.Requests;

namespace NetCoreNetworkBenchmark.Cli.Checks;

/// <summary>The rules between options, which need no more than the command line and the descriptors.</summary>
/// <param name="load">The options of a load, which are part of <paramref name="options"/>.</param>
internal sealed class OptionRules(
    IReadOnlyCollection<PlanOption> options, IReadOnlyCollection<PlanOption> load, Role role, IWorkload? workload, CliRequest request)
{
    private const string MutualTls = "--mutual-tls";
    private const string WhyNone = "nothing is measured";
    private const string OneValue = "several values require a run that starts both sides, such as -l ENet,LiteNetLib -c 100. Use one value here.";
    private const string OneRun = "is for one run of one load, or for --launches. Run each library or load alone.";

    // The options of a measurement have no effect on what ends before one.
    private static readonly string[] s_measured =
    [
        RunOptions.Benchmark.Name, RunOptions.Sweep.Name, RunOptions.Role.Name, RunOptions.Launches.Name, RunOptions.Output.Name, RunOptions.Force.Name,
        RunOptions.Json.Name, RunOptions.Continue.Name,
    ];

    private static readonly Exclusion[] s_exclusions =
    [
        new([LoadOptions.RateName, LoadOptions.RatePerClientName], [LoadOptions.MessagesName], "an open loop has no limit of messages in flight"),
        new([LoadOptions.ThinkName], [LoadOptions.RateName], "an open loop does not wait for answers"),
        new([LoadOptions.PayloadName], [LoadOptions.SizeName, LoadOptions.MessageLoadName], "size and content are those of the recorded messages"),
        new([StreamOptions.KeyName], [StreamOptions.CertificateName], "the certificate that you pass has its own key type"),
        new([RunOptions.Benchmark.Name], [RunOptions.Sweep.Name], "its loads are predefined"),
        new([RunOptions.Sweep.Name], [RunOptions.Launches.Name], "each step has fresh processes"),
        new([RunOptions.List.Name, RunOptions.ListNetworks.Name, RunOptions.HostsCheck.Name, RunOptions.Undeploy.Name], s_measured, WhyNone),
        new([RunOptions.List.Name], [RunOptions.HostsCheck.Name, RunOptions.Undeploy.Name], $"{RunOptions.List.Name} is for this machine"),
        new([RunOptions.ListNetworks.Name], [RunOptions.List.Name], "each is a list"),
        new([RunOptions.ListNetworks.Name], [RunOptions.HostsCheck.Name, RunOptions.Undeploy.Name], WhyNone),
        new([RunOptions.HostsCheck.Name], [RunOptions.Undeploy.Name], "it needs the program there"),
        new([RunOptions.Precision.Name, RunOptions.Time.Name], [RunOptions.Launches.Name], "it fixes the number of sets"),
        new([RunOptions.LiveName], [RunOptions.Benchmark.Name, RunOptions.Versions.Name], "its slices are shorter than a second"),
    ];

    public void Check()
    {
        IReadOnlyDictionary<string, string> excluded = workload?.ExcludedOptions ?? ReadOnlyDictionary<string, string>.Empty;
        CliAction action = request.Action;
        bool isRateSweep = request is { Action: CliAction.Sweep, Sweep: SweepVariable.Rate };
        bool isOneRun = request is { Action: CliAction.Run or CliAction.Client, Launches: null, IsComparison: false };
        bool isInSlices = request.IsComparison || action == CliAction.Regress;
        bool takesSeveral = action is CliAction.Run or CliAction.Benchmark
            || (action == CliAction.Sweep && request.Varied.All(option => option.Name == LibraryOptions.LibraryName));

        // A run with both sides makes its clients' certificates. A side that was started by hand uses the user's: no key is handed over between hosts.
        bool isAlone = action is CliAction.Server or CliAction.Client;
        bool hasCertificate = request.Plan.Tls.CertificateFile is not null;
        string side = action == CliAction.Server ? "server" : "client";

        // The predefined benchmark has loads of its own, and a list has none.
        PlanOption? chosen = Array.Find([RunOptions.List, RunOptions.ListNetworks, RunOptions.Benchmark], IsGiven);
        Rule.Check(
        [
            .. from name in excluded.Keys
               select Refuse(options, option => IsFor(option, name), () => $"is not applicable to -t {workload!.Name}: {excluded[name]}."),
            .. options.Where(IsGiven).SelectMany(RulesOf),
            Refuse(LoadOptions.ClientsName, action == CliAction.Sweep && !isRateSweep, () =>
                $"cannot be combined with {RunOptions.Sweep.Name}: the search chooses the number."),
            Refuse(LoadOptions.ThinkName, isRateSweep, () => $"cannot be combined with {RunOptions.Sweep.Name}: its rates are those of an open loop."),
            Refuse(RunOptions.Sweep.Name, isRateSweep && excluded.ContainsKey(LoadOptions.RateName), () =>
                $"is not applicable to -t {workload!.Name}: {excluded[LoadOptions.RateName]}. Use {RunOptions.Sweep.Name} clients."),
            Refuse(options, option => option.RequiresBothSides && role != Role.Both, () => $"requires {RunOptions.Role.Name} {Role.Both}."),
            new(RuntimeOptions.Name, request.RuntimeVariants.Count > 1 && action != CliAction.Run, () => OneValue),
            .. request.Varied.Select(option => new Rule(option.Name, !takesSeveral, () => OneValue)),
            Refuse(options, option => option.IsOfComparison && !isInSlices && action != CliAction.Benchmark, () => $"{PlanOption.RequiredComparison}."),
            Refuse(LoadOptions.LimitName, action == CliAction.Regress, () => $"has no effect with {RegressOptions.CommandName}. Omit it."),
            Refuse(RunOptions.LiveName, request.IsComparison, () => "has no effect with several values to compare. Omit it."),
            new(LoadOptions.RateName, !isOneRun && request.Plans.Any(plan => plan.LastRate is not null), () =>
                "steps are for one run of one load. Use one rate here, such as --rate 1000."),

            // A slice without an answer is left out: those in an outage, and all of a client that does not survive.
            new(ImpairmentOptions.RoamName, isInSlices && request.Plans.Any(plan => plan.Impairment.Roam is not null), () => $"a new address {OneRun}"),
            new(ImpairmentOptions.OutageName, isInSlices && request.Plans.Any(plan => plan.Impairment.Outage is not null), () => $"an outage {OneRun}"),
            Refuse(MutualTls, isAlone && !hasCertificate, () =>
                $"with {RunOptions.Role.Name} {action} requires {StreamOptions.CertificateName} {side}.crt {StreamOptions.CertificateKeyName} {side}.key. " +
                    "The command 'certificates' writes both files."),
            Refuse(StreamOptions.CertificateName, action == CliAction.Client && !request.Plan.Tls.Mutual, () =>
                $"with {RunOptions.Role.Name} {action} requires {MutualTls}. Use {StreamOptions.AuthorityName} PEM to trust the certificate of the server."),
            Refuse(MutualTls, !isAlone && hasCertificate, () =>
                $"cannot be combined with {StreamOptions.CertificateName}: the authority of this certificate signs none for the clients of a run."),
            new(LibraryOptions.LibraryName, request.BenchmarkPart.OnlyLibrary is not null && request.Plans.Count > 1, () =>
                $"-b{request.BenchmarkPart.Suffix} compares the settings of one library. Use one."),
            Refuse(
                load,
                option => chosen is not null && option.Name != LibraryOptions.LoadName && !(option.IsForBenchmark && chosen == RunOptions.Benchmark),
                () => $"has no effect with {chosen!.Name}. Omit it."),
        ]);
    }

    // What the descriptor of an option that is given requires, and which others it excludes. A test's options have exclusions of their own.
    private IEnumerable<Rule> RulesOf(PlanOption option) =>
    [
        Refuse(option.Name, option.RequiresOption is { } required && Given(required) is null, () => $"requires {DescribeRequired(option.RequiresOption!)}."),
        Refuse(option.Name, option.InPlaceOf is { } other && request.IsGiven(other), () =>
            $"cannot be combined with {option.InPlaceOf}: both set the same value."),
        .. from exclusion in s_exclusions
           where exclusion.Options.Contains(option.Name)
           from name in exclusion.Others
           select Exclude(option, name, exclusion.Reason),
        .. option.Excludes.Select(exclusion => Exclude(option, exclusion.Name, exclusion.Reason)),
    ];

    private Rule Exclude(PlanOption option, string name, string reason) =>
        Refuse(option.Name, Given(name) is not null, () => $"cannot be combined with {Given(name)!.Name}: {reason}.");

    private string DescribeRequired(string name)
    {
        PlanOption[] valid = [.. options.Where(option => IsFor(option, name))];
        string example = valid[0].Example is { } value ? $", such as {name} {value}" : string.Empty;
        return $"{OptionValues.Or([.. valid.Select(option => option.Usage)])}{example}";
    }

    private Rule Refuse(string name, bool isRefused, Func<string> predicate) => Rule.Refuse(name, isRefused && request.IsGiven(name), predicate);

    private Rule Refuse(IEnumerable<PlanOption> candidates, Func<PlanOption, bool> isRefused, Func<string> predicate)
    {
        PlanOption? refused = candidates.FirstOrDefault(option => IsGiven(option) && isRefused(option));
        return Rule.Refuse(refused?.Name ?? string.Empty, refused is not null, predicate);
    }

    private PlanOption? Given(string name) => options.FirstOrDefault(option => IsFor(option, name) && IsGiven(option));

    private bool IsGiven(PlanOption option) => request.IsGiven(option.Name);

    private static bool IsFor(PlanOption option, string name) => option.Name == name || option.InPlaceOf == name;

    private sealed record Exclusion(string[] Options, string[] Others, string Reason);
}
