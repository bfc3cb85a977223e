using NetCoreNetworkBenchmark.Running.Discovery;
using static NetCoreNetworkBenchmark.Options.OptionValues;

namespace NetCoreNetworkBenchmark.Cli.Checks;

internal static partial class PlanCheck
{
    public static INetworkBenchmark FindLibrary(Catalog catalog, string name, string option = LibraryOptions.LibraryName)
    {
        if (catalog.NotInBuild.FirstOrDefault(candidate => candidate.Library.Equals(name, StringComparison.OrdinalIgnoreCase)) is { } missing)
        {
            throw Rejected(option, $"{missing.Library} is not in this build: {missing.Reason}.");
        }

        INetworkBenchmark library = catalog.CreateLibrary(name)!;
        return library.Info.Unavailable is null ? library : throw Rejected(option, $"{library.Info.Name} cannot run here: {library.Info.Unavailable}.");
    }

    public static void RequirePackage(Catalog catalog, string name, string option)
    {
        Type library = FindLibrary(catalog, name, option).GetType();
        string remedy = catalog.Loaded?.Any(assembly => assembly.Name == library.Assembly.GetName().Name) == true
                ? $"It is of {LibraryOptions.LoadName}: build that assembly with each version, and compare a result of each."
            : catalog.OfPackages.Count == 0 ? "No library in this build is."
            : $"Use {Or(catalog.OfPackages)}.";
        Rule.Check([new(option, !catalog.OfPackages.Contains(name), () => $"{name} is not a package with versions. {remedy}")]);
    }

    public static INetworkBenchmark? FindClients(RunPlan plan, LibraryInfo library, Catalog catalog)
    {
        IWorkload? opening = catalog.Workloads.OfType<IConnectionWorkload>().FirstOrDefault(test => test.Name == plan.Test);
        Rule.Check([new("--protocol", opening is not null && !plan.Protocol.IsOverTcp(), () =>
            $"{plan.Test} opens TCP connections, so {plan.Protocol.Name()} is not applicable. Use Tcp or Tls.")]);
        if (plan.ClientLibrary is { } requested)
        {
            INetworkBenchmark clients = FindLibrary(catalog, requested, StreamOptions.ClientLibraryName);
            RequireDriver(plan, library, clients.Info, catalog);
            Rule.Check([new(StreamOptions.ClientLibraryName, opening is not null && !clients.Info.ConnectionTransports.Contains(plan.Protocol), () =>
                $"{plan.Test} requires clients that open new connections over {plan.Protocol.Name()}, which {clients.Info.Name} does not have. " +
                    UseLibrary(catalog, candidate => candidate.ConnectionTransports.Contains(plan.Protocol)))]);
            return clients.Info.Name == library.Name ? null : clients;
        }

        if (opening is not null)
        {
            LibraryInfo opener = ClientLibraries.FastestFor(opening, plan.Protocol, library, catalog.Infos) ?? throw Rejected(
                "--test", $"no library that runs here has clients that open new connections{FormatOf(library)} over {plan.Protocol.Name()}. Use another test.");
            return opener.Name == library.Name ? null : catalog.CreateLibrary(opener.Name);
        }

        return library.HasClients || !plan.Protocol.IsStream() ? null
            : catalog.CreateLibrary(ClientLibraries.FastestOver(plan.Protocol, library, catalog.Infos)?.Name ?? throw Rejected(
                LibraryOptions.LibraryName,
                $"{library.Name} has no clients, and no library that runs here has clients{FormatOf(library)} over {plan.Protocol.Name()}. " +
                    "Use another library."));
    }

    public static void CheckSettingsAreUsed(IEnumerable<RequestedSetting> requested, IReadOnlyCollection<string> known, IReadOnlyCollection<string> running)
    {
        foreach (RequestedSetting setting in requested)
        {
            string library = Choice(LibraryOptions.SetName, setting.Library, known);
            Rule.Check([new(LibraryOptions.SetName, !running.Contains(library, StringComparer.OrdinalIgnoreCase), () =>
                $"\"{setting}\" is for {library}, which is not part of this run. Use settings of {Or(running)}.")]);
        }
    }

    /// <summary>A setting without an effect over the transport is checked and left out, so that one command is for several transports.</summary>
    public static IReadOnlyDictionary<string, string> ChooseSettings(
        IEnumerable<RequestedSetting> requested, LibraryInfo library, Profile profile, Protocol protocol)
    {
        var values = library.Settings.ToDictionary(setting => setting.Name, setting => setting.ValueIn(profile));
        IEnumerable<RequestedSetting> settings = SettingsFor(library, requested);
        foreach (IGrouping<string, RequestedSetting> ofName in settings.GroupBy(setting => setting.Name, StringComparer.OrdinalIgnoreCase))
        {
            LibrarySetting setting = FindSetting(library, ofName.Key);
            values[setting.Name] = ofName.Count() == 1
                ? ValueOf(library, setting, ofName.First().Value)
                : throw Rejected(LibraryOptions.SetName, $"{library.Name}.{setting.Name} is set {ofName.Count()} times. Set it once.");
        }

        return library.Over(protocol).Settings.ToDictionary(setting => setting.Name, setting => values[setting.Name]);
    }

    public static void CheckSettingsHaveEffect(IEnumerable<RequestedSetting> requested, LibraryInfo library, Protocol protocol) => Rule.Check(
        from request in SettingsFor(library, requested)
        let setting = FindSetting(library, request.Name)
        select new Rule(LibraryOptions.SetName, !setting.Protocols.Contains(protocol), () =>
            $"{library.Name}.{setting.Name} has no effect over {protocol.Name()}. Use -P {OrOf(setting.Protocols.Intersect(library.Protocols))}."));

    public static void CheckProfile(LibraryInfo library, Profile profile, Protocol protocol) => Rule.Check(
        [new(LibraryOptions.ProfileName, profile != Profile.Default && !library.Over(protocol).HasTunedProfile, () =>
            $"{library.Name} has no tuned profile over {protocol.Name()}. Use {Profile.Default}.")]);

    private static void RequireDriver(RunPlan plan, LibraryInfo library, LibraryInfo clients, Catalog catalog)
    {
        string[] valid = [.. ClientLibraries.Over(plan.Protocol, library, catalog.Infos).Select(candidate => candidate.Name)];
        if (!valid.Contains(clients.Name))
        {
            string fault = !plan.Protocol.IsStream() && !library.HasPlainDatagrams ? $"cannot drive {library.Name}, whose datagrams have a format of their own"
                : !clients.Protocols.Contains(plan.Protocol) ? $"does not support {plan.Protocol.Name()}"
                : !ClientLibraries.HasClients(clients, plan.Protocol) ? $"has no clients over {plan.Protocol.Name()}"
                : $"has not the wire format of {library.Name} over {plan.Protocol.Name()}";
            string remedy = valid.Length == 0 ? "No library that runs here does." : $"Use {Or(valid)}.";
            throw Rejected(StreamOptions.ClientLibraryName, $"{clients.Name} {fault}. {remedy}");
        }
    }

    private static string FormatOf(LibraryInfo library) => library.WireFormat is { } format ? $" of {format}" : string.Empty;

    private static IEnumerable<RequestedSetting> SettingsFor(LibraryInfo library, IEnumerable<RequestedSetting> requested) =>
        requested.Where(setting => setting.Library.Equals(library.Name, StringComparison.OrdinalIgnoreCase));

    private static LibrarySetting FindSetting(LibraryInfo library, string name)
    {
        string[] valid = [.. library.Settings.Select(setting => setting.Name)];
        return library.Settings.FirstOrDefault(setting => setting.Name.Equals(name, StringComparison.OrdinalIgnoreCase)) ?? throw (valid.Length == 0
            ? Rejected(LibraryOptions.SetName, $"{library.Name} has no settings. Omit \"{name}\".")
            : NotOneOf(LibraryOptions.SetName, name, $"the settings of {library.Name}:", valid));
    }

    private static string ValueOf(LibraryInfo library, LibrarySetting setting, string value) =>
        setting.Values.FirstOrDefault(candidate => candidate.Equals(value, StringComparison.OrdinalIgnoreCase)) ?? throw NotOneOf(
            LibraryOptions.SetName, value, $"the values of {library.Name}.{setting.Name}:", setting.Values);
}
