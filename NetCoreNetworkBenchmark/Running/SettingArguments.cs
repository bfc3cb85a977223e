using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>Converts a plan's settings, threads and cores to the options that request them.</summary>
internal static class SettingArguments
{
    /// <summary>The option of a library's settings.</summary>
    public const string SetOption = "--set";

    /// <summary>The option of the profile, which gives the values that are not chosen one by one.</summary>
    public const string ProfileOption = "--profile";

    /// <summary>The option of the cores.</summary>
    public const string PinOption = "--pin";

    /// <summary>The settings of the library, each preceded by its option.</summary>
    public static IEnumerable<string> OfSettings(RunPlan plan) =>
        plan.Settings.SelectMany(setting => (string[])[SetOption, $"{plan.Library}.{setting.Key}={setting.Value}"]);

    /// <summary>The cores, preceded by their option; empty if neither side is bound.</summary>
    public static IEnumerable<string> OfPinning(PinningPlan pinning) => pinning.IsNone ? [] : [PinOption, string.Join(',', Sides(pinning))];

    private static IEnumerable<string> Sides(PinningPlan pinning)
    {
        if (pinning.ServerCores is { } server)
        {
            yield return $"server={Results.CoreList.Text(server)}";
        }

        if (pinning.ClientCores is { } clients)
        {
            yield return $"clients={Results.CoreList.Text(clients)}";
        }
    }
}
