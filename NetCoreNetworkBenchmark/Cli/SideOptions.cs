using System.CommandLine;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Scenarios;

using static NetCoreNetworkBenchmark.Cli.LoadOptions;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>The options that configure the two sides: settings of the library, threads and cores.</summary>
internal sealed class SideOptions
{
    private readonly Option<string[]> _set = new(SettingArguments.SetOption)
    {
        HelpName = "LIBRARY.NAME=VALUE",
        Description = "choose a setting of a library, also with -b for its cases; more than once for several; --list shows what there is",
    };
    private readonly Option<string> _profile = new(SettingArguments.ProfileOption)
    {
        HelpName = "VALUE",
        Description = "values of the settings that are not chosen; " +
            $"options [{Names<Profile>()}], --list shows both [default: {Profile.Default}, with -b: both]",
    };
    private readonly Option<string> _serverThreads = Value(
        "--server-threads",
        null,
        "threads of the server, each with a socket of its own, where the library can have several",
        new RunPlan { Library = string.Empty }.ServerThreads);
    private readonly Option<string> _clientThreads = new("--client-threads")
    {
        HelpName = "VALUE",
        Description = "threads that serve the clients, where the library lets the harness choose " +
            "[default: half the cores, or one for each of the clients' cores with --pin; 1 to 8]",
    };
    private readonly Option<string> _pin = new(SettingArguments.PinOption)
    {
        HelpName = "SIDE=CORES",
        Description = "bind server, clients or both, in processes of their own, to cores, such as server=0,clients=1 or server=0-1,clients=2+3; also with -b",
    };

    public IEnumerable<Option> All => [_profile, _set, _serverThreads, _clientThreads, _pin];

    public bool ClientThreadsWereChosen(ParseResult parsed) => IsGiven(parsed, _clientThreads);

    /// <summary>Whether the user chose a profile, so that the predefined benchmark runs no other profile.</summary>
    public bool ProfileWasChosen(ParseResult parsed) => IsGiven(parsed, _profile);

    /// <summary>Adds profile, threads and cores to a plan.</summary>
    /// <exception cref="BenchmarkException">A value is not valid.</exception>
    public RunPlan Read(ParseResult parsed, RunPlan plan)
    {
        PinningPlan pinning = parsed.GetValue(_pin) is { } pin ? CoreValues.Pinning(_pin.Name, pin) : new PinningPlan();
        return plan with
        {
            Profile = parsed.GetValue(_profile) is { } profile ? OptionValues.Choice<Profile>(_profile.Name, profile) : Profile.Default,
            ServerThreads = Number(parsed, _serverThreads, 1, PlanLimits.MostThreads),
            ClientThreads = ClientThreadsWereChosen(parsed) ? Number(parsed, _clientThreads, 1, PlanLimits.MostThreads) : pinning.DefaultClientThreads,
            Pinning = pinning,
        };
    }

    /// <summary>Reads the settings of libraries.</summary>
    /// <exception cref="BenchmarkException">A text is not a setting with its library and value.</exception>
    public IReadOnlyList<AskedSetting> Settings(ParseResult parsed) => [.. (parsed.GetValue(_set) ?? []).Select(Setting)];

    private AskedSetting Setting(string text) =>
        text.Split('=', 2) is [var name, { Length: > 0 } value] && name.Split('.', 2) is [{ Length: > 0 } library, { Length: > 0 } setting]
            ? new AskedSetting(library, setting, value)
            : throw BenchmarkException.BadInput(
                $"Option {_set.Name}: '{text}' is not valid; valid is LIBRARY.NAME=VALUE with a setting that --list shows. See --help.");
}
