using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Cli.Checks;

/// <param name="ClientLibrary">The library whose clients drive the server; null for the server's own.</param>
internal sealed record CheckedPlan(RunPlan Plan, INetworkBenchmark Library, INetworkBenchmark? ClientLibrary, IWorkload Workload)
{
    private const string Fallback = "Sockets";

    public Fitness? Fitness { get; init; }

    public LibraryInfo Info => Library.Info.DrivenBy(ClientLibrary?.Info, Plan.Protocol);

    public static async Task<CheckedPlan> OfAsync(CliRequest request, Catalog catalog, Action<string> notify, CancellationToken cancellationToken) =>
        (await AllOfAsync(request with { Plans = [request.Plan] }, catalog, notify, cancellationToken))[0];

    public static async Task<IReadOnlyList<CheckedPlan>> AllOfAsync(
        CliRequest request, Catalog catalog, Action<string> notify, CancellationToken cancellationToken)
    {
        var all = new List<CheckedPlan>();
        foreach (RunPlan plan in request.Plans)
        {
            all.Add(await CheckAsync(request with { Plan = plan }, catalog, notify, cancellationToken));
        }

        Fitness fitness = await InspectAsync(all.Select(chosen => chosen.Plan), cancellationToken);
        return [.. all.Select(chosen => chosen with { Fitness = fitness })];
    }

    private static async Task<CheckedPlan> CheckAsync(CliRequest request, Catalog catalog, Action<string> notify, CancellationToken cancellationToken)
    {
        CheckedPlan chosen = OfLibraries(request, catalog, notify);
        PlanCheck.CheckLimits(chosen.Plan, chosen.Info);
        if (request.Action != CliAction.Server)
        {
            bool hasSeparateProcesses = Placement.NeedsProcesses(chosen.Plan) || request.Launches is not null || request.IsComparison
                || request.Action is CliAction.Sweep or CliAction.CapacitySearch;
            PlanCheck.CheckMachine(chosen.Plan, chosen.Info, chosen.Workload, hasSeparateProcesses);
        }

        PlanCheck.CheckServer(chosen.Plan, chosen.Library.Info, catalog);
        IPEndPoint server = await HostNames.ResolveAsync(chosen.Plan, chosen.Library.Info, cancellationToken);
        PlanCheck.CheckLatencyIsKnown(chosen.Plan, chosen.Workload, server.Address);
        return chosen;
    }

    /// <summary>Checks everything but the number of clients.</summary>
    public static CheckedPlan OfLibraries(CliRequest request, Catalog catalog, Action<string> notify)
    {
        RunPlan plan = request.Plan;
        if (!request.HasLibrary && catalog.CreateLibrary(plan.Library) is null)
        {
            notify($"{plan.Library}, the default, is not in this build (--list shows why), so {Fallback} runs instead.");
            plan = plan with { Library = Fallback };
        }

        INetworkBenchmark library = PlanCheck.FindLibrary(catalog, plan.Library);
        PlanCheck.CheckProtocol(plan, library.Info, catalog);

        // Several libraries are compared under one load.
        bool isAlone = request.Plans.All(other => other.Library == request.Plan.Library);
        if (isAlone && !request.IsGiven(LoadOptions.TransmissionName) && library.Info.TransmissionsOver(plan.Protocol) is [var only])
        {
            plan = plan with { Transmission = only.Transmission };
        }

        INetworkBenchmark? clients = PlanCheck.FindClients(plan, library.Info, catalog);
        IEnumerable<string> others = request.Plans.Count == 1 ? [] : request.Plans.Select(other => other.Library);
        IEnumerable<string> running = [library.Info.Name, .. clients is null ? [] : (string[])[clients.Info.Name], .. others];
        PlanCheck.CheckSettingsAreUsed(request.Settings, catalog.KnownLibraries, [.. running.Distinct()]);
        PlanCheck.CheckProfile(library.Info, plan.Profile, plan.Protocol);
        RunCredentials.Check(plan.Tls, request.Action != CliAction.Client && (request.Action != CliAction.Server || plan.Tls.Mutual));
        IWorkload workload = catalog.FindWorkload(plan.Test)!;
        plan = workload.Complete(plan) with
        {
            Settings = SettingsOf(library.Info),
            ClientLibrary = clients?.Info.Name,
            ClientSettings = clients is null ? plan.ClientSettings : SettingsOf(clients.Info),
        };
        var result = new CheckedPlan(plan, library, clients, workload);
        PlanCheck.CheckSides(request, result.Info);
        PlanCheck.CheckMulticast(plan, catalog);
        PlanCheck.CheckNamespacePath(request, plan);
        PlanCheck.CheckLimitsAreMeasured(plan, workload);
        PlanCheck.CheckWireIsCounted(request, plan, workload);
        return result;

        IReadOnlyDictionary<string, string> SettingsOf(LibraryInfo info)
        {
            IReadOnlyDictionary<string, string> values = PlanCheck.ChooseSettings(request.Settings, info, request.Plan.Profile, request.Plan.Protocol);
            PlanCheck.CheckSettingsHaveEffect(request.Settings, info, request.Plan.Protocol);
            return values;
        }
    }

    public static async Task<Fitness> InspectAsync(IEnumerable<RunPlan> plans, CancellationToken cancellationToken)
    {
        RunPlan largest = FitnessInspector.LargestOf(plans);
        return largest.Hosts.IsNone
            ? await FitnessInspector.InspectAsync(largest, cancellationToken)
            : FitnessInspector.Inspect(largest);
    }
}
