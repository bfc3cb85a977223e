using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running.Discovery;
using Spectre.Console;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>The table of <c>--list</c>.</summary>
internal static class ListCommand
{
    public static int Run(CommandContext context)
    {
        (Catalog catalog, IAnsiConsole console) = (context.Catalog, context.OutputConsole);
        var table = new Table().Border(context.Border);
        table.AddColumns("Library", "Version", "Protocols", "Most clients", "Overhead");
        var remarks = new List<string>();
        foreach (string name in catalog.KnownLibraries)
        {
            if (catalog.CreateLibrary(name)?.Info is { } info)
            {
                AddRow(table, info);
                AddRemark(remarks, info);
                remarks.AddRange(SettingsOf(info).Select(setting => $"{LibraryOptions.SetName} {setting}"));
            }
            else
            {
                MissingLibrary missing = catalog.NotInBuild.First(candidate => candidate.Library == name);
                table.AddRow(Markup.Escape(name), "not in this build", "-", "-", "-");
                remarks.Add($"{name} is not in this build: {missing.Reason}.");
            }
        }

        console.Write(table);
        remarks.ForEach(remark => console.Write(new Text(remark + "\n")));
        return ExitCode.Success;
    }

    private static void AddRow(Table table, LibraryInfo info) => table.AddRow(
        Markup.Escape(info.Name),
        info.Unavailable is null ? Markup.Escape(info.Version) : "cannot run here",
        string.Join(", ", info.Protocols),
        info.MostClients?.ToString("N0", CultureInfo.InvariantCulture) ?? "by the machine",
        string.Join(", ", info.Transmissions.Select(Overhead)));

    private static string Overhead(TransmissionInfo transmission) => string.Create(
        CultureInfo.InvariantCulture, $"{transmission.OverheadBytes} bytes {transmission.Transmission}");

    public static IEnumerable<string> SettingsOf(LibraryInfo info) => info.Settings.Select(setting =>
        $"{info.Name}.{setting.Name}={string.Join('|', setting.Values)} [{Profiles(setting)}]{Reach(info, setting)}: {setting.Summary}.");

    private static string Reach(LibraryInfo info, LibrarySetting setting) =>
        info.Protocols.All(setting.Protocols.Contains) ? string.Empty : $" ({string.Join(", ", info.Protocols.Where(setting.Protocols.Contains))})";

    private static string Profiles(LibrarySetting setting) =>
        setting.Tuned == setting.Default ? $"default: {setting.Default}" : $"default: {setting.Default}, tuned: {setting.Tuned}";

    private static void AddRemark(List<string> remarks, LibraryInfo info)
    {
        if (info.Unavailable is not null)
        {
            remarks.Add($"{info.Name} cannot run here: {info.Unavailable}.");
        }

        if (!info.CountsUnsolicitedDatagrams)
        {
            remarks.Add($"{info.Name} does not report unsolicited datagrams, so a result does not count them.");
        }
    }
}
