using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running.Discovery;
using Spectre.Console;

namespace NetCoreNetworkBenchmark.Cli.Commands;

internal static class ListCommand
{
    public static int Run(CommandContext context)
    {
        Catalog catalog = context.Catalog;
        (List<string[]> rows, List<string> remarks) = ([], []);
        foreach (string name in catalog.KnownLibraries)
        {
            LibraryInfo? info = catalog.CreateLibrary(name)?.Info;
            rows.Add(info is null ? [name, "not in this build", "-", "-", "-"] : CellsOf(info));
            remarks.AddRange(info is null
                ? [$"{name} is not in this build: {catalog.NotInBuild.First(candidate => candidate.Library == name).Reason}."]
                : RemarksOf(info));
        }

        context.Show(["Library", "Version", "Protocols", "Most clients", "Overhead"], rows);
        IAnsiConsole console = context.OutputConsole;
        remarks.Add(
            "Overhead is of a message alone in a packet, above the header of UDP. -b, several values to compare and --launches count all bytes on the wire.");
        remarks.ForEach(remark => console.Write(new Text(remark + "\n")));
        return ExitCode.Success;
    }

    public static int RunNetworks(CommandContext context)
    {
        context.Show(
            ["Network", "What", "Impairments", "Source"],
            [
                .. NetworkProfile.All.Select(profile => (string[])
                    [profile.Name, profile.Summary, string.Join(", ", ImpairmentOptions.Describe(profile.Impairment)), profile.Source]),
            ]);
        return ExitCode.Success;
    }

    private static string[] CellsOf(LibraryInfo info) =>
    [
        info.Name,
        info.Unavailable is null ? info.Version : "cannot run here",
        NamesOf(info.Protocols),
        info.MaxClients?.ToString("N0", CultureInfo.InvariantCulture) ?? "by the machine",
        string.Join(", ", info.Transmissions.Select(transmission => $"{Plural.Format(transmission.OverheadBytes, "byte")} {transmission.Transmission}")),
    ];

    private static IEnumerable<string> RemarksOf(LibraryInfo info) =>
    [
        .. info.Unavailable is null ? [] : (string[])[$"{info.Name} cannot run here: {info.Unavailable}."],
        .. info.CountsUnsolicitedDatagrams ? [] : (string[])[$"{info.Name} does not report unsolicited datagrams, so a result does not count them."],
        .. from transmission in info.Transmissions
           where transmission.OverheadParts is not null
           select $"{info.Name} {transmission.Transmission}: {Plural.Format(transmission.OverheadBytes, "byte")} from the protocol's definition: " +
               $"{transmission.OverheadParts}.",
        .. info.WireFormat is { } format ? (string[])[$"{info.Name} has {format} on its streams, so only clients of {format} drive its server."] : [],
        .. SettingsOf(info).Select(setting => $"{LibraryOptions.SetName} {setting}"),
    ];

    public static IEnumerable<string> SettingsOf(LibraryInfo info) => info.Settings.Select(setting =>
        $"{info.Name}.{setting.Name}={string.Join('|', setting.Values)} [{Profiles(setting)}]{Reach(info, setting)}: {setting.Summary}.");

    private static string Reach(LibraryInfo info, LibrarySetting setting) =>
        info.Protocols.All(setting.Protocols.Contains) ? string.Empty : $" ({NamesOf(info.Protocols.Where(setting.Protocols.Contains))})";

    private static string NamesOf(IEnumerable<Protocol> protocols) => string.Join(", ", protocols.Select(protocol => protocol.OptionText()));

    private static string Profiles(LibrarySetting setting) =>
        setting.Tuned == setting.Default ? $"default: {setting.Default}" : $"default: {setting.Default}, tuned: {setting.Tuned}";
}
