using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>Checks the settings that the user requested against the settings that the libraries declare.</summary>
internal static class SettingCheck
{
    private const string Option = SettingArguments.SetOption;

    /// <summary>Rejects settings of libraries that do not exist or do not run.</summary>
    /// <param name="asked">The requested settings.</param>
    /// <param name="known">The names of all libraries.</param>
    /// <param name="running">The names of the libraries that run.</param>
    /// <exception cref="BenchmarkException">There is such a setting.</exception>
    public static void RequireRunning(IEnumerable<AskedSetting> asked, IReadOnlyCollection<string> known, IReadOnlyCollection<string> running)
    {
        foreach (AskedSetting setting in asked)
        {
            string library = OptionValues.Choice(Option, setting.Library, known);
            if (!running.Contains(library, StringComparer.OrdinalIgnoreCase))
            {
                throw BenchmarkException.BadInput(
                    $"Option {Option}: '{setting.Library}.{setting.Name}={setting.Value}' is for {library}, which does not run here; " +
                        $"valid are settings of {string.Join(", ", running)}.");
            }
        }
    }

    /// <summary>
    /// Returns the values of the settings of a library that have an effect over a transport: the requested values, and the values of the profile for
    /// the other settings.
    /// </summary>
    /// <param name="asked">The requested settings, of this library and of others.</param>
    /// <param name="library">The library, with all its settings.</param>
    /// <param name="profile">The profile.</param>
    /// <param name="protocol">
    /// The transport. A setting that has no effect over it is checked and left out, so that one command can be used for several transports.
    /// </param>
    /// <returns>The values by name, both in the spelling and the order of the library.</returns>
    /// <exception cref="BenchmarkException">The library has no such setting, or the setting has no such value.</exception>
    public static IReadOnlyDictionary<string, string> Choose(IEnumerable<AskedSetting> asked, LibraryInfo library, Profile profile, Protocol protocol)
    {
        var values = library.Settings.ToDictionary(setting => setting.Name, setting => setting.ValueIn(profile));
        foreach (IGrouping<string, AskedSetting> ofName in asked
            .Where(setting => setting.Library.Equals(library.Name, StringComparison.OrdinalIgnoreCase))
            .GroupBy(setting => setting.Name, StringComparer.OrdinalIgnoreCase))
        {
            LibrarySetting setting = Find(library, ofName.Key);
            values[setting.Name] = ofName.Count() == 1
                ? ValueOf(library, setting, ofName.First().Value)
                : throw BenchmarkException.BadInput($"Option {Option}: {library.Name}.{setting.Name} is chosen {ofName.Count()} times; valid is one value.");
        }

        return library.Over(protocol).Settings.ToDictionary(setting => setting.Name, setting => values[setting.Name]);
    }

    /// <summary>Rejects settings that have no effect over the transport of a run.</summary>
    /// <param name="asked">The requested settings, of this library and of others. Each one exists.</param>
    /// <param name="library">The library, with all its settings.</param>
    /// <param name="protocol">The transport.</param>
    /// <exception cref="BenchmarkException">There is such a setting.</exception>
    public static void RequireEffect(IEnumerable<AskedSetting> asked, LibraryInfo library, Protocol protocol)
    {
        foreach (AskedSetting setting in asked.Where(setting => setting.Library.Equals(library.Name, StringComparison.OrdinalIgnoreCase)))
        {
            LibrarySetting found = Find(library, setting.Name);
            if (!found.Protocols.Contains(protocol))
            {
                throw BenchmarkException.BadInput(
                    $"Option {Option}: {library.Name}.{found.Name} has no effect over {protocol}; it is for {string.Join(" and ", found.Protocols)}.");
            }
        }
    }

    /// <summary>Rejects a profile of a library that has only one profile over the transport of a run.</summary>
    /// <exception cref="BenchmarkException">The library has no tuned profile.</exception>
    public static void RequireProfile(LibraryInfo library, Profile profile, Protocol protocol)
    {
        if (profile != Profile.Default && !library.Over(protocol).HasTunedProfile)
        {
            throw BenchmarkException.BadInput(
                $"Option {SettingArguments.ProfileOption}: {library.Name} has nothing to tune over {protocol}; valid is {Profile.Default}.");
        }
    }

    private static LibrarySetting Find(LibraryInfo library, string name)
    {
        string[] valid = [.. library.Settings.Select(setting => setting.Name)];
        return library.Settings.FirstOrDefault(setting => setting.Name.Equals(name, StringComparison.OrdinalIgnoreCase))
            ?? throw BenchmarkException.BadInput(valid.Length == 0
                ? $"Option {Option}: {library.Name} has no settings, so '{name}' cannot be chosen."
                : $"Option {Option}: {library.Name} has no setting '{name}'; " +
                    $"valid {AreOrIs(valid)} {string.Join(", ", valid)}.{Suggestion.Sentence(name, valid)}");
    }

    private static string ValueOf(LibraryInfo library, LibrarySetting setting, string value) =>
        setting.Values.FirstOrDefault(candidate => candidate.Equals(value, StringComparison.OrdinalIgnoreCase))
        ?? throw BenchmarkException.BadInput(
            $"Option {Option}: '{value}' is not valid for {library.Name}.{setting.Name}; " +
                $"valid {AreOrIs(setting.Values)} {string.Join(", ", setting.Values)}.{Suggestion.Sentence(value, setting.Values)}");

    private static string AreOrIs(IReadOnlyCollection<string> valid) => valid.Count == 1 ? "is" : "are";
}
