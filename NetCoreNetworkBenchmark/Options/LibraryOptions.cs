using System.Reflection;
using System.Security.Cryptography;
using static NetCoreNetworkBenchmark.Options.PlanOption;

namespace NetCoreNetworkBenchmark.Options;

internal static class LibraryOptions
{
    public const string LibraryName = "--library";
    public const string ProfileName = "--profile";
    public const string SetName = "--set";
    public const string LoadName = "--load";

    public static IReadOnlyList<PlanOption> All(IReadOnlyCollection<string> libraries) => Grouped(
        OptionGroup.Library,
        Choice(
            LibraryName, "-l", "library to measure, or several to compare, such as ENet,LiteNetLib", libraries, plan => plan.Library,
            (plan, text) => plan with { Library = text }) with
        {
            Details = "with -b only these and the baseline",
            IsCommon = true,
            TakesSeveral = true,
            IsForBenchmark = true,
        },
        Choice(
            ProfileName, null, "values of the settings that are not set", Enum.GetNames<Profile>(), plan => plan.Profile.ToString(),
            (plan, text) => plan with { Profile = Enum.Parse<Profile>(text) }) with
        {
            Details = "--list shows both",
            Default = $"{Profile.Default}, with -b: both",
            Requires = LibraryCapability.TunedProfile,
            IsForBenchmark = true,
        },
        new PlanOption(SetName, "setting of a library")
        {
            Details = "repeatable; --list shows the settings; with -b for the cases of the library",
            IsCommon = true,
            Kind = OptionKind.Values,
            ValueName = "LIBRARY.NAME=VALUE",
            Apply = Check,
            IsForBenchmark = true,
            Print = plan => SettingsOf(plan.Library, plan.Settings),
            Key = text => text[(text.IndexOf('.', StringComparison.Ordinal) + 1)..],
        },
        new PlanOption(LoadName, "assembly with further libraries, tests and parts of -b")
        {
            Details = "repeatable; also from the environment variable NETBENCH_LOAD and from .netbench.json in the current folder",
            Kind = OptionKind.Values,
            ValueName = "PATH",
            // Its libraries are values of other options, so the program has loaded it before it reads any.
            Apply = (plan, _) => plan,
            IsForBenchmark = true,
            Print = plan => (plan.Assemblies ?? []).SelectMany(assembly => (string[])[LoadName, assembly.Path]),
        });

    /// <summary>Does not load the assembly.</summary>
    public static AdapterAssembly Describe(string text)
    {
        try
        {
            string path = Path.GetFullPath(text);
            AssemblyName name = AssemblyName.GetAssemblyName(path);
            string? version = FileVersionInfo.GetVersionInfo(path).ProductVersion?.Split('+')[0];
            return new AdapterAssembly(path, name.Name!, version ?? $"{name.Version}", HashOf(path));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or BadImageFormatException or ArgumentException)
        {
            throw OptionValues.Invalid(LoadName, text, "the path of a .NET assembly, such as bin/Release/net10.0/MyLibrary.dll");
        }
    }

    public static IReadOnlyList<string> FilesOf(string path)
    {
        string dependencies = Path.ChangeExtension(path, ".deps.json");
        string named = File.Exists(dependencies) ? File.ReadAllText(dependencies) : string.Empty;
        string folder = Path.GetDirectoryName(path)!;
        string natives = Path.Combine(folder, "runtimes");
        return
        [
            path,
            .. from file in Directory.EnumerateFiles(folder).Concat(
                   Directory.Exists(natives) ? Directory.EnumerateFiles(natives, "*", SearchOption.AllDirectories) : [])
               where file != path && named.Contains($"{Path.GetFileName(file)}\"", StringComparison.Ordinal)
               orderby Path.GetRelativePath(folder, file).Replace(Path.DirectorySeparatorChar, '/')
               select file,
        ];
    }

    // The library is a dependency of the assembly, and may be rebuilt without it.
    private static string HashOf(string path)
    {
        byte[][] hashes = [.. FilesOf(path).Select(file => SHA256.HashData(File.ReadAllBytes(file)))];
        return Convert.ToHexStringLower(hashes is [var own] ? own : SHA256.HashData([.. hashes.SelectMany(hash => hash)]));
    }

    public static IEnumerable<string> SettingsOf(string library, IReadOnlyDictionary<string, string> settings) =>
        settings.SelectMany(setting => (string[])[SetName, $"{library}.{setting.Key}={setting.Value}"]);

    // Only the library knows its settings, so their values reach the plan later.
    private static RunPlan Check(RunPlan plan, string text)
    {
        _ = RequestedSetting.Parse(text);
        return plan;
    }
}

/// <summary>The request of the user, not yet checked against the library.</summary>
internal sealed record RequestedSetting(string Library, string Name, string Value)
{
    public static RequestedSetting Parse(string text) =>
        text.Split('=', 2) is [var name, { Length: > 0 } value] && name.Split('.', 2) is [{ Length: > 0 } library, { Length: > 0 } setting]
            ? new RequestedSetting(library, setting, value)
            : throw OptionValues.Invalid(LibraryOptions.SetName, text, "LIBRARY.NAME=VALUE with a setting from --list");

    public override string ToString() => $"{Library}.{Name}={Value}";
}
