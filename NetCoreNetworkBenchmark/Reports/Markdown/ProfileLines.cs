using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The settings in which the tuned cases of a benchmark differ from the default ones.</summary>
internal static class ProfileLines
{
    private const string Send = "send";
    private const string WhatSendIs =
        " With `send=message` each message reaches the library by a call of its own, as in the library's examples; " +
            "with `send=receive` one call hands over all that one receive call brought.";

    /// <summary>Returns one paragraph; null if no case is tuned.</summary>
    public static string? Of(BenchmarkResult benchmark)
    {
        RunResult[] runs = [.. benchmark.Cases.Select(found => found.MedianLaunch()).OfType<RunResult>()];
        (string Library, string[] Settings)[] tuned =
        [
            .. from run in runs
               where run.Profile != RunResult.DefaultProfile
               let other = runs.FirstOrDefault(other => other.Library == run.Library && other.Profile == RunResult.DefaultProfile)
               where other is not null
               select (run.Library, run.Settings.Except(other.Settings).Select(setting => $"{setting.Key}={setting.Value}").ToArray()),
        ];
        if (tuned.Length == 0)
        {
            return null;
        }

        string differences = string.Join("; ", tuned.Select(found => $"{found.Library} `{string.Join(' ', found.Settings)}`").Distinct());
        bool tunesSending = tuned.Any(found => found.Settings.Any(setting => setting.StartsWith($"{Send}=", StringComparison.Ordinal)));
        return $"Tuned: {differences}.{(tunesSending ? WhatSendIs : string.Empty)}";
    }
}
