using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Sessions;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Checks;

internal static class PredefinedCases
{
    public static IReadOnlyList<SuiteCase> Create(
        CliRequest request, IReadOnlyList<LibraryInfo> libraries, IReadOnlyCollection<string> known, IReadOnlyCollection<IWorkload> tests)
    {
        PlanCheck.CheckCores(request.Plan);
        PlanCheck.CheckBenchmarkPart(request);
        IReadOnlyList<Benchmark> benchmarks = request.BenchmarkPart.Create(
            request.BenchmarkDuration,
            request.Plan.AnyMachine,
            tests,
            [.. request.Plans.Select(plan => plan.Impairment.Network).OfType<string>().Distinct()]);
        LibraryInfo? FastestFor(Benchmark benchmark) => benchmark.SharesClients || benchmark.Template.Protocol.IsStream()
            ? ClientLibraries.FastestOfAll(benchmark.Workload, benchmark.Template.Protocol, libraries)
            : null;
        IReadOnlyList<string>? chosen = LibrariesOf(request);
        string[] running =
        [
            .. libraries.Where(library => benchmarks.Any(benchmark => benchmark.Supports(library, FastestFor(benchmark)))).Select(library => library.Name),
        ];
        Rule.Check((chosen ?? []).Select(name => new Rule(LibraryOptions.LibraryName, !running.Contains(name), () =>
            $"{name} takes no part in -b{request.BenchmarkPart.Suffix} here. Use {OptionValues.Or(running)}.")));

        SuiteCase[] cases =
        [
            .. from benchmark in benchmarks
               let fastest = FastestFor(benchmark)
               from library in libraries
               let isChosen = chosen?.Contains(library.Name) ?? !IsFurtherLine(library, request)
               where benchmark.Supports(library, fastest) && (isChosen || IsBaseline(library, request))
               from profile in ProfilesOf(library, benchmark, request).Take(isChosen ? int.MaxValue : 1)
               from variant in VariantsOf(library, benchmark, request).Take(isChosen ? int.MaxValue : 1)
               let suiteCase = CaseOf(benchmark, library, profile, fastest, variant, request)
               where variant is null || FaultOf(suiteCase) is null
               select suiteCase,
        ];

        IEnumerable<string> used = cases.SelectMany(suiteCase => (string?[])[suiteCase.Plan.Library, suiteCase.Plan.ClientLibrary]).OfType<string>();
        PlanCheck.CheckSettingsAreUsed(request.Settings, known, [.. used.Distinct()]);

        // A variant that its library rejects is no case; settings that the user chose are an error.
        Rule.Check(cases.Select(suiteCase => new Rule(FaultOf(suiteCase))));
        return cases;
    }

    private static BenchmarkException? FaultOf(SuiteCase suiteCase) => suiteCase.Library.FindFault(suiteCase.Plan, suiteCase.Workload);

    /// <summary>Null for all libraries.</summary>
    public static IReadOnlyList<string>? LibrariesOf(CliRequest request) => request.IsGiven(LibraryOptions.LibraryName)
        ? [.. request.Plans.Select(plan => plan.Library).Distinct()]
        : request.BenchmarkPart.OnlyLibrary is not { } only ? null
        : [request.HasLibrary ? request.Plan.Library : only];

    // The ratios of some libraries are those of the whole benchmark.
    private static bool IsBaseline(LibraryInfo library, CliRequest request) =>
        library.Name == request.Baseline && request.BenchmarkPart.HasBaseline;

    // One line to compare with is enough for a first look, whose time is for the libraries.
    private static bool IsFurtherLine(LibraryInfo library, CliRequest request) =>
        request.BenchmarkPart.IsFirstLook && library.IsBaseline && library.Name != request.Baseline;

    private static SuiteCase CaseOf(
        Benchmark benchmark, LibraryInfo library, Profile profile, LibraryInfo? fastest, RequestedSetting? variant, CliRequest request)
    {
        PinningPlan pinning = request.Plan.Pinning;
        // Both sides have a setting that is varied.
        bool isDrivenByFastest = !benchmark.OwnClients && benchmark.VariedSettings is [] && fastest is not null && fastest.Name != library.Name
            && library.HasFormatOf(fastest, benchmark.Template.Protocol);
        LibraryInfo? clients = isDrivenByFastest ? fastest : null;
        RunPlan plan = benchmark.Template with
        {
            Library = library.Name,
            Assemblies = request.Plan.Assemblies,
            ClientLibrary = clients?.Name,
            Profile = profile,
            Variant = VariantOf(benchmark, profile, variant, library),
            Settings = PlanCheck.ChooseSettings(
                variant is null ? request.Settings : [.. request.Settings, variant], library, profile, benchmark.Template.Protocol),
            ClientSettings = clients is null
                ? benchmark.Template.ClientSettings
                : PlanCheck.ChooseSettings(request.Settings, clients, profile, benchmark.Template.Protocol),
            Pinning = pinning,
            Hosts = request.Plan.Hosts,
            Runtime = request.Plan.Runtime,
            ClientThreads = benchmark.Workload is IConnectionWorkload && pinning.ClientCores is null
                ? Environment.ProcessorCount
                : pinning.DefaultClientThreads,
            ServerThreads = library.Over(benchmark.Template.Protocol).MaxServerThreads == 1 ? 1 : benchmark.Template.ServerThreads,
        };

        // With this variant, the server may have one thread only.
        plan = library.FindFault(plan, benchmark.Workload) is null ? plan : plan with { ServerThreads = 1 };
        return new SuiteCase(benchmark.Title, plan, library.DrivenBy(clients, plan.Protocol), benchmark.Workload, request.Launches ?? benchmark.Launches)
        {
            Part = benchmark.Part,
            Row = benchmark.Row,
            TargetHalfWidth = request.Launches is null && benchmark.Row is null ? request.Precision ?? benchmark.TargetHalfWidth : null,
            IsBaseline = benchmark.HasBaselines && library.IsBaseline && LibrariesOf(request)?.Contains(library.Name) != true,
        };
    }

    private static string? VariantOf(Benchmark benchmark, Profile profile, RequestedSetting? variant, LibraryInfo library)
    {
        if (benchmark.Variant is not { } load)
        {
            return variant?.Value;
        }

        bool isDefault = variant is null || library.Settings.First(setting => setting.Name == variant.Name).Default == variant.Value;
        return $"{load}{(profile == Profile.Default ? string.Empty : ", tuned")}{(isDefault ? string.Empty : $", {variant!.Name}={variant.Value}")}";
    }

    // Each value of such a setting is a case, unless the user chose one. In other benchmarks the default is measured alone.
    private static IEnumerable<RequestedSetting?> VariantsOf(LibraryInfo library, Benchmark benchmark, CliRequest request)
    {
        LibrarySetting[] varied = [.. library.Over(benchmark.Template.Protocol).Settings.Where(setting => IsVaried(setting) && !IsChosen(setting))];
        return varied.Length == 0 ? [null] :
        [
            .. from setting in varied
               from value in setting.Values
               where setting == varied[0] || value != setting.Default
               select new RequestedSetting(library.Name, setting.Name, value),
        ];

        bool IsVaried(LibrarySetting setting) => benchmark.Variant is null && benchmark.Workload is IConnectionWorkload
            ? setting.HasVariants
            : benchmark.VariedSettings.Contains(setting.Name);

        bool IsChosen(LibrarySetting setting) => request.Settings.Any(requested =>
            requested.Library.Equals(library.Name, StringComparison.OrdinalIgnoreCase)
            && requested.Name.Equals(setting.Name, StringComparison.OrdinalIgnoreCase));
    }

    private static IEnumerable<Profile> ProfilesOf(LibraryInfo library, Benchmark benchmark, CliRequest request)
    {
        bool hasProfile = request.IsGiven(LibraryOptions.ProfileName);
        return Enum.GetValues<Profile>().Where(profile => profile == Profile.Default
            ? !hasProfile || request.Plan.Profile == Profile.Default || !benchmark.WithTunedProfiles
            : benchmark.WithTunedProfiles
                && library.Over(benchmark.Template.Protocol).HasTunedProfile
                && (!hasProfile || request.Plan.Profile == profile));
    }
}
