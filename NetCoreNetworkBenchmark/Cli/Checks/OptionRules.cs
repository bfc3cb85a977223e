using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Checks;

/// <summary>The rules between options, which need no more than the command line and the descriptors.</summary>
internal sealed class OptionRules(IEnumerable<PlanOption> options, IWorkload? workload, CliRequest request)
{
    private const string OneValue = "several values require a run that starts both sides, such as -l ENet,LiteNetLib -c 100. Use one value here.";
    private const string OneRun = "is for one run of one load, or for --launches. Run each library or load alone.";

    private readonly PlanOption[] _given = [.. options.Where(option => request.IsGiven(option.Name))];

    /// <summary>The options that exclude each other. Those of a test are in its description.</summary>
    public static IReadOnlyList<(string[] Options, string[] Others, string Reason)> Exclusions { get; } =
    [
        (["--rate"], ["--messages"], "an open loop has no limit of messages in flight"),
        (["--think"], ["--rate"], "an open loop does not wait for answers"),
        (["--payload"], ["--size", "--messageload"], "size and content are those of the recorded messages"),
        (["--key"], ["--certificate"], "the certificate that you pass has its own key type"),
        (["--benchmark"], ["--sweep"], "its loads are predefined"),
        (["--sweep"], ["--launches"], "each step has fresh processes"),
        (["--precision", "--time"], ["--launches"], "it fixes the number of sets"),
        (["--live"], ["--benchmark", "--versions"], "its slices are shorter than a second"),
        (
            ["--list", "--list-networks", "--hosts-check", "--undeploy"],
            ["--benchmark", "--sweep", "--role", "--launches", "--output", "--force", "--json", "--continue"],
            "nothing is measured"),
        (["--list"], ["--hosts-check", "--undeploy"], "--list is for this machine"),
        (["--list-networks"], ["--list"], "each is a list"),
        (["--list-networks"], ["--hosts-check", "--undeploy"], "nothing is measured"),
        (["--hosts-check"], ["--undeploy"], "it needs the program there"),
    ];

    public void Check()
    {
        IReadOnlyDictionary<string, string> excluded = PlanArguments.ExcludedBy(workload);
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
        PlanOption? chosen = Array.Find([RunOptions.List, RunOptions.ListNetworks, RunOptions.Benchmark], option => request.IsGiven(option.Name));
        Rule.Check(
        [
            .. excluded.Keys.SelectMany(name => Refuse(option => IsFor(option, name), () => $"is not applicable to -t {workload!.Name}: {excluded[name]}.")),
            .. _given.SelectMany(RulesOf),
            Refuse("--clients", action == CliAction.Sweep && !isRateSweep, () => "cannot be combined with --sweep: the search chooses the number."),
            Refuse("--think", isRateSweep, () => "cannot be combined with --sweep: its rates are those of an open loop."),
            Refuse("--sweep", isRateSweep && excluded.ContainsKey("--rate"), () =>
                $"is not applicable to -t {workload!.Name}: {excluded["--rate"]}. Use --sweep clients."),
            .. Refuse(option => option.RequiresBothSides && request.Role != Role.Both, () => "requires --role Both."),
            new("--runtime", request.RuntimeVariants.Count > 1 && action != CliAction.Run, () => OneValue),
            .. request.Varied.Select(option => new Rule(option.Name, !takesSeveral, () => OneValue)),
            .. Refuse(option => option.IsOfComparison && !isInSlices && action != CliAction.Benchmark, () => $"{PlanOption.RequiredComparison}."),
            Refuse("--limit", action == CliAction.Regress, () => "has no effect with regress. Omit it."),
            Refuse("--duration", action == CliAction.Regress, () => "has no effect with regress. Use --rounds and --slice."),
            Refuse("--iterations", isInSlices, () => "has no effect in slices. Omit it."),
            Refuse("--live", request.IsComparison, () => "has no effect with several values to compare. Omit it."),
            new("--rate", !isOneRun && request.Plans.Any(plan => plan.LastRate is not null), () =>
                "steps are for one run of one load. Use one rate here, such as --rate 1000."),

            // A slice without an answer is left out: those in an outage, and all of a client that does not survive.
            new("--roam", isInSlices && request.Plans.Any(plan => plan.Impairment.Roam is not null), () => $"a new address {OneRun}"),
            new("--outage", isInSlices && request.Plans.Any(plan => plan.Impairment.Outage is not null), () => $"an outage {OneRun}"),
            Refuse("--mutual-tls", isAlone && !hasCertificate, () =>
                $"with --role {action} requires --certificate {side}.crt --certificate-key {side}.key. The command 'certificates' writes both files."),
            Refuse("--certificate", action == CliAction.Client && !request.Plan.Tls.Mutual, () =>
                "with --role Client requires --mutual-tls. Use --authority PEM to trust the certificate of the server."),
            Refuse("--mutual-tls", !isAlone && hasCertificate, () =>
                "cannot be combined with --certificate: the authority of this certificate signs none for the clients of a run."),
            new("--library", request.BenchmarkPart.OnlyLibrary is not null && request.Plans.Count > 1, () =>
                $"-b{request.BenchmarkPart.Suffix} compares the settings of one library. Use one."),
            .. Refuse(option => chosen is not null && HasNoEffect(option, chosen), () => $"has no effect with {chosen!.Name}. Omit it."),
        ]);
    }

    // What the descriptor of a given option requires, and which others it excludes.
    private IEnumerable<Rule> RulesOf(PlanOption option) =>
    [
        Refuse(option.Name, option.RequiresOption is { } required && Given(required) is null, () => $"requires {DescribeRequired(option.RequiresOption!)}."),
        Refuse(option.Name, option.InPlaceOf is { } other && request.IsGiven(other), () =>
            $"cannot be combined with {option.InPlaceOf}: both set the same value."),
        .. from exclusion in Exclusions
           where exclusion.Options.Any(name => IsFor(option, name))
           from name in exclusion.Others
           select Exclude(option, name, exclusion.Reason),
        .. option.Excludes.Select(exclusion => Exclude(option, exclusion.Name, exclusion.Reason)),
    ];

    private Rule Exclude(PlanOption option, string name, string reason) =>
        Refuse(option.Name, Given(name) is not null, () => $"cannot be combined with {Given(name)!.Name}: {reason}.");

    private Rule Refuse(string name, bool isRefused, Func<string> clause) => Rule.Refuse(name, isRefused && request.IsGiven(name), clause);

    private IEnumerable<Rule> Refuse(Func<PlanOption, bool> isRefused, Func<string> clause) =>
        _given.Where(isRefused).Select(option => Rule.Refuse(option.Name, true, clause));

    private string DescribeRequired(string name)
    {
        PlanOption[] valid = [.. options.Where(option => IsFor(option, name))];
        string example = valid[0].Example is { } value ? $", such as {name} {value}" : string.Empty;
        return $"{OptionValues.Or([.. valid.Select(option => option.Usage)])}{example}";
    }

    private static bool HasNoEffect(PlanOption option, PlanOption chosen) => RunOptions.All.All(other => other.Name != option.Name)
        && option.Name != LibraryOptions.LoadName && !(option.IsForBenchmark && chosen.Name == RunOptions.Benchmark.Name);

    private PlanOption? Given(string name) => Array.Find(_given, option => IsFor(option, name));

    // --rate-per-client sets the value of --rate in another way, and --rtt that of --delay: a rule for one is a rule for the other.
    private static bool IsFor(PlanOption option, string name) => option.Name == name || option.InPlaceOf == name;
}
