using System.Text.RegularExpressions;

namespace NetCoreNetworkBenchmark.Cli.Files;

internal static partial class BenchmarksFolder
{
    private const string Name = "Benchmarks";
    private const string RepositoryMark = "NetCoreNetworkBenchmark.slnx";

    public static string Default()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, RepositoryMark)))
            {
                return Path.Combine(folder.FullName, Name);
            }
        }

        return Name;
    }

    public static string MachineName(EnvironmentInfo machine)
    {
        string cpu = Decoration().Replace(machine.Cpu, " ");
        string os = Parenthesis().Replace(machine.Os, " ");
        return Separators().Replace($"{os}-{cpu}-{machine.Cores}-cores", "-").Trim('-', '.');
    }

    [GeneratedRegex(@"\((R|TM|C)\)|\b(CPU|Processor)\b|@", RegexOptions.IgnoreCase)]
    private static partial Regex Decoration();

    [GeneratedRegex(@"\([^)]*\)")]
    private static partial Regex Parenthesis();

    [GeneratedRegex("[^A-Za-z0-9.]+")]
    private static partial Regex Separators();
}
