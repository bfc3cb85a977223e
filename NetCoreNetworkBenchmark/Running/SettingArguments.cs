using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>A plan's settings, threads and cores as the options that ask for them.</summary>
internal static class SettingArguments
{
    /// <summary>The option of a library's settings.</summary>
    public const string SetOption = "--set";

    /// <summary>The option of the values that are not chosen one by one.</summary>
    public const string ProfileOption = "--profile";

    /// <summary>The option of the cores.</summary>
    public const string PinOption = "--pin";

    /// <summary>The library's settings, each with its option before it.</summary>
    public static IEnumerable<string> OfSettings(RunPlan plan) =>
        plan.Settings.SelectMany(setting => (string[])[SetOption, $"{plan.Library}.{setting.Key}={setting.Value}"]);

    /// <summary>The cores with their option before them; nothing where neither side is bound.</summary>
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
